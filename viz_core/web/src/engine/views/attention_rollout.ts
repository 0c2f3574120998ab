// The weights that attention rollout multiplies, as `attention_rollout` in pages/why/rollout.py.

import { meanAttention } from "../analysis/rollout";
import { groups } from "../analysis/words";
import { visible } from "../tokenizer/text";
import { labelsOf } from "./tokens";
import { allKnown, doubles, type Kind, pack, type Scene } from "./view";

const KINDS: readonly Kind[] = ["self", "masked", "cross"];

export function attentionRollout({ model: { config }, explanation, words }: Scene) {
  const { trace, source, target, output } = explanation;
  const { labels, positions } = groups(source);
  const texts = words("why");
  const weights = KINDS.map((kind) => {
    const layers = meanAttention(trace, kind, config);
    return [kind, doubles([layers.length, layers[0]?.length ?? 0, layers[0]?.[0]?.length ?? 0], layers.flat(2))] as const;
  });
  allKnown(texts, ...weights.map(([, { data }]) => data));
  return pack(Object.fromEntries(weights), {
    words: labels.map(visible),
    owners: positions.flatMap((tokens, word) => tokens.map(() => word)),
    target: labelsOf(target.tokens),
    written: labelsOf(output),
    texts: { flow: { ...texts.flow, covered: words("app.frame").covered }, bars: { ...texts.word_bars, ...texts.word_shares } },
  });
}
