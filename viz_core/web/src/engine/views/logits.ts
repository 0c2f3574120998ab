// The answers of the page Why, as in pages/why/: the logit lens, the sum of a logit, word alignment, the scores of the source words.

import { type LogitAttribution, logitAttribution, logitLens, slice } from "../analysis/logits";
import { percent } from "../../../../browser/kit/numbers";
import { fill, sum } from "../../payload";
import { layersOf, attentionAt } from "../config";
import { forcedToken } from "../explain";
import { row } from "../tensor";
import { visible } from "../tokenizer/text";
import {
  type Step,
  labelOf,
  labelled,
  rankOf,
  stepsOf,
  topIds,
  vocabularyLabel,
  allKnown,
  doubles,
  integers,
  pack,
  type Scene,
  floats,
  siteOf,
  labelsOf,
} from "./view";
import { predictionDifference } from "../analysis/importance";
import { groups } from "../analysis/words";

const TOP = 3; // tokens that a row of the lens lists
const RIVALS = 3; // tokens of each step that are offered for comparison
const WRITERS = ["masked", "cross", "ffn"];

// The word that others are compared with, as in pages/why/controls.py.

const others = ({ logProbs, expected }: Step, count: number) =>
  topIds(logProbs, count + 1)
    .filter((id) => id !== expected.id)
    .slice(0, count);

/** The offered tokens by label: RIVALS of each step, in the order of the steps; each with the step at which it is most probable. */
function runnersUp({ explanation, target: { tokenizer } }: Scene) {
  const offered = new Map<string, { id: number; step: number; share: number }>();
  for (const [step, each] of stepsOf(explanation).entries())
    for (const id of others(each, RIVALS)) {
      const [label, share] = [vocabularyLabel(tokenizer, id), Math.exp(each.logProbs[id] as number)];
      if (!((offered.get(label)?.share ?? -1) >= share)) offered.set(label, { id, step, share });
    }
  return new Map([...offered].sort(([, one], [, other]) => one.step - other.step));
}

/** The options of the control, and what to say if the picked text is not a token. */
export function rivals(scene: Scene, picked: string) {
  const { words, target } = scene;
  const options = [...runnersUp(scene)].map(([word, { share, step }]) => {
    const written = Number.isFinite(share) ? percent(share) : "–";
    return [word, fill(words("why").rival, { word, share: written, step: step + 1 })];
  });
  const rival = rivalIn(scene, picked);
  const shown = rival && !rival.exact && vocabularyLabel(target.tokenizer, rival.id);
  return { options, notices: shown ? [{ code: "no_rival", values: { typed: picked.slice(0, 40), shown } }] : [] };
}

function rivalIn(scene: Scene, picked: string) {
  if (!picked.trim()) return null;
  const offer = runnersUp(scene).get(picked);
  return offer ? { id: offer.id, exact: true } : forcedToken(picked, scene.target.tokenizer);
}

const askedRival = (scene: Scene, asked: URLSearchParams) => rivalIn(scene, asked.get("against") ?? "")?.id ?? null;

/** The token that a step's is compared with: this one or, without one or where it is written, the most probable other one. */
const rivalOf = (step: Step, against: number | null) =>
  against === null || against === step.expected.id ? (others(step, 1)[0] ?? 0) : against;

export function lensOfSteps(scene: Scene, asked: URLSearchParams) {
  const { model, explanation, target } = scene;
  const against = askedRival(scene, asked);
  const steps = stepsOf(explanation);
  const own = steps.map((step) => [step.expected.id, rivalOf(step, against)]);
  const rows = steps.map((_, step) => {
    const lens = logitLens(model, explanation.trace, step);
    return Array.from({ length: layersOf(model.config, "decoder") + 1 }, (_, layer) => {
      const logProbs = row(lens, layer);
      const isKnown = logProbs.every(Number.isFinite);
      const at = (id: number) => (isKnown ? (logProbs[id] as number) : Number.NaN);
      const top = topIds(logProbs, TOP);
      const both = own[step] ?? [];
      return {
        top,
        shares: top.map((id) => Math.exp(at(id))),
        log_probs: both.map(at),
        ranks: both.map((id) => rankOf(logProbs, id)),
      };
    });
  });
  const each = (of: keyof (typeof rows)[number][number]) => rows.map((all) => all.map((one) => one[of]));
  const top = each("top");
  return pack(
    {
      top: integers(top),
      shares: doubles(each("shares")),
      words: integers(own),
      log_probs: doubles(each("log_probs")),
      ranks: integers(each("ranks")),
    },
    {
      labels: labelled(target.tokenizer, [...top.flat(2), ...own.flat()]),
      written: steps.map(({ expected }) => visible(labelOf(expected))),
      against: against ?? -1,
    },
  );
}

export function logitSums(scene: Scene, asked: URLSearchParams) {
  const { model, explanation, target, words } = scene;
  const [of, kind, against] = [asked.get("of") ?? "", asked.get("kind") ?? "", askedRival(scene, asked)];
  const texts = words("why");
  const [steps, layers] = [stepsOf(explanation), layersOf(model.config, "decoder")];
  const isLead = of === "difference";
  const rivals = isLead ? steps.map((step) => rivalOf(step, against)) : [];
  const sums = steps.map(({ expected }, step) => logitAttribution(model, explanation.trace, step, expected.id, rivals[step]));
  allKnown(
    texts,
    sums.flatMap(({ value, parts }) => [value, ...parts.map((part) => part.value)]),
  );
  const heads = sums.flatMap(({ parts }) => parts.filter(({ writer }) => writer === kind).map(({ value }) => value));
  return pack(
    {
      terms: doubles(sums.map((sum) => termsOf(sum, layers))),
      value: doubles(sums.map(({ value }) => value)),
      heads: doubles(heads, [sums.length, layers, model.config.n_heads]),
    },
    {
      written: steps.map(({ expected }) => visible(labelOf(expected))),
      rivals: rivals.map((id) => visible(vocabularyLabel(target.tokenizer, id))),
      same: steps.map(({ expected }) => expected.id === against),
      of,
      kind,
    },
  );
}

function termsOf({ parts }: LogitAttribution, layers: number): number[] {
  const of = (writer: string, at?: number) =>
    parts.reduce((sum, part) => (part.writer === writer && (at === undefined || part.layer === at) ? sum + part.value : sum), 0);
  const inner = Array.from({ length: layers }, (_, layer) => WRITERS.map((writer) => of(writer, layer))).flat();
  return [of("embedding"), of("positions"), ...inner, of("bias") + of("beta")];
}

// Word alignment by erasure and by attention, as `alignment` in pages/why/alignment.py.

const LEAST = 0.5; // nats

export function alignment({ model, explanation, words }: Scene, asked: URLSearchParams) {
  const { trace, source, target, output } = explanation;
  const texts = words("why");
  const read = groups(source);
  const written = groups({ ...target, tokens: output });
  const tokens = written.positions.filter(([first = 0]) => output[first]?.word !== null);
  const ofOutput = new Set(tokens.map(([first]) => first));
  const count = read.positions.filter(([first = 0]) => source.tokens[first]?.word !== null).length;
  const [layers, heads] = [layersOf(model.config, "decoder"), model.config.n_heads];
  const difference = predictionDifference(model, explanation);
  const losses = tokens.flatMap((steps) => read.positions.map((_, at) => sum(steps.map((step) => difference[step]?.[at] ?? 0))));
  const attention = Array.from({ length: layers }, (_, layer) => siteOf(trace, `${attentionAt("cross", layer)}.weights`)).flatMap(
    (weights) =>
      Array.from({ length: heads }, (_, head) =>
        tokens.flatMap((steps) =>
          read.positions.map(
            (keys) => sum(steps.map((step) => sum(keys.map((key) => row(slice(weights, head), step)[key] ?? 0)))) / steps.length,
          ),
        ),
      ).flat(),
  );
  allKnown(texts, losses, attention);
  return pack(
    {
      losses: doubles(losses, [tokens.length, read.positions.length]),
      attention: floats(attention, [layers, heads, tokens.length, read.positions.length]),
    },
    {
      by: asked.get("by"),
      source: read.labels.slice(0, count).map(visible),
      output: written.labels.filter((_, word) => ofOutput.has(written.positions[word]?.[0])).map(visible),
      tokens,
      least: LEAST,
    },
  );
}

// The scores of the source words, as `source_words` in pages/why/source_words.py; no integrated gradients, which need a backward pass.

export function sourceWords({ model, explanation, words }: Scene, asked: URLSearchParams) {
  const { trace, source, output } = explanation;
  const { labels, positions } = groups(source);
  const texts = words("why");
  const parts = output.map(({ id }, step) => logitAttribution(model, trace, step, id));
  const keys = parts.flatMap(({ by_key: all }) => {
    const cross = Object.entries(all).flatMap(([name, heads]) => (name.startsWith("cross") ? heads : []));
    return positions.map((tokens) =>
      cross.reduce((sum, head) => sum + tokens.reduce((own, at) => own + (head[at] as number), 0), 0),
    );
  });
  const losses = predictionDifference(model, explanation).flat();
  const logits = parts.map(({ value }) => value);
  allKnown(texts, losses, keys, logits);
  const shape = [output.length, positions.length];
  return pack(
    {
      losses: doubles(losses, shape),
      gradients: doubles(Array<number>(losses.length).fill(Number.NaN), shape),
      keys: doubles(keys, shape),
      numbers: doubles(logits.map((logit) => [logit, Number.NaN, Number.NaN, Number.NaN])),
    },
    {
      words: labels.map(visible),
      count: positions.filter(([first = 0]) => source.tokens[first]?.word !== null).length,
      written: labelsOf(output),
      gradients: Number(asked.get("gradients")),
    },
  );
}
