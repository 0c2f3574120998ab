// The computation of a block other than a weight matrix, for one token: rows of vectors with the operations between them, all numbers
// from the trace, and the arithmetic of one dimension. In names and signs "^{…}" is a superscript and "_{…}" a subscript.

import { nth } from "../../web/src/payload";
import { fill, grouped, minus, numeral } from "../kit/numbers";
import { ATTENTION_OF, partOf } from "../kit/operations";
import type { Overview, Kind, Stack, Token } from "../overview/data";
import type { Given } from "./scene";

/** A row of numbers. short: a shorter name; limit: the end of the colour scale; isPositive: no number is negative; heads: one line per
 * head; veils: dims all heads but one; weight: its share of the width. */
interface Vector {
  id: string;
  name: string;
  values: Float32Array;
  lines: number;
  exact: boolean;
  short?: string;
  limit?: number;
  ink?: string;
  isPositive?: boolean;
  heads?: boolean;
  veils?: boolean;
  weight?: number;
}

export type Term = Vector & { limit: number };

export type Operation = { sign: string };

type Item = Vector | Operation;
export type Row = { items: (Term | Operation)[]; isShared: boolean };

/** dim: the dimension whose arithmetic is shown first; table: whether the softmax follows. */
export type Content = { title: string; rows: Row[]; line(dim: number): string; dim?: number; table?: boolean };

type Computation = Omit<Content, "rows"> & { rows: Item[][] };
type Say = (name: string, values?: object) => string;

const SUBLAYER: Record<Kind, string> = { self: "encoder_self_attn", masked: "decoder_self_attn", cross: "decoder_cross_attn" };
const SCALE_INSIDE = 0.98; // share of a row's numbers within its colour scale
const MAKERS: Record<string, (scene: Given, token: Token) => Computation> = {
  embedding,
  memory,
  softmax,
  ffn: feedForward,
  qkv: projections,
  out: heads,
};

// token: whose numbers are shown; guessed: hides where it attends most.
export function contentOf(scene: Given, token: Token): Content {
  const [maker = ""] = scene.block.split("_").slice(-1);
  const computation = (MAKERS[maker] as (typeof MAKERS)[string])(scene, token);
  const rows = computation.rows.map(withLimits);
  // a vector in two rows has the colour scale of the row in which it is added
  const termsOf = (some: Row[]) => some.flatMap(({ items }) => items).filter(isTerm);
  const shared = new Map(termsOf(rows.filter(({ isShared }) => isShared)).map(({ id, limit }) => [id, limit]));
  for (const term of termsOf(rows.filter(({ isShared }) => !isShared))) term.limit = shared.get(term.id) ?? term.limit;
  return { ...computation, rows };
}

export const isTerm = <One extends Vector>(item: One | Operation): item is One => "values" in item;

// Gives vectors that are added, and q, k and v, one diverging scale; otherwise each has its own.
function withLimits(items: Item[]): Row {
  const isShared = !items.some((item) => !isTerm(item) && item.sign.includes("→"));
  const shared = limitOf(items.filter(isTerm<Vector>).filter(({ limit }) => !limit));
  const limited = (item: Vector) => ({ ...item, limit: item.limit || (isShared ? shared : limitOf([item])) });
  return { items: items.map((item) => (isTerm(item) ? limited(item) : item)), isShared };
}

export function limitOf(terms: { values: Float32Array }[]) {
  const all = terms.flatMap(({ values }) => Array.from(values, Math.abs));
  return all.sort((a, b) => a - b)[Math.floor(all.length * SCALE_INSIDE)] || 1;
}

const op = (sign: string) => ({ sign });

// Fills the texts of overview.terms with the values of a block.
const speaker =
  ({ texts, data, view }: Given, more: object): Say =>
  (name, values = {}) =>
    fill(texts.terms[name] ?? "", {
      layer: view.layer + 1,
      layers: data.layers,
      heads: data.heads,
      head: view.head + 1,
      dims: grouped(data.dims),
      units: grouped(data.units),
      width: data.dims / data.heads,
      ...more,
      ...values,
    });

// A vector of d_model numbers, by its name in the payload.
function vectorOf({ data }: Given, name: string, ...at: number[]): Vector {
  const [values, exact] = [data.vector(name, ...at), data.exact(name)];
  return { id: `${name} ${at}`, name: "", values, lines: data.heads, exact };
}

// The vectors of all heads for one token, side by side.
function headsOf({ data, view }: Given, kind: Kind, site: "q" | "k" | "v" | "mix", at: number): Vector {
  const attention = data.attention[kind];
  const values = new Float32Array(data.dims);
  for (let head = 0; head < data.heads; head += 1) values.set(attention.vector(site, view.layer, head, at), head * attention.width);
  const exact = (site === "q" || site === "k") && attention.exactVectors; // the others are sent as float16
  return { id: `${kind} ${site} ${view.layer} ${at}`, name: "", values, lines: data.heads, heads: true, exact };
}

// A dimension of a vector in its reliable digits; with its equals sign; or as a summand.
const written = ({ values, exact }: Vector, dim: number) => numeral(nth(values, dim), exact).replace("≈ ", "");
const plus = (term: Vector, dim: number) => written(term, dim).replace(/^−.*/, "($&)");
const equals = (term: Vector, dim: number, same = term.exact) => `${same ? "=" : "≈"} ${written(term, dim)}`;
// A sum with its equals sign: "≈" if the terms as written add up to a different last digit.
const sums = (sum: Vector, terms: Vector[], dim: number) => {
  const numberOf = (term: Vector) => Number(written(term, dim).replace("−", "-").replaceAll(",", ""));
  const total = minus(terms.reduce((all, term) => all + numberOf(term), 0));
  return equals(sum, dim, sum.exact && total === written(sum, dim));
};

function embedding(scene: Given, { side, index }: Token): Computation {
  const { data } = scene;
  const root = Math.sqrt(data.dims);
  const isNormed = Boolean(data.summed);
  const words = { token: data[side][index], position: index, root: Number(root.toPrecision(4)) };
  const say = speaker(scene, { ...words, normed: isNormed ? scene.texts.terms.what_normed : "" });
  const term = (part: string, name: string) => ({ ...vectorOf(scene, `${side}_${part}`, index), name: say(name) });
  const [row, scaled, wave] = [term("lookup", "lookup"), term("embedding", "embedding"), term("positions", "position")];
  const x = isNormed ? term("summed", "sum") : term("input", "x");
  const line = (dim: number) =>
    say(data.scaled ? "line_embedding" : "line_embedding_bare", {
      number: dim + 1,
      row: written(row, dim),
      embedding: written(scaled, dim),
      scaled: equals(scaled, dim),
      position: plus(wave, dim),
      x: sums(x, [scaled, wave], dim),
    });
  const end = isNormed ? [op(say("norm")), term("input", "x")] : [];
  return {
    title: say(data.scaled ? "what_embedding" : "what_embedding_bare"),
    rows: [
      [row, ...(data.scaled ? [op(say("times_root")), scaled] : [])],
      [scaled, op("+"), wave, op("="), x, ...end],
    ],
    line,
  };
}

function projections(scene: Given, { index, key = 0, guessed }: Token): Computation {
  const { data, view, theme } = scene;
  const kind = kindOf(scene);
  const isCross = kind === "cross";
  const [queries, keys] = [data.queries[kind], data.keys[kind]];
  const say = speaker(scene, { token: queries[index], key: keys[key] });
  const name = SUBLAYER[kind];
  const before = { ...vectorOf(scene, `${name}_before`, view.layer, index), name: say("x") };
  const normed = { ...vectorOf(scene, `${name}_norm`, view.layer, index), name: say("y"), short: say("y_short") };
  const isPre = data.norm === "pre";
  const memory = { ...vectorOf(scene, "memory", key), name: say("memory_of"), short: say("memory_sign") };
  const from = isPre ? [before, op(say("norm")), normed] : [before];
  const make = (site: "q" | "k" | "v") => {
    const isRead = site === "q" || !isCross;
    const names = { y: isRead ? (isPre ? "y" : "x") : say("memory_sign") };
    return {
      ...headsOf(scene, kind, site, site === "q" ? index : key),
      name: say(`make_${site}`, names),
      ink: theme[`${site}_text`],
      veils: true,
    };
  };
  const [q, k, v] = [make("q"), make("k"), make("v")];
  const line = (dim: number) => say("line_qkv", { ...placeOf(data, dim), q: equals(q, dim), k: equals(k, dim), v: equals(v, dim) });
  const cross = guessed ? "what_qkv_guess" : "what_qkv_cross";
  const title = say(isCross ? cross : isPre ? "what_qkv" : "what_qkv_post");
  return { title, rows: [isCross ? [...from, op(""), memory] : from, [q, k, v]], line, dim: view.head * (data.dims / data.heads) };
}

const kindOf = ({ block }: Given) => ATTENTION_OF[partOf(block)] as Kind;

function heads(scene: Given, { index }: Token): Computation {
  const { data, view, theme } = scene;
  const kind = kindOf(scene);
  const say = speaker(scene, { token: data.queries[kind][index] });
  const mixes = { ...headsOf(scene, kind, "mix", index), name: say("mixes"), ink: theme.output_text };
  const out = { ...vectorOf(scene, `${SUBLAYER[kind]}_out`, view.layer, index), name: say("out") };
  const added = addition(scene, SUBLAYER[kind], index, out, say);
  return { title: say("what_out"), rows: [[mixes, op(say("times_o")), out], added.items], line: added.line };
}

function feedForward(scene: Given, { index }: Token): Computation {
  const { block, data, view } = scene;
  const stack = block === "ffn" ? "decoder" : "encoder";
  const name = `${stack}_ffn`;
  const isPre = data.norm === "pre";
  const firing = grouped(data.firing(stack, view.layer, index));
  const activation = { relu: "ReLU", gelu: "GELU", swish: "swish" }[data.config.activation];
  const isSmooth = activation !== "ReLU"; // then hardly any unit is exactly 0, and some are negative
  const say = speaker(scene, { token: data[stack === "decoder" ? "target" : "source"][index], firing, activation });
  const reads = isPre
    ? { ...vectorOf(scene, `${name}_norm`, view.layer, index), name: say("normed"), short: say("y_short") }
    : { ...vectorOf(scene, `${name}_before`, view.layer, index), name: say("x") };
  const hidden = {
    ...vectorOf(scene, `${name}_hidden`, view.layer, index),
    name: say(isSmooth ? "hidden_smooth" : "hidden"),
    short: say("hidden_short"),
    limit: data.limits[`${name}_hidden`] ?? 1,
    isPositive: !isSmooth,
    weight: 1.9,
  };
  const out = { ...vectorOf(scene, `${name}_out`, view.layer, index), name: say("out_ffn") };
  const added = addition(scene, name, index, out, say);
  const first = [reads, op(say("times_1")), hidden, op(say("times_2")), out];
  return { title: say(isSmooth ? "what_ffn_smooth" : "what_ffn"), rows: [first, added.items], line: added.line };
}

// x + the sub-layer's output: the stream after it.
function addition(scene: Given, name: string, index: number, out: Vector, say: Say) {
  const { data, view } = scene;
  const isPre = data.norm === "pre";
  const at = (part: string) => vectorOf(scene, `${name}_${part}`, view.layer, index);
  const x = { ...at("before"), name: say("x") };
  const sum = { ...at("sum"), name: say(isPre ? "next_x" : "sum") };
  const added = data.edited(name) ? [out, op(say("edited")), sum] : [x, op("+"), out, op("="), sum];
  const items = isPre ? added : [...added, op(say("norm")), { ...at("norm"), name: say("next_x") }];
  const line = (dim: number) =>
    say(data.edited(name) ? "line_edited" : "line_add", {
      number: dim + 1,
      x: written(x, dim),
      out: plus(out, dim),
      sum: data.edited(name) ? equals(sum, dim) : sums(sum, [x, out], dim),
    });
  return { items, line };
}

// The last LayerNorm of a stack, if it has one.
function ending(scene: Given, stack: Stack, index: number, name: string, say: Say) {
  const { data } = scene;
  const last = {
    ...vectorOf(scene, `${stack}_stream`, data.depth[stack] - 1, index),
    name: say("x_last", { layers: data.depth[stack] }),
  };
  const short = name === "states" ? say("y_short") : say(name);
  const end = { ...vectorOf(scene, name, index), name: say(name), short };
  const items = data.final_norm[stack] ? [last, op(say("norm")), end] : [end];
  const line = (dim: number) => say("line_one", { number: dim + 1, name: end.name, value: equals(end, dim) });
  return { items, line };
}

function memory(scene: Given, { index }: Token): Computation {
  const say = speaker(scene, { token: scene.data.source[index] });
  const { items, line } = ending(scene, "encoder", index, "memory", say);
  return { title: say(scene.data.final_norm.encoder ? "what_memory" : "what_memory_post"), rows: [items], line };
}

function softmax(scene: Given): Computation {
  const { data, view } = scene;
  const matrix = scene.texts.terms[`output_${data.matrix}`];
  const say = speaker(scene, { token: data.target[view.step], vocabulary: grouped(data.vocabulary), matrix });
  const { items } = ending(scene, "decoder", view.step, "states", say);
  const suffix = data.bias ? "_bias" : ""; // some models add a bias for each token
  return {
    title: say(`what_softmax${suffix}`),
    rows: [[...items, op(say(`times_${data.matrix === "tied" ? "e" : "u"}${suffix}`))]],
    line: () => "",
    table: true,
  };
}

// A dimension as "head 2, number 5".
function placeOf({ dims, heads: count }: Overview, dim: number) {
  const width = dims / count;
  return { of_head: Math.floor(dim / width) + 1, number: (dim % width) + 1 };
}
