// The tree of hypotheses, as `beam_tree` in pages/decoding/data.py.

import { fill } from "../../payload";
import { changesOf, search } from "../analysis/search";
import { endsOf, maxSteps } from "../config";
import { type BeamStep, type Hypothesis, lengthPenalty } from "../decoding/beam";
import { idsOf } from "../tokenizer/base";
import { visible } from "../tokenizer/text";
import { floats, integers, pack, type Scene, namesOf } from "./view";

const PRUNED = 8; // pruned candidates of a step, the best ones
const FATES = ["pruned", "kept", "finished"];

export function beamTree(scene: Scene, asked: URLSearchParams) {
  const [size = 0, alpha = 0, nBest = 0] = ["size", "alpha", "n_best"].map((name) => Number(asked.get(name)));
  const settings = { size, length_penalty: alpha, n_best: nBest, early_stop: asked.get("early") === "on" };
  const found = search(scene, scene.explanation, settings);
  if (!found) throw new Error(fill(scene.words("app.answers").lacking, { view: "beam_tree" }));
  const { steps, hypotheses, best, greedy, forced, parts, ahead, pruned } = found;
  const { tokenizer } = scene.target;
  const [rows, numbers, nodes, others]: [number[][], number[][], Map<string, number>, number[]] = [[], [], new Map(), []];
  for (const [index, step] of steps.entries()) {
    const [parents, sent] = [steps[index - 1]?.live.map(({ ids }) => ids) ?? [[]], certainCandidates(step)];
    others.push(forced.has(index) ? 0 : parents.length * tokenizer.vocab.length - sent.length);
    for (const [rank, { parent, token, fate, log_prob, total, score }] of sent.entries()) {
      const before = parents[parent] ?? [];
      nodes.set([...before, token].join(), rows.length);
      rows.push([index, rank, nodes.get(before.join()) ?? -1, token, FATES.indexOf(fate)]);
      numbers.push([log_prob, total, score]);
    }
  }
  const column = (at: number) => integers(rows.map((row) => row[at] as number));
  const fates = { shape: [rows.length], data: Uint8Array.from(rows, (row) => row[4] as number) };
  const tensors = {
    step: column(0),
    rank: column(1),
    parent: column(2),
    token: column(3),
    fate: fates,
    numbers: floats(numbers, [numbers.length, 3]),
  };
  const ids = [...new Set(rows.map((row) => row[3] as number))].sort((a, b) => a - b);
  const nodesOf = (hypothesis: Hypothesis) =>
    hypothesis.ids.flatMap((_, step) => nodes.get(hypothesis.ids.slice(0, step + 1).join()) ?? []);
  const isGreedy = (one: Hypothesis) => one.ids.join() === greedy.ids.join();
  const listed = hypotheses.some(isGreedy) ? hypotheses : [...hypotheses, greedy];
  const about = {
    steps: steps.length,
    size,
    alpha,
    others,
    best: nodesOf(best),
    greedy: nodesOf(greedy),
    forced: [...forced.keys()].filter((index) => index < steps.length),
    marks: { parts, ahead, pruned },
    endings: listed.map((one) => ({
      text: visible(tokenizer.decode(one.ended ? one.ids.slice(0, -1) : one.ids)),
      score: one.scores.at(-1) ?? 0,
      total: one.totals.at(-1) ?? 0,
      length: one.ids.length,
      log_probs: one.log_probs,
      penalty: lengthPenalty(one.ids.length, alpha),
      ended: one.ended,
      greedy: isGreedy(one),
      listed: hypotheses.some(({ ids }) => ids.join() === one.ids.join()),
    })),
    labels: Object.fromEntries(ids.map((id) => [id, visible(tokenizer.tokenText(id))])),
    blanks: ids.filter((id) => tokenizer.startsWord(id)),
    ends: endsOf(scene.model.config),
    specials: namesOf(scene.model.config, tokenizer),
  };
  return pack(tensors, about);
}

// A step's candidates as long as no token that is not one could be better: one of a parent's other tokens may still beat the last
// candidates of other parents.
function certainCandidates({ candidates }: BeamStep) {
  const least = new Map(candidates.map(({ parent, total }) => [parent, total])); // each parent's last candidate
  const bound = Math.max(...least.values());
  let pruned = 0;
  return candidates.filter(({ fate, total }) => {
    if (fate !== "pruned") return true;
    pruned += Number(total >= bound);
    return total >= bound && pruned <= PRUNED;
  });
}

/** The limits of a decoding, as `decoding_limits` in pages/decoding/data.py. */
export function decodingLimits(scene: Scene) {
  const { model, explanation, target } = scene;
  const { forced, most = 0 } = changesOf(scene, explanation);
  const read = idsOf(explanation.source).filter((id) => id !== model.config.pad_id).length;
  return pack(
    {},
    {
      stops: most < maxSteps(model.config, read) ? most : 0,
      typed: explanation.given,
      forced: Array.from(forced, ([step, token]) => [visible(target.tokenizer.tokenText(token)), step + 1]),
    },
  );
}
