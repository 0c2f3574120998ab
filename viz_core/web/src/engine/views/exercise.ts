// The exercise on the card of a talk's view, as in viz_core/app/exercises.py and viz_core/analysis/exercises.py.

import { grouped, minus, percent } from "../../../../browser/kit/numbers";
import { fill, greatestOf, nth, sum } from "../../payload";
import { search } from "../analysis/search";
import { moments } from "../blocks";
import { attentionAt, layersOf } from "../config";
import { readEdits } from "../edits";
import { explain } from "../explain";
import { dot, row } from "../tensor";
import { visible } from "../tokenizer/text";
import { maskOf } from "./attention";
import { layerNormInput, passOf } from "./residual_stream";
import { describe, patternShares } from "./shell";
import { enumerated, labelsOf, namesOf, pack, type Scene, siteOf, stepsOf, labelOf } from "./view";

/** The key of a computed exercise, see `Computed` in Python. */
type Key = {
  value: number;
  slips: Record<string, number>;
  given?: Record<string, string | number>;
  counted?: boolean;
  share?: boolean;
};
type Place = { scene: Scene; labels: string[]; token: number; step: number; layer: number; head: number };

const COMPUTED: Record<string, (at: Place) => Key> = {
  tokens({ scene: { explanation, model }, labels }) {
    const [{ tokens, words }, { d_model }] = [explanation.source, model.config];
    const special = tokens.filter(({ word }) => word === null).length;
    const [all, own] = [labels.length, labels.length - special];
    const slips = { without_end: own * d_model, words: words.length * d_model, tokens: all };
    return { value: all * d_model, slips, given: { tokens: own, more: special, all, d_model }, counted: true };
  },
  scaled_embedding({ scene, labels, token }) {
    const { d_model } = scene.model.config;
    const [stored, value] = ["lookup", "embedding"].map((site) => nth(rowOf(scene, `source.${site}`, token), 0)) as [
      number,
      number,
    ];
    const root = Math.sqrt(d_model);
    const slips = { stored, by_d_model: stored * d_model, divided: stored / root, sign: -value };
    return { value, slips, given: { token: nth(labels, token), stored, d_model, root } };
  },
  position({ scene, labels }) {
    const place = Math.min(3, labels.length - 1);
    const slips = { degrees: Math.sin((place * Math.PI) / 180), cosine: Math.cos(place) };
    return { value: nth(rowOf(scene, "source.positions", place), 0), slips, given: { position: place, token: nth(labels, place) } };
  },
  query_weights({ scene: { model } }) {
    const { d_model, n_heads: heads } = model.config;
    const d_k = d_model / heads;
    const slips = { all_heads: d_model * d_model, all_three: 3 * d_model * d_k, square: d_k * d_k };
    return { value: d_model * d_k, slips, given: { d_model, heads, d_k }, counted: true };
  },
  scaled_score(at) {
    const d_k = at.scene.model.config.d_model / at.scene.model.config.n_heads;
    const { query, key, score, scaled } = cellOf(at, "scores");
    const slips = { score, by_d_k: score / d_k, times: score * Math.sqrt(d_k) };
    return { value: scaled, slips, given: { query, key, score, d_k, root: Math.sqrt(d_k) } };
  },
  softmax(at) {
    const { query, key, scaled, weight, exp, total, row } = cellOf(at, "weights");
    const slips = { without_e: scaled / sum(row), exp, inverse: total / exp, equal: 1 / row.length };
    return { value: weight, slips, given: { query, key, scaled, exp, total }, share: true };
  },
  masked_cells({ scene }) {
    const { shape, data } = maskOf(scene, "masked");
    const rows = nth(shape, 0);
    const slips = { all: rows * rows, with_diagonal: (rows * (rows + 1)) / 2, both_sides: rows * (rows - 1) };
    return { value: rows * rows - sum(data), slips, given: { rows, all: rows * rows, off: rows * (rows - 1) }, counted: true };
  },
  layer_norm({ scene, labels, token, layer }) {
    const { config, weights } = scene.model;
    const input = rowOf(scene, layerNormInput(config, "encoder", layer, "self_attn"), token);
    const { mean, divisor } = moments(input, config);
    const standards = Float64Array.from(input, (x) => (x - mean) / divisor);
    const dim = greatestOf(standards.map(Math.abs));
    const [x, standard] = [nth(input, dim), nth(standards, dim)];
    const learned = (name: string) => nth(weights.get(`encoder.layers.${layer}.add_self_attn.norm.${name}`).data, dim);
    const [gamma, beta] = [learned("gamma"), learned("beta")];
    const slips = { standard, without_mean: (gamma * x) / divisor + beta, without_beta: gamma * standard };
    const given = { token: nth(labels, token), dim: dim + 1, x, mean, deviation: divisor, gamma, beta, standard };
    return { value: nth(rowOf(scene, `encoder.${layer}.norm_self_attn`, token), dim), slips, given };
  },
  relu({ scene, labels, token, layer }) {
    const { x, hidden, w1, b1 } = passOf(scene, "encoder", layer);
    const products = Array.from(b1.data, (_, unit) => dot(row(x, token), row(w1, unit)));
    const unit = greatestOf(products.map((product, at) => -product - nth(b1.data, at)));
    const [product, bias] = [nth(products, unit), nth(b1.data, unit)];
    const before = product + bias;
    const given = { token: nth(labels, token), unit: unit + 1, product, bias, before };
    return { value: nth(row(hidden, token), unit), slips: { before, sign: -before }, given };
  },
  loss({ scene, step }) {
    const { logProbs, expected } = nth(stepsOf(scene.explanation), step);
    const log = nth(logProbs, expected.id);
    const slips = { log10: -log / Math.LN10, log2: -log / Math.LN2, rest: 1 - Math.exp(log), sign: log };
    return { value: -log, slips, given: { token: labelOf(expected), step: step + 1, p: Math.exp(log) } };
  },
};

const rowOf = ({ explanation }: Scene, site: string, index: number) => row(siteOf(explanation.trace, site), index);

/** The cell of the token's row of self-attention where this site is largest; row: its scaled scores. */
function cellOf({ scene, labels, token, layer, head }: Place, site: "scores" | "weights") {
  const of = (name: string) => rowOf(scene, `${attentionAt("self", layer)}.${name}`, head * labels.length + token);
  const key = greatestOf(of(site));
  const mask = maskOf(scene, "self").data;
  const isOpen = (at: number) => nth(mask, token * labels.length + at) > 0;
  const powers = Array.from(of("masked"), (entering, at) => (isOpen(at) ? Math.exp(entering) : 0));
  const [score, scaled, weight] = ["scores", "scaled", "weights"].map((name) => nth(of(name), key)) as [number, number, number];
  const row = Array.from(of("scaled")).filter((_, at) => isOpen(at));
  return {
    query: nth(labels, token),
    key: nth(labels, key),
    score,
    scaled,
    weight,
    exp: nth(powers, key),
    total: sum(powers),
    row,
  };
}

/** The exercise and its answer. asked: `name` of the exercise; `step`, `layer`, `head`; `draft`, the edits of the page What if. */
export function exercise(scene: Scene, asked: URLSearchParams) {
  const name = asked.get("name") ?? "";
  const labels = labelsOf(scene.explanation.source.tokens);
  const place = (field: string, most: number) => Math.min(Number(asked.get(field)), most - 1);
  const at = {
    step: place("step", scene.explanation.output.length),
    layer: place("layer", layersOf(scene.model.config, "encoder")),
    head: place("head", scene.model.config.n_heads),
  };
  const found: Record<string, () => object> = {
    previous_token_head: () => head(scene),
    beam_beats_greedy: () => beam(scene),
    losing_edit: () => edit(scene, at.step, asked.get("draft") ?? ""),
    predicted: () => ({ kind: "predicted", asks: scene.words("app.exercises").predicted }),
  };
  const compute = COMPUTED[name];
  const about = compute
    ? computed(scene, name, () => compute({ scene, labels, token: Math.min(1, labels.length - 1), ...at }), at)
    : found[name]?.();
  return pack({}, about ?? {});
}

function computed({ words, model: { config }, explanation, target }: Scene, name: string, compute: () => Key, at: object) {
  const [all, texts] = [words("app.exercises"), words("app.exercises")[name]];
  const isLacking: Record<string, boolean> = {
    scaled_embedding: !config.scaled_embeddings,
    position: config.positions !== "interleaved",
    relu: config.activation !== "relu",
  };
  if (isLacking[name]) return { kind: "state", asks: all.other_model, solved: false, says: "" };
  const { value, slips, given, counted = false, share = false } = compute();
  const shown = counted || value === 0 ? grouped(Math.round(value)) : share ? percent(value) : minus(value);
  const entries = Object.entries({ ...given, value: shown }).map(([part, each]) => [part, written(each)]);
  const specials = explanation.source.tokens.filter(({ word }) => word === null);
  const values = { ...Object.fromEntries(entries), special: enumerated(words, labelsOf(specials)) };
  const names = namesOf(config, target.tokenizer);
  const say = (text: string) =>
    fill(
      text.replace(/⟨(?:s|\/s|pad|unk)⟩/g, (ours) => names[ours] ?? ours),
      values,
    );
  const isKnown = Number.isFinite(value);
  return {
    kind: "computed",
    asks: isKnown ? say(texts.asks) : all.unknown,
    value: isKnown ? value : null,
    tolerance: isKnown ? (counted ? 1e-6 : Math.max(0.01 * Math.abs(value), 0.0051)) : 0,
    share,
    counted,
    slips: Object.entries(slips).flatMap(([slip, off]) => (Number.isFinite(off) ? [[off, say(texts.slips[slip])]] : [])),
    working: texts.working.map(say),
    at,
  };
}

/** Writes a number with enough digits to compute the answer from it. */
function written(value: string | number) {
  if (typeof value === "string") return visible(value);
  if (Number.isInteger(value)) return grouped(value).replace("-", "−");
  const isPlain = Math.abs(value) >= 1e-4 && Math.abs(value) < 1e6;
  return isPlain ? String(Number(value.toPrecision(6))).replace("-", "−") : minus(value);
}

const CLEAR = 0.5; // mean share of attention to the previous token, or less if no head reaches it

function head(scene: Scene) {
  const { asks, says } = scene.words("app.exercises").previous_token_head;
  const shares = patternShares(scene, "self");
  const least = Math.min(CLEAR, Math.max(...shares.flat()));
  return { kind: "head", asks: fill(asks, { least: percent(least) }), shares, least, says };
}

function beam(scene: Scene) {
  const texts = scene.words("app.exercises");
  const { asks, ...replies } = texts.beam_beats_greedy;
  const found = search(scene, scene.explanation, { size: 4, length_penalty: 0.6, n_best: 3, early_stop: true });
  if (!found) return { kind: "state", asks, solved: false, says: texts.unknown };
  const { best, greedy } = found;
  const [score, other] = [best, greedy].map(({ scores }) => scores.at(-1) ?? 0) as [number, number];
  const isSame = best.ids.join() === greedy.ids.join();
  const solved = !isSame && score > other;
  const text = (ids: number[]) => visible(scene.target.tokenizer.read(ids, scene.target.split).text);
  const values = { best: text(best.ids), greedy: text(greedy.ids), score: written(score), greedy_score: written(other) };
  return { kind: "state", asks, solved, says: fill(replies[solved ? "solved" : isSame ? "same" : "worse"], values) };
}

function edit(scene: Scene, at: number, draft: string) {
  const texts = scene.words("app.exercises").losing_edit;
  const { text } = scene.explanation.source;
  const trained = explain(scene, text);
  const step = Math.min(at, trained.output.length - 1);
  const lost = nth(trained.output, step);
  const values = { token: visible(labelOf(lost)), step: step + 1 };
  const question = { kind: "state", asks: fill(texts.asks, values), at: { step: at } };
  const table = readEdits(draft);
  if (!describe(table, scene.words).length) return { ...question, solved: false, says: fill(texts.none, values) };
  const { output, text: changed } = explain(scene, text, "", draft);
  const isTyped = table.words.force.size + table.words.swap.size > 0;
  const solved = !isTyped && output.length > 1 && output.every(({ id }) => id !== lost.id);
  const says = fill(texts[isTyped ? "typed" : solved ? "solved" : "kept"], { ...values, text: visible(changed) });
  return { ...question, solved, says };
}
