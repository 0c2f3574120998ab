// The loss at each position, with teacher forcing and after own words, as in pages/training/loss.py; and the penalty of guided attention.

import { uniform } from "../decoding/sampling";
import { tracedPass } from "../explain";
import { argmax, row, size, topIds } from "../tensor";
import { idsOf } from "../tokenizer/base";
import { visible } from "../tokenizer/text";
import { tokenMaps } from "./attention";
import { doubles, labelsOf, lacking, pack, type Scene, siteOf, stacked, stepsOf, vocabularyLabel } from "./view";

const SHOWN = 10; // tokens of a step that have bars

export function sentenceLoss(scene: Scene, asked: URLSearchParams) {
  const { model, explanation, target } = scene;
  const [epsilon, own, seed] = ["epsilon", "own", "seed"].map((name) => Number(asked.get(name))) as [number, number, number];
  const label = (id: number) => visible(vocabularyLabel(target.tokenizer, id));
  const [steps, right, random] = [stepsOf(explanation), idsOf(explanation.target), uniform(seed)];
  const draws = right.map(random);
  const isOwn = draws.map((draw, t) => t > 0 && draw < own / 100);
  const reads = right.map((id, t) => (isOwn[t] ? argmax((steps[t - 1] as (typeof steps)[0]).logProbs) : id));
  const { trace, source, table, output } = explanation;
  const second = siteOf(own ? tracedPass(model, idsOf(source), reads, table) : trace, "output.log_probs");
  const bars = steps.map(({ logProbs, expected: { id } }) => [...new Set([id, ...topIds(logProbs, SHOWN)])].slice(0, SHOWN));
  const forced = steps.map(({ logProbs, expected: { id } }) => -(logProbs[id] as number));
  const mixed = output.map(({ id }, t) => -(row(second, t)[id] as number));
  const spread = steps.map(({ logProbs }) => logProbs.reduce((sum, log) => sum + log, 0) / logProbs.length);
  if (![...forced, ...mixed, ...(epsilon ? spread : [])].every(Number.isFinite)) throw lacking(scene, "sentence_loss");
  const correct = labelsOf(explanation.target.tokens);
  const about = {
    read: reads.map((id, t) => (id === right[t] ? correct[t] : label(id))),
    right: reads.map((id, t) => (id === right[t] ? "" : correct[t])),
    own: isOwn,
    write: labelsOf(output),
    predicts: output.map((_, t) => label(argmax(row(second, t)))),
    bars: bars.map((ids) => ids.map(label)),
    size: size(second, -1),
    typed: explanation.given,
    ...{ epsilon, share: own, seed },
  };
  const shares = steps.map(({ logProbs }, t) => (bars[t] as number[]).map((id) => Math.exp(logProbs[id] as number)));
  return pack(
    { forced: doubles(forced), mixed: doubles(mixed), spread: doubles(spread), draws: doubles(draws), shares: doubles(shares) },
    about,
  );
}

/** Cross attention A, the penalty W of guided attention (Tachibana et al. 2018), and A·W, as in pages/training/guided.py. */
export function guided(scene: Scene, asked: URLSearchParams) {
  const width = Number(asked.get("width"));
  const { shape, data } = stacked(scene, "cross", "weights");
  const [rows = 0, columns = 0] = shape.slice(-2);
  const cost = Float32Array.from({ length: rows * columns }, (_, at) => {
    const apart = (Math.floor(at / columns) + 1) / rows - ((at % columns) + 1) / columns;
    return 1 - Math.exp(-(apart ** 2) / (2 * (width / 100) ** 2));
  });
  const paid = data.map((weight, at) => weight * (cost[at % cost.length] as number));
  const by = ["layer", "head"];
  const numbers = {
    weights: { by, values: { shape, data } },
    cost: { by: [], values: { shape: [rows, columns], data: cost } },
    paid: { by, values: { shape, data: paid } },
  };
  return tokenMaps(scene, "cross", numbers, { width, beside: asked.get("beside") });
}
