// The scores of the source words, as `source_words` in pages/why/source_words.py; no integrated gradients, which need a backward pass.

import { predictionDifference } from "../analysis/erasure";
import { logitAttribution } from "../analysis/logits";
import { groups } from "../analysis/words";
import { visible } from "../tokenizer/text";
import { labelsOf } from "./tokens";
import { allKnown, doubles, pack, type Scene } from "./view";

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
      losses: doubles(shape, losses),
      gradients: doubles(shape, Array<number>(losses.length).fill(Number.NaN)),
      keys: doubles(shape, keys),
      numbers: doubles(
        [output.length, 4],
        logits.flatMap((logit) => [logit, Number.NaN, Number.NaN, Number.NaN]),
      ),
    },
    {
      words: labels.map(visible),
      count: positions.filter(([first = 0]) => source.tokens[first]?.word !== null).length,
      written: labelsOf(output),
      gradients: Number(asked.get("gradients")),
      texts: { ...texts.word_bars, ...texts.needed, between: words("joined").list, covered: words("app.frame").covered },
    },
  );
}
