// Word alignment by erasure and by attention, as `alignment` in pages/why/alignment.py.

import { predictionDifference } from "../analysis/erasure";
import { groups } from "../analysis/words";
import { slice } from "../analysis/logits";
import { attentionAt, layersOf } from "../config";
import { row } from "../tensor";
import { visible } from "../tokenizer/text";
import { allKnown, doubles, floats, pack, type Scene, siteOf } from "./view";

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
      losses: doubles([tokens.length, read.positions.length], losses),
      attention: floats([layers, heads, tokens.length, read.positions.length], attention),
    },
    {
      by: asked.get("by"),
      source: read.labels.slice(0, count).map(visible),
      output: written.labels.filter((_, word) => ofOutput.has(written.positions[word]?.[0])).map(visible),
      tokens,
      least: LEAST,
      texts: {
        lines: { ...texts.lines, covered: words("app.frame").covered },
        agreement: texts.agreement,
        head_of: texts.head_of,
        mean_of: texts.mean_of,
        between: words("joined").list,
      },
    },
  );
}

const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);
