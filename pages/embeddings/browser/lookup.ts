// A one-hot vector times the embedding matrix: the rows around a token's, each beside its 0 or 1, and their sum at the bottom.

import { grouped, number, signed, escaped } from "../../../viz_core/browser/kit/numbers";
import { cssColour, inkOn, ladder, pixel } from "../../../viz_core/browser/kit/svg_pen";
import { READABLE, widestText } from "../../../viz_core/browser/kit/pen";
import { type Figure, type View, figure, walkOf } from "../../../viz_core/web/src/figure";
import { inkOf, isWithin, type Mark } from "../../../viz_core/web/src/marks/mark";
import { box, path, text } from "../../../viz_core/web/src/marks/shapes";
import { entryAt, nth, sliceOf, readPayload } from "../../../viz_core/web/src/payload";
import { textsIn } from "../../../viz_core/web/src/texts";
import { range } from "../../../viz_core/web/src/marks/scale";

const APART = 1.7; // rows from one to the next if others are left out between them, instead of 1
// px
const ROW = { most: 56, read: 42, whole: 30 }; // height of a row: at most; at least, and at least where all must be visible
const [COLUMN, LABEL] = [66, 230]; // width of a cell, at least, and of the row names, at most
const [HEAD, FOOT] = [38, 56]; // above and below the cells
const [PAD, FRAME] = [3, 4]; // between two cells; stroke around the picked row and the sum
const [NUMBER, SIGN] = [READABLE + 2, READABLE + 4]; // font size of a number, and of 0, 1 and ×
// In cells: start of the matrix, right of the one-hot vector; gap before the last dimension; room for the arrow.
const [MATRIX, GAP, RIGHT] = [1.6, 0.7, 0.45];
const DIGITS = { cell: 3, reading: 4 };

type About = { side: string; tokens: string[]; labels: string[]; entries: number; d_model: number };
type Lookup = ReturnType<typeof read>;
type Shown = ReturnType<typeof lookupAt>;
/** at: its position from the top, in rows; isAfter: whether rows are left out above it. */
type Row = { id: number; label: string; values: number[]; at: number; isAfter: boolean };
type Spot = { id: number; label: string; dim: number; value: number };

/** payload: from pages/embeddings/data.py. */
function read(payload: Uint8Array) {
  const { about, tensors, say } = readPayload<About, "ids" | "rows" | "columns" | "windows" | "picked">(
    payload,
    textsIn("embeddings.figure"),
  );
  const idOf = (index: number) => tensors.ids.data[index] ?? 0;
  const windows = range(tensors.picked.shape[0] ?? 0).map((token) => {
    const own = tensors.picked.data[token] ?? 0;
    const rows: Row[] = [];
    for (const index of sliceOf(tensors.windows, token)) {
      const before = rows.at(-1);
      const isAfter = before !== undefined && idOf(index) > before.id + 1;
      const place = before ? before.at + (isAfter ? APART : 1) : 0;
      const values = Array.from(sliceOf(tensors.rows, index));
      if (index >= 0) rows.push({ id: idOf(index), label: about.labels[index] ?? "", values, at: place, isAfter });
    }
    return { rows, picked: rows.find(({ id }) => id === idOf(own)) ?? entryAt(rows, 0), sum: (rows.at(-1)?.at ?? 0) + APART };
  });
  const names = about.labels.map((label, index) => nameOf({ id: idOf(index), label }));
  return { ...about, windows, names, columns: Array.from(tensors.columns.data), say };
}

function lookupAt(lookup: Lookup, view: View) {
  const index = Math.min(view[walkOf(lookup.side)], lookup.windows.length - 1);
  return { ...lookup, ...entryAt(lookup.windows, index), index };
}

const nameOf = ({ id, label }: Pick<Row, "id" | "label">) => `${id}  ${label}`;
const wordsOf = ({ entries, d_model, picked, say }: Shown) => ({
  matrix: say("matrix", { entries: grouped(entries), d_model }),
  sum: say("sum", { id: picked.id }),
});

export const lookup: Figure<Lookup, Shown, Spot> = {
  heights: [300, 700],
  shared: "lookup",
  read,
  at: lookupAt,
  // Everything but the rows has the same place for all tokens of the sentence.
  scene(shown, { w, h, whole }) {
    const { rows, picked, sum, windows, names, columns, entries, d_model, say } = shown;
    const words = wordsOf(shown);
    const left = Math.min(widestText([...names, say("sum", { id: entries })]), LABEL) + 14;
    const gap = columns.length < d_model ? GAP : 0;
    const last = columns.length - 1;
    const column = Math.max(COLUMN, (w - left) / (MATRIX + columns.length + gap + RIGHT));
    const tall = Math.max(...windows.map((window) => window.sum)) + 1;
    const row = Math.max(whole ? ROW.whole : ROW.read, Math.min(ROW.most, (h - HEAD - FOOT) / tall));
    const x = (index: number) => left + (MATRIX + index + (index === last ? gap : 0)) * column;
    const y = (place: number) => HEAD + place * row;
    const across = (x(0) + x(last) + column) / 2;
    const limit = Math.max(...rows.flatMap(({ values }) => values.map(Math.abs))) || 1;
    const foot = y(sum) + row;
    const line = (source: Row, place: number) => numbers(source, columns, { x, y: y(place), column, row, limit });
    const centred = { align: "center" as const };
    const named = (name: string, place: number, isBold: boolean, ink = "ink") =>
      text(name, left - 12, y(place) + row / 2, { align: "right", bold: isBold, ink, max: LABEL });
    const framed = (place: number) =>
      box({ x: x(0) - 1, y: y(place) - 1, w: x(last) + column + 2 - x(0), h: row + 2 }, { stroke: "accent", width: FRAME });
    const [from, to, end] = [y(picked.at) + row / 2, y(sum) + row / 2, x(last) + column + 1];
    const out = end + 0.28 * column;
    return {
      width: Math.floor(out + (RIGHT - 0.28) * column),
      height: Math.ceil(y(tall) + FOOT),
      marks: [
        text(say("one_hot"), left + column / 2, HEAD / 2 - 2, centred),
        text(words.matrix, across, HEAD / 2 - 2, centred),
        ...rows.flatMap((entry) => {
          const [isPicked, middle] = [entry === picked, y(entry.at) + row / 2];
          const area = { x: left, y: y(entry.at) + PAD / 2, w: column, h: row - PAD };
          const skipped = [left + column / 2, across].map((place) =>
            text("⋮", place, y(entry.at - 0.35), { ...centred, ink: "quiet", size: SIGN }),
          );
          return [
            named(nameOf(entry), entry.at, isPicked, isPicked ? "accent" : "ink"),
            box(area, { stroke: "line", width: 1, ...(isPicked && { fill: "accent" }) }),
            text(isPicked ? "1" : "0", left + column / 2, middle, {
              ...centred,
              size: SIGN,
              bold: isPicked,
              ink: isPicked ? "surface" : "ink",
            }),
            text("×", left + 1.3 * column, middle, { ...centred, size: SIGN }),
            line(entry, entry.at),
            ...(entry.isAfter ? skipped : []),
          ];
        }),
        named(words.sum, sum, true),
        line(picked, sum),
        framed(picked.at),
        framed(sum),
        path(`M${end} ${from}H${out}M${out} ${from}V${to}M${out} ${to}H${end + 12}`, { stroke: "accent", width: 3 }),
        path(`M${end + 3} ${to}l13 -8v16z`, { fill: "accent" }),
        ...columns.map((dim, index) => text(String(dim + 1), x(index) + column / 2, foot + 18, centred)),
        text(say("dimension"), across, foot + 42, centred),
      ],
    };
  },
  reading({ picked, say }, spot) {
    if (!spot) return say("hint", picked);
    return say("cell", { ...spot, dim: spot.dim + 1, value: signed(spot.value, DIGITS.reading) });
  },
  values(shown) {
    const { picked, columns, d_model } = shown;
    const values = picked.values.map((value): string => signed(value, DIGITS.cell));
    if (columns.length < d_model) values.splice(-1, 0, "…");
    return { ...wordsOf(shown), label: picked.label, values: values.join(", ") };
  },
  below: ({ tokens, index, picked, entries, d_model }) => ({
    token: escaped(nth(tokens, index)),
    id: String(picked.id),
    first: number(nth(picked.values, 0)),
    second: number(nth(picked.values, 1)),
    last: number(entryAt(picked.values, picked.values.length - 1)),
    entries: grouped(entries),
    final: String(entries - 1),
    products: grouped(entries * d_model),
  }),
  keys({ side, index, windows }) {
    const to = (next: number) => ({ [walkOf(side)]: next });
    const along = { at: index, count: windows.length, to };
    return { across: along, down: along };
  },
};

type Place = { x: (index: number) => number; y: number; column: number; row: number; limit: number };

/** The numbers of a row on their colours; each can be hovered. */
function numbers({ id, label, values }: Row, columns: number[], { x, y, column, row, limit }: Place): Mark<Spot> {
  const last = values.length - 1;
  const between = (x(last) + x(last - 1) + column) / 2;
  const areaOf = (index: number) => ({ x: x(index) + PAD / 2, y: y + PAD / 2, w: column - PAD, h: row - PAD });
  return {
    draw(pen, theme) {
      const style = { size: NUMBER, align: "center" as const };
      values.forEach((value, index) => {
        const ground = pixel(ladder(theme.diverging), (value / limit + 1) / 2);
        const area = areaOf(index);
        pen.box(area.x, area.y, area.w, area.h, { fill: cssColour(ground) });
        pen.text(signed(value, DIGITS.cell), x(index) + column / 2, y + row / 2, { ...style, fill: inkOn(ground) });
      });
      if (between > x(last - 1) + column) pen.text("…", between, y + row / 2, { ...style, fill: inkOf(theme, "quiet") });
    },
    under(px, py) {
      const index = values.findIndex((_, cell) => isWithin(areaOf(cell), px, py));
      return index < 0 ? null : { id, label, dim: columns[index] ?? 0, value: values[index] ?? Number.NaN };
    },
  };
}

export const mountLookup = figure(lookup);
