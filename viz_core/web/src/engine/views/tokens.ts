// How tokens and steps are shown, as in viz_core/explain.py, words.py and analysis/next_token.py.

import type { Explanation } from "../explain";
import { row, topIds } from "../tensor";
import { SPACE, type Token, type Tokenizer } from "../tokenizer/base";
import { signsOf, visible } from "../tokenizer/text";
import { siteOf } from "./view";

export { topIds };

/** The label on an axis: a dot leads a token inside a word. */
export const labelOf = ({ first, text }: Token) => (first ? text : `·${text}`);

export const labelsOf = (tokens: readonly Token[]) => tokens.map((token) => visible(labelOf(token)));

/** The label of an entry of the vocabulary: a dot leads letters that continue a word; in a script without spaces, ▁ leads what follows one. */
export function vocabularyLabel(tokenizer: Tokenizer, id: number) {
  const text = tokenizer.tokenText(id);
  if (tokenizer.specials.has(id)) return text;
  const spaced = tokenizer.startsWord(id);
  if (/^[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]/.test(text)) return spaced ? SPACE + text : text;
  return !spaced && /^[\p{L}\p{N}]/u.test(text) ? `·${text}` : text;
}

/** The visible label of each of these entries. */
export const labelled = (tokenizer: Tokenizer, ids: Iterable<number>) =>
  Object.fromEntries(Array.from(new Set(ids), (id) => [id, visible(vocabularyLabel(tokenizer, id))]));

/** One step: what the decoder read, the token that it gives the greatest probability, the one that follows, and all ln p, (V,). */
export type Step = { read: Token; chosen: number; expected: Token; logProbs: Float32Array };

export function stepsOf({ trace, target, output }: Explanation): Step[] {
  const logProbs = siteOf(trace, "output.log_probs");
  return output.map((expected, index) => {
    const rowOf = row(logProbs, index);
    return { read: target.tokens[index] as Token, chosen: topIds(rowOf, 1)[0] ?? 0, expected, logProbs: rowOf };
  });
}

/** 1 for the most probable token. */
export const rankOf = (logProbs: Float32Array, id: number) =>
  1 + logProbs.reduce((above, value) => above + Number(value > (logProbs[id] as number)), 0);

/** The total probability of all tokens but these. */
export const restOf = (logProbs: Float32Array, ids: readonly number[]) =>
  logProbs.reduce((sum, value, id) => (ids.includes(id) ? sum : sum + Math.exp(value)), 0);

/** The translation cut at the starts of its tokens: the first n + 1 pieces are the text before token n. */
export function written({ text, output }: Explanation) {
  const [signs, starts] = [signsOf(text), output.map(({ start }) => start)];
  return [0, ...starts].map((start, index) => visible(signs.slice(start, starts[index] ?? signs.length).join("")));
}
