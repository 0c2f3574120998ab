// The attention payload: all layers and heads of one attention of one sentence (head -1 is the mean of the heads), and what
// of it is shown in which order: tokens or words, with or without special tokens, keys by position or by weight.

import { readTensors, slice } from "../kit/payload.js";
import { guessedFrom } from "../kit/store.js";

export const MEAN = -1;
const ROUND_ENDS = [1, 1.5, 2, 3, 4, 5, 6, 8, 10, 20]; // the last for what division makes of a power of ten

// Whether a stage shows weights; the others show signed scores.
const isWeights = (stage) => stage === "softmax" || stage === "mix";

export const readAttention = (payload) => attentionOf(readTensors(payload));

export function attentionOf({ about, tensors }) {
  const [layers, heads, rows, columns] = tensors.weights.shape;
  const width = tensors.q.shape[3];
  const root = Math.fround(Math.sqrt(width)); // d_k and √d_k
  const mask = tensors.mask.data;
  const cache = new Map();

  const once = (key, make) => {
    if (!cache.has(key)) cache.set(key, make());
    return cache.get(key);
  };

  // (rows × columns) at a stage: the very numbers of the trace; NaN where the mask forbids, from its stage on.
  const values = (layer, head, stage) =>
    once(`${layer} ${head} ${isWeights(stage) ? "weights" : stage}`, () => {
      if (head === MEAN) return meanOf(layer, stage);
      if (stage === "scores") return slice(tensors.scores, layer, head);
      const found = recorded(isWeights(stage) ? "weights" : stage, layer, head);
      if (stage !== "scaled") for (let at = 0; at < found.length; at += 1) if (!mask[at]) found[at] = NaN;
      return found;
    });

  // Scaled and masked are the scores divided, unless an edit of the model changed them: then they were sent.
  const recorded = (stage, layer, head) => {
    const sent = tensors[{ scaled: "scaled", mask: "masked" }[stage] ?? stage];
    return sent
      ? Float32Array.from(slice(sent, layer, head))
      : slice(tensors.scores, layer, head).map((score) => score / root);
  };

  const meanOf = (layer, stage) => {
    const sum = new Float64Array(rows * columns);
    for (let head = 0; head < heads; head += 1)
      values(layer, head, stage).forEach((value, at) => {
        sum[at] += value;
      });
    return Float32Array.from(sum, (total) => total / heads);
  };

  // The end of the colours for these scores: their largest size, rounded up to a 5. Raw and scaled share it.
  const limit = (layer, head) =>
    once(`limit ${layer} ${head}`, () => {
      const largest = values(layer, head, "scores").reduce((most, score) => Math.max(most, Math.abs(score)), 0);
      return 5 * Math.max(1, Math.ceil(largest / 5));
    });

  // The end of the colours of q, k and their products: one for all of a head, so that it stays while one steps. A few
  // products are so much larger than the rest that with an end for them nothing else could be seen: what is beyond has
  // the last colour.
  const end = (layer, head) =>
    once(`end ${layer} ${head}`, () => {
      const [q, k] = ["q", "k"].map((site) => slice(tensors[site], layer, head));
      const squares = [q, k].reduce((sum, vectors) => vectors.reduce((total, x) => total + x * x, sum), 0);
      return roundEnd(3 * Math.sqrt(squares / (q.length + k.length)));
    });

  return {
    about,
    layers,
    heads,
    rows,
    columns,
    width,
    root,
    values,
    raw: (...at) => slice(tensors.weights, ...at), // of a layer and a head, or of one query: 0 where the mask forbids
    limit,
    vector: (site, layer, head, at) => slice(tensors[site], layer, head, at),
    first: (site, layer, head) => slice(tensors[`${site}_first`], layer, head), // of v or mix the first dimension, exact
    end,
    // an edit of the model took it out
    out: (layer, head) => about.out.some(([one, other]) => one === layer && other === head),
    open: (query, key) => mask[query * columns + key] === 1,
    exact: tensors.weights.exact && tensors.scores.exact,
    exactVectors: tensors.q.exact && tensors.k.exact,
  };
}

// The next round number.
function roundEnd(size) {
  const unit = 10 ** Math.floor(Math.log10(Math.max(size, 1e-6)));
  return Number((unit * ROUND_ENDS.find((end) => end * unit >= size)).toPrecision(2));
}

// All numbers of one cell on its way through the softmax; exp and total are derived, as
// `viz_core.analysis.attention` derives them.
export function cellOf(data, { layer, head, query, key }) {
  const row = (stage) => data.values(layer, head, stage).subarray(query * data.columns, (query + 1) * data.columns);
  const [scores, scaled, enters, weights] = ["scores", "scaled", "mask", "softmax"].map(row);
  const open = data.open(query, key);
  const total = enters.reduce((sum, score, other) => (data.open(query, other) ? sum + Math.exp(score) : sum), 0);
  return {
    score: scores[key],
    scaled: scaled[key],
    exp: Math.exp(open ? enters[key] : scaled[key]),
    total,
    weight: Number.isNaN(weights[key]) ? 0 : weights[key],
    open,
  };
}

// Which heads a view shows: [[layer, head], …]; one picture or a grid of them.
export function headsOf(data, { show, layer, head }) {
  const all = (of) => Array.from({ length: data.heads }, (_, each) => [of, each]);
  if (show === "one") return [[layer, head]];
  if (show === "mean") return [[layer, MEAN]];
  if (show === "layer") return all(layer);
  return Array.from({ length: data.layers }, (_, each) => all(each)).flat();
}

// How a view is drawn: "matrix", "lines", "neurons" or, of many heads, "grid". A neuron is of one head.
export function formOf({ show, form }) {
  if (show === "layer" || show === "model") return "grid";
  return form === "neurons" && show !== "one" ? "matrix" : form;
}

// The view where two stages stand side by side, which leaves no room for neurons.
export function withoutNeurons(view) {
  return view.form === "neurons" ? { ...view, form: "matrix" } : view;
}

// Words, log and order mean something for weights only; an order of its own for each head would make a grid
// incomparable. Neurons are of one head, and q and k are of tokens.
export function possible(view) {
  const weights = isWeights(view.stage) && formOf(view) !== "neurons";
  const one = view.show === "one";
  return { neurons: one, words: weights, log: weights, order: one || view.show === "mean" };
}

// rows, columns: [{ label, note, place, tokens }]: what there is to say of it, its place in the sentence, from 1, and the
// positions of the tokens it stands for; of a row of the decoder also what it reads. row: of the current step, in the
// encoder of the token that one looks at, or -1; there, thereColumns: how many exist at this step.
export function selectionOf(data, view) {
  const { about } = data;
  const may = possible(view);
  const words = view.unit === "words" && may.words;
  const hide = view.specials === "hide";
  const hidden = hide && about.hide_rows ? about.special_rows : [];
  const rows = side(about.rows, about.row_notes, about.row_words, words, hidden);
  const columns = side(about.columns, about.column_notes, about.column_words, words, hide ? about.special_columns : []);
  if (about.steps) for (const row of rows) asWritten(row, about, view, words);
  if (about.kind === "masked" && !about.grows) hideGuessed(columns, view);
  const arrived = (all) => all.filter(({ tokens }) => tokens[0] <= view.step).length;
  const asked = about.kind === "cross" && view.predict === "source";
  const selection = {
    words,
    stage: view.stage,
    weights: isWeights(view.stage) && !data.signed,
    signed: Boolean(data.signed),
    log: view.scale === "log" && may.log,
    rows,
    columns,
    row: rows.findIndex(({ tokens }) => tokens.includes(about.steps ? view.step : view.token)),
    there: about.steps ? arrived(rows) : rows.length,
    thereColumns: about.grows ? arrived(columns) : columns.length,
    growing: about.grows, // keys are written too: columns after the current step do not exist yet
    guessing: asked || (about.kind === "cross" && view.lecture), // what later rows look at will be asked, or may be
    covered: asked && !view.revealed, // what the current row looks at is still asked
    key: [view.stage, words, words ? rows.map(({ tokens }) => tokens.length) : "", hide, view.order].join("|"),
    // columns that must fit: where two stand side by side, in both
    cells: Math.max(columns.length, data.widest?.(view) ?? 0),
  };
  if (view.order === "weight" && may.order && !selection.covered) sortColumns(data, selection, view);
  return selection;
}

function side(labels, notes, { labels: wordLabels, tokens }, words, hidden) {
  const all = words
    ? wordLabels.map((label, at) => ({ label, place: at + 1, tokens: tokens[at] }))
    : labels.map((label, at) => ({ label, note: notes[at], place: at + 1, tokens: [at] }));
  return all.filter((one) => !hidden.includes(one.tokens[0]));
}

// A row of the decoder: what it reads and writes, so far as it is neither to be guessed nor still to be written.
function asWritten(row, { writes }, view, words) {
  const secret = guessedFrom(view);
  const last = row.tokens.at(-1);
  if (words && row.tokens[0] <= view.step) row.tokens = row.tokens.filter((token) => token <= view.step);
  if (last > secret) Object.assign(row, { label: "?", note: "" });
  if (view.lecture && row.tokens[0] > view.step) {
    Object.assign(row, { label: "…", note: "" }); // on stage nothing is read before it is written
    return;
  }
  if (words || !writes) return;
  row.reads = row.label;
  row.label += ` → ${last >= secret ? "?" : writes[last]}`;
}

// Keys that are there already but are still to be guessed: without the mask a row looks at them.
function hideGuessed(columns, view) {
  for (const column of columns)
    if (column.tokens.at(-1) > guessedFrom(view)) Object.assign(column, { label: "?", note: "" });
}

// Keys by what the current row gives them, the most first; keys that are not there yet stay last.
function sortColumns(data, selection, view) {
  const [layer, head] = headsOf(data, view)[0];
  const at = Math.max(0, focusRow(selection, view));
  const { columns } = selection;
  const weights = valuesOf(data, { ...selection, stage: "softmax" }, layer, head);
  const weight = (one) => weights[at * columns.length + one] || 0;
  const absent = (one) => selection.growing && columns[one].tokens[0] > view.step;
  const order = [...columns.keys()].sort((a, b) => absent(a) - absent(b) || weight(b) - weight(a) || a - b);
  selection.columns = order.map((one) => columns[one]);
  selection.key += `|${order}`;
}

// The row that is spoken of: the locked cell's where it exists, else the current step's, else the first.
export function focusRow(selection, { cell }) {
  const locked = cell ? selection.rows.findIndex(({ tokens }) => tokens.includes(cell[0])) : -1;
  return locked >= 0 && locked < selection.there ? locked : selection.row;
}

// (rows × columns) of one head as selected: summed over a word's key tokens, averaged over its query tokens (Clark et
// al. 2019, §4.1).
export function valuesOf(data, { rows, columns, stage, words }, layer, head) {
  const from = data.values(layer, head, stage);
  const values = new Float32Array(rows.length * columns.length);
  let at = 0;
  for (const { tokens: queries } of rows) {
    for (const { tokens: keys } of columns) {
      values[at] = words ? share(from, data.columns, queries, keys) : from[queries[0] * data.columns + keys[0]];
      at += 1;
    }
  }
  return values;
}

// From token values to those of a word and a word; NaN where all tokens are masked.
export function share(from, width, queries, keys) {
  let total = 0;
  let open = false;
  for (const query of queries) {
    for (const key of keys) {
      const value = from[query * width + key];
      if (Number.isNaN(value)) continue;
      total += value;
      open = true;
    }
  }
  return open ? total / queries.length : NaN;
}

// Row and column of a cell [query, key] of tokens; null where it is not shown or does not exist yet.
export function placeOf(selection, cell) {
  if (!cell) return null;
  const find = (all, token) => all.findIndex(({ tokens }) => tokens.includes(token));
  const [row, column] = [find(selection.rows, cell[0]), find(selection.columns, cell[1])];
  return row >= 0 && row < selection.there && column >= 0 && column < selection.thereColumns ? [row, column] : null;
}

// The column that a row of values gives most, or takes most from; the first of equals.
export function strongestIn(values, row, columns) {
  const size = (column) => Math.abs(values[row * columns + column] || 0);
  let best = 0;
  for (let column = 1; column < columns; column += 1) if (size(column) > size(best)) best = column;
  return best;
}
