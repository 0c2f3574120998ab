// The answers of the page Why, as in pages/why/: the logit lens, the sum of a logit, word alignment, the scores of the source words.

import { type LogitAttribution, logitAttribution, logitLens, slice } from "../analysis/logits";
import { layersOf, attentionAt } from "../config";
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
const NONE = -1;
const WRITERS = ["masked", "cross", "ffn"];

/** The token that a step's is compared with: this one or, without one or where it is written, the most probable other one. */
const rivalOf = ({ logProbs, expected }: Step, against: number) =>
  against === NONE || against === expected.id ? (topIds(logProbs, 2).find((id) => id !== expected.id) ?? 0) : against;

export function lensOfSteps({ model, explanation, target }: Scene, asked: URLSearchParams) {
  const against = Number(asked.get("against"));
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
      against,
    },
  );
}

export function logitSums({ model, explanation, target, words }: Scene, asked: URLSearchParams) {
  const [of, kind, against] = [asked.get("of") ?? "", asked.get("kind") ?? "", Number(asked.get("against"))];
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

const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);

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
