// A few vectors of one token, such as its embedding, its position and their sum: their first numbers as a table, and below it all
// dimensions as strips. Two lines mark the part of the strips that the table enlarges.

import { type Figure, type View, figure, walkOf } from "../../web/src/figure";
import { columnNumbers, rowLabels } from "../../web/src/marks/axis";
import { cellNumbers, cells, titleAndLegend } from "../../web/src/marks/cells";
import { box, rules, text } from "../../web/src/marks/shapes";
import { nth, sliceOf, readTensors, speaker } from "../../web/src/payload";
import { textsIn } from "../../web/src/texts";
import { forAudience } from "../kit/save";
import { clauses, decimals, endOfScale, signed } from "../kit/numbers";
import { READABLE, widestText } from "../kit/pen";
import { type Band, type Pair, band, range } from "../../web/src/marks/scale";

// px
const LEAST_WIDTH = 700;
const [HEAD, BETWEEN, FOOT] = [28, 60, 56]; // dimensions of the table; gap; dimensions and title of the strips
const [CELL, STRIP] = [[40, 62] as const, [30, 52] as const]; // height, least and most
const GAP = 3;
const SHOWN = 8; // dimensions whose numbers are printed

/** kind: what the vectors of a token are; names: the keys of theirs. */
type About = { kind: keyof typeof SCALE; side: string; names: string[]; labels: string[] };
const SCALE = { scaled: 1, sum: 2 }; // the vector that sets the ends of a token's colours
export type Vectors = ReturnType<typeof read>;
type Spot = { part: "table" | "strips"; row: number; dim: number };

const words = textsIn("browser.vectors");

/** payload: with the vectors of every token. */
function read(payload: Uint8Array) {
  const { about, tensors } = readTensors<About, "vectors">(payload);
  const { kind, side, labels } = about;
  const [names, file] = [about.names.map((name) => words[kind][name] ?? ""), `${side}-${kind}`];
  return { names, labels, file, scale: SCALE[kind], walks: walkOf(side), vectors: tensors.vectors, say: speaker({ file }, words) };
}

function at({ vectors, scale: own, labels, ...rest }: Vectors, view: View) {
  const token = Math.min(view[rest.walks], labels.length - 1);
  const [limit, dims] = [endOf(sliceOf(vectors, token, own)), vectors.shape[2] ?? 0];
  const notes = rest.names.map((_, row) => rest.say("length", { value: Math.hypot(...sliceOf(vectors, token, row)).toFixed(2) }));
  const scale = { colours: "diverging" as const, domain: [-limit, limit] as const };
  const grid = { values: sliceOf(vectors, token), rows: rest.names.length, columns: dims, scale };
  return { ...rest, grid, dims, limit, notes, label: labels[token], lecture: view.lecture };
}

/** The largest number without its sign, rounded up to two significant digits. */
function endOf(vector: ArrayLike<number>) {
  const edge = Math.max(...Array.from(vector, Math.abs), 1e-6);
  const unit = 10 ** (Math.floor(Math.log10(edge)) - 1);
  return Math.ceil(edge / unit) * unit;
}

const vectorTable: Figure<Vectors, ReturnType<typeof at>, Spot> = {
  heights: [420, 640],
  shared: "vector_table",
  read,
  at,
  scene({ names, notes, grid, dims, limit }, { w, h }, hovered) {
    const width = Math.max(w, LEAST_WIDTH);
    const across = [widestText(names) + 14, width - widestText(notes, false) - 16] as const;
    const room = Math.max(h - HEAD - BETWEEN - FOOT, 0) / names.length;
    const rows = (top: number, share: number, [least, most]: Pair) =>
      band(names.length, [top, top + names.length * Math.min(most, Math.max(least, Math.floor(share * room)))]);
    const table = { x: band(Math.min(SHOWN, dims), across), y: rows(HEAD, 0.54, CELL) };
    const strips = { x: band(dims, across), y: rows(table.y.range[1] + BETWEEN, 0.46, STRIP) };
    const [from, to] = [table.y.range[1] + 2, strips.y.range[0] - 3];
    const foot = strips.y.range[1];
    const ends: [string, string] = [`≤ −${endOfScale(limit)}`, `≥ ${endOfScale(limit)}`];
    const name = (y: Band) => rowLabels(y, names, { x: across[0] - 8, align: "right" });
    const spot = (part: Spot["part"]) => (row: number, dim: number) => ({ part, row, dim });
    const pointed = hovered && { ...hovered, ...{ table, strips }[hovered.part] };
    return {
      width,
      height: foot + FOOT,
      marks: [
        name(table.y),
        name(strips.y),
        cells(table.x, table.y, grid, { gap: [GAP, GAP], datum: spot("table") }),
        cellNumbers(table.x, table.y, grid, signed, READABLE + 2, GAP),
        cells(strips.x, strips.y, grid, { gap: [0, 2 * GAP], datum: spot("strips") }),
        ...notes.map((note, row) => text(note, across[1] + 10, strips.y(row) - GAP)),
        ...range(table.x.count).map((dim) => text(String(dim + 1), table.x(dim), HEAD / 2, { align: "center" })),
        rules(
          [
            [across[0], from, across[0], to],
            [across[1] - GAP, from, strips.x.start(table.x.count), to],
          ],
          { stroke: "quiet", width: 1, dash: [2, 4] },
        ),
        columnNumbers(strips.x, 1, foot + 11),
        ...titleAndLegend(words.dimension, grid.scale, ends, across, foot + 40, width),
        pointed &&
          box(
            { x: pointed.x.start(pointed.dim), y: pointed.y.start(pointed.row), w: pointed.x.step, h: pointed.y.step - 2 * GAP },
            { stroke: "ink", width: 2 },
          ),
      ],
    };
  },
  reading({ names, grid, label, lecture, say }, spot) {
    if (!spot) return forAudience(say("of", { label }), { lecture });
    const value = decimals(nth(grid.values, spot.row * grid.columns + spot.dim), 4, 6);
    return say("number", { name: names[spot.row], dim: spot.dim + 1, value });
  },
  values: () => ({}),
  spoken({ names, notes, grid }) {
    const begins = (row: number) =>
      clauses(range(Math.min(4, grid.columns)).map((dim) => decimals(nth(grid.values, row * grid.columns + dim), 2, 4)));
    return [words.dimension, ...names.map((name, row) => `${name}: ${begins(row)}, … ${notes[row]}`)].join(". ");
  },
};

export const mountVectorTable = figure(vectorTable);
