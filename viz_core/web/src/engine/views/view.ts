// What a view is: a function of a model, a sentence and an address, as in viz_core/app/answers.py. Its answer is the same bytes. How it
// names texts, tokens and steps.

import { attentionAt, BLOCK, type Kind, layersOf, type ModelConfig, type Weights } from "../config";
import { finished } from "../decoding/reading";
import type { Explanation, Translator } from "../explain";
import { stack, type Tensor, row, topIds } from "../tensor";
import type { SiteName, Trace } from "../taps";
import type { StoredHeads } from "./heads";
import { fill } from "../../payload";
import { type Tokenizer, SPACE, type Token } from "../tokenizer/base";
import { signsOf, visible } from "../tokenizer/text";

export { BLOCK, type Kind, layersOf };

/** A table of the app's texts by name, such as `browser.next_token`, in the reader's language. */
// biome-ignore lint/suspicious/noExplicitAny: texts and tables of texts
export type Words = (name: string) => Record<string, any>;

/** name: of the model; languages: the codes of source and target, such as en and de; right: a second model or sentence;
 * heads: what was measured of the model's heads; gate: of its copy mechanism; sentences: our own, in the language of the source; others: models that are open. */
export type Scene = Translator & {
  name: string;
  explanation: Explanation;
  languages: readonly [string, string];
  words: Words;
  right?: Scene;
  heads?: StoredHeads | null;
  gate?: Weights | null;
  sentences: readonly string[];
  others: (model: string) => Translator;
};

/** asked: the parameters of the address. A view that takes long yields in between, maybe the share that is done. */
export type View = (scene: Scene, asked: URLSearchParams) => Uint8Array | Generator<unknown, Uint8Array>;

export function answerOf(view: View, scene: Scene, asked: URLSearchParams) {
  const made = view(scene, asked);
  return made instanceof Uint8Array ? made : finished(made);
}

/** The server's refusal of a view. */
export const lacking = ({ words }: Scene, view: string) => new Error(fill(words("app.answers").lacking, { view }));

/** An array as it is sent: float64, float32, int32 or uint8. */
export type Sent = { shape: readonly number[]; data: Float64Array | Float32Array | Int32Array | Uint8Array };

const DTYPES = { Float64Array: "F64", Float32Array: "F32", Int32Array: "I32", Uint8Array: "U8" };

/** Arrays with a description as safetensors, as `pack` in viz_core/browser/pack.py; every number is sent as it is. */
export function pack(tensors: Readonly<Record<string, Sent>>, about: object) {
  let end = 0;
  const header: Record<string, object> = { __metadata__: { about: JSON.stringify(about) } };
  for (const [name, { shape, data }] of Object.entries(tensors)) {
    const dtype = DTYPES[data.constructor.name as keyof typeof DTYPES];
    header[name] = { dtype, shape, data_offsets: [end, end + data.byteLength] };
    end += data.byteLength;
  }
  const json = new TextEncoder().encode(JSON.stringify(header));
  const bytes = new Uint8Array(8 + json.length + end);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(json.length), true);
  bytes.set(json, 8);
  let at = 8 + json.length;
  for (const { data } of Object.values(tensors)) {
    bytes.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), at);
    at += data.byteLength;
  }
  return bytes;
}

/** One site of an attention in all layers, (L, …). */
export function stacked({ model: { config }, explanation: { trace } }: Scene, kind: Kind, site: string) {
  const all = Array.from({ length: layersOf(config, BLOCK[kind][0]) }, (_, layer) => `${attentionAt(kind, layer)}.${site}`);
  return stack(all.map((each) => siteOf(trace, each)));
}

/** The numbers of a site. */
export function siteOf(trace: Trace, site: string): Tensor {
  const found = trace.get(site as SiteName);
  if (!found) throw new Error(`the pass has no site ${site}`);
  return found;
}

/** Numbers, or lists of lists of them, whose lengths are the shape unless it is given. */
type Nested = ArrayLike<number> | readonly Nested[];

const isOfLists = (numbers: Nested): numbers is readonly Nested[] => typeof numbers[0] === "object";
const flat = (numbers: Nested): ArrayLike<number> =>
  isOfLists(numbers) ? numbers.flatMap((each) => Array.from(flat(each))) : numbers;
const lengths = (numbers: Nested): readonly number[] =>
  isOfLists(numbers) ? [numbers.length, ...lengths(numbers[0] ?? [])] : [numbers.length];

const sent = <Data extends Sent["data"]>(make: { from(numbers: ArrayLike<number>): Data }) => {
  return (numbers: Nested, shape = lengths(numbers)): Sent => ({ shape, data: make.from(flat(numbers)) });
};
export const integers = sent(Int32Array);
export const floats = sent(Float32Array);
export const doubles = sent(Float64Array);

/** Raises the page's sentence about numbers that overflow, as an edited model's may. */
export function allKnown({ unknown }: ReturnType<Words>, ...numbers: readonly ArrayLike<number>[]) {
  if (!numbers.every((each) => Array.from(each).every(Number.isFinite))) throw new Error(unknown);
}

/** Words joined by the list separator of the reader's language. */
export const enumerated = (words: Words, parts: readonly string[]) => parts.join(words("joined").list);

// Our special tokens → this model's where they differ; a name that would need escaping in Markdown and formulas is left out.
export function namesOf({ bos_id, eos_id, pad_id, unk_id }: ModelConfig, tokenizer: Tokenizer) {
  const ids = { "⟨s⟩": bos_id, "⟨/s⟩": eos_id, "⟨pad⟩": pad_id, "⟨unk⟩": unk_id };
  const names = Object.entries(ids).flatMap(([ours, id]) => (id === null ? [] : [[ours, tokenizer.tokenText(id)] as const]));
  return Object.fromEntries(names.filter(([ours, name]) => name !== ours && /^[\p{L}\p{N}⟨⟩/ -]*$/u.test(name)));
}

// How tokens and steps are shown, as in viz_core/explain.py, words.py and analysis/next_token.py.

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
