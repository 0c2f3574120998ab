// Q, K, V: where they come from, and how one head makes one of them, X · W + b = Y, with the row of X, the column of W and the cell of Y
// that belong together framed. Each head's W is fetched separately and cached.

import { fetched, ofModel } from "../../../viz_core/browser/kit/data";
import { decimals } from "../../../viz_core/browser/kit/numbers";
import { READABLE, textWidth, widestText } from "../../../viz_core/browser/kit/pen";
import { guessedFrom } from "../../../viz_core/web/src/view";
import { type Figure, type Patch, type Room, type View, figure } from "../../../viz_core/web/src/figure";
import { uprightTitle, rowLabels } from "../../../viz_core/web/src/marks/axis";
import { type Grid, cells, frame, rowHeight, legend, scaleWidth } from "../../../viz_core/web/src/marks/cells";
import type { Mark } from "../../../viz_core/web/src/marks/mark";
import { box, place, text } from "../../../viz_core/web/src/marks/shapes";
import { type Tensor, entryAt, fill, nth, sliceOf, readPayload } from "../../../viz_core/web/src/payload";
import { textsIn } from "../../../viz_core/web/src/texts";
import { arithmetic, type Role, ROLES, SOURCES, sources } from "./sources";
import { type Band, band } from "../../../viz_core/web/src/marks/scale";

const TEXTS = textsIn("qkv.drawing");
const IDLE = 400; // ms after a step until neighbouring heads are fetched as well
// px
const LEAST_WIDTH = 860;
const [GAP, HEAD, FOOT] = [10, 30, 26]; // below the sources; matrix titles; a line below the matrices
const UPRIGHT = 24; // a vertical title
const LONGEST_LABEL = 180;
const ROWS = { least: 22, most: 56, smallest: 6, together: 680 };
const SHARES = { x: 0.44, w: 0.15, y: 0.41 }; // of the width without labels and signs
const SIGNS = { times: 36, plus: 74 }; // room for × and + b =

const MATRICES = ["x", "w", "y"] as const;
type Name = (typeof MATRICES)[number];
type About = {
  kind: string;
  role: Role;
  sides: [queries: string[], keys: string[]];
  norm: "pre" | "post";
};
type Qkv = ReturnType<typeof readQkv>;
export type Shown = ReturnType<typeof headAt>;
type Spot = { matrix: Name; row: number; column: number };

/** payload: from pages/qkv/data.py; address: where it was fetched. */
export function readQkv(payload: Uint8Array, _before: unknown, address: string) {
  const { about, tensors, say } = readPayload<About, "x" | "y" | "b" | "scores">(payload, TEXTS, textsIn("joined"));
  const own = originOf(about.kind, about.role);
  const walks: "step" | "token" = own === "decoder" ? "step" : "token";
  const tokens = about.sides[own === "memory" ? 1 : 0];
  const x = TEXTS.matrices[`${about.norm}_${own}`] ?? "";
  const titles = { x, w: TEXTS.title_w, y: fill(TEXTS.title_y, { role: about.role.toUpperCase() }) };
  const axes = { tokens: TEXTS.axes[own], model: TEXTS.axis_model, head: TEXTS.axis_head };
  return { ...about, titles, axes, walks, tokens, address, tensors, weights: new Map<string, Tensor["data"]>(), say, idle: 0 };
}

/** What a projection reads: a stack's stream, or the encoder's output. */
const originOf = (kind: string, role: Role) =>
  kind === "self" ? "encoder" : kind === "cross" && role !== "q" ? "memory" : "decoder";

/** One head. isKnown: whether its W has arrived; labels: the tokens, hidden where still to be guessed. */
export function headAt(qkv: Qkv, view: View) {
  const { tensors, weights, titles, say, walks, tokens, kind, sides, norm } = qkv;
  const [layers = 1, heads = 1] = tensors.y.shape;
  const [layer, head] = [Math.min(view.layer, layers - 1), Math.min(view.head, heads - 1)];
  const arrived = weights.get([layer, head].join());
  const x = sliceOf(tensors.x, Math.min(layer, (tensors.x.shape[0] ?? 1) - 1));
  const y = sliceOf(tensors.y, layer, head);
  const limit = Math.max(largest(x), largest(y)); // X and Y share a scale; W, with much smaller numbers, has its own
  const shape = [tensors.x.shape[2] ?? 0, tensors.y.shape[3] ?? 0];
  const w = arrived ?? new Float32Array((shape[0] ?? 0) * (shape[1] ?? 0)).fill(Number.NaN);
  const grids = { x: gridOf(tensors.x, x, limit), w: gridOf({ shape }, w, largest(w)), y: gridOf(tensors.y, y, limit) };
  // what the decoder reads at step n + 1 it wrote at step n
  const visible = (words: string[], isWritten: boolean) =>
    isWritten ? words.map((token, at) => (at > guessedFrom(view) ? say("hidden") : token)) : words;
  const origins = ROLES.map((role) => originOf(kind, role));
  const order = [...new Set(origins)];
  const read = (origin = "") => sides[origin === "memory" ? 1 : 0];
  const streams = order.map((origin) => ({
    name: [say(`streams.${norm}_${origin}`, { layer: layer + 1 }), `${read(origin).length} × ${shape[0]}`].join(say("list")),
    tokens: visible(read(origin), origin === "decoder"),
    stack: origin === "decoder" ? "decoder" : "encoder",
  }));
  const made = ROLES.map((role, at) => ({
    role,
    stream: order.indexOf(entryAt(origins, at)),
    result: `${role.toUpperCase()}   ${read(origins[at]).length} × ${shape[1]}`,
  }));
  return {
    ...qkv,
    ...grids,
    layer,
    head,
    bias: sliceOf(tensors.b, layer, head),
    isKnown: Boolean(arrived),
    titles: { ...titles, w: fill(titles.w, { head: head + 1 }) },
    sources: { streams, made },
    row: Math.min(view[walks], grids.x.rows - 1),
    query: Math.min(qkv.kind === "self" ? view.token : view.step, qkv.sides[0].length - 1),
    column: Math.min(view.dim ?? 0, grids.y.columns - 1),
    labels: visible(tokens, walks === "step"),
  };
}

function gridOf({ shape }: Pick<Tensor, "shape">, values: Tensor["data"], limit: number): Grid {
  const [rows = 0, columns = 0] = shape.slice(-2);
  return { values, rows, columns, scale: { colours: "diverging", domain: [-limit, limit] } };
}

function largest(values: Tensor["data"]): number {
  let most = 1e-9;
  for (const value of values) if (Number.isFinite(value)) most = Math.max(most, Math.abs(value));
  return most;
}

/** Fetches W of the heads at the given [layer, head]; arrived() is called after each. */
function bringWeights({ address, kind, role, tensors, weights }: Qkv, places: [number, number][], arrived: () => void) {
  const [layers = 0, heads = 0] = tensors.y.shape;
  for (const [layer, head] of places) {
    const name = [layer, head].join();
    const isThere = layer >= 0 && layer < layers && head >= 0 && head < heads;
    if (!isThere || weights.has(name)) continue;
    fetched(ofModel(address, "projection_weights", { kind, role, layer, head })).then((answer: unknown) => {
      if (!(answer instanceof Uint8Array) || weights.has(name)) return; // no server: the next step asks again
      weights.set(name, readPayload<object, "w">(answer).tensors.w.data);
      arrived();
    });
  }
}

/** The layout: the columns and rows of each matrix. */
export function layoutOf({ tokens, ...grids }: Shown, { w, h, whole }: Room) {
  const width = Math.max(w, LEAST_WIDTH);
  const labels = UPRIGHT + Math.min(widestText(tokens), LONGEST_LABEL) + 10;
  const room = width - labels - SIGNS.times - UPRIGHT - SIGNS.plus - 6;
  const top = SOURCES + GAP + HEAD;
  const { rows } = grids.x;
  const high = rows * Math.floor((h - top - 2 * FOOT - 4) / rows); // whole px per row
  const foot = top + rows * rowHeight(rows, high, whole, ROWS);
  const at = (left: number, name: Name) => ({
    x: band(grids[name].columns, [left, left + SHARES[name] * room]),
    y: band(grids[name].rows, [top, foot]),
  });
  const x = at(labels, "x");
  const weights = at(x.x.range[1] + SIGNS.times + UPRIGHT, "w");
  return { width, height: foot + 2 * FOOT + 4, labels, top, foot, x, w: weights, y: at(weights.x.range[1] + SIGNS.plus, "y") };
}

const qkvFigure: Figure<Qkv, Shown, Spot> = {
  heights: [420, 900],
  read: readQkv,
  at: headAt,
  shared: "qkv",
  bring(qkv, view, arrived) {
    const { layer, head, isKnown } = headAt(qkv, view);
    bringWeights(qkv, [[layer, head]], arrived);
    clearTimeout(qkv.idle);
    const beside: [number, number][] = [
      [layer + 1, head],
      [layer - 1, head],
      [layer, head + 1],
      [layer, head - 1],
    ];
    qkv.idle = Number(setTimeout(() => bringWeights(qkv, beside, arrived), IDLE));
    return isKnown;
  },
  scene(shown, room, hovered) {
    const { role, walks, titles, axes, labels, row, column } = shown;
    const layout = layoutOf(shown, room);
    const { width, height, top, foot } = layout;
    const ownInk = `${role}_text`;
    const held = { stroke: "accent", width: 3 };
    const middle = (top + foot) / 2;
    const [afterX, afterW, beforeY] = [layout.x.x.range[1], layout.w.x.range[1], layout.y.x.range[0]];
    return {
      width,
      height,
      marks: [
        sources(shown.sources, role, 2, width - 4),
        place({ x: UPRIGHT, y: top, w: layout.labels - UPRIGHT, h: foot - top }, (_, py) => ({
          matrix: "x",
          row: layout.x.y.at(py),
          column: 0,
        })),
        ...MATRICES.flatMap((name): (Mark<Spot> | Mark)[] => {
          const { x, y } = layout[name];
          const [from, to] = x.range;
          const ink = name === "y" ? ownInk : "ink";
          return [
            box(
              { x: from - 4, y: top - 4, w: to - from + 8, h: foot - top + 8 },
              { fill: walks === "step" ? "decoder" : "encoder" },
            ),
            cells(x, y, shown[name], { datum: (row, column) => ({ matrix: name, row, column }) }),
            text(titles[name], (from + to) / 2, top - HEAD / 2 - 2, {
              ink,
              bold: true,
              align: "center",
              max: to - from + 2 * SIGNS.times,
            }),
            ...dimensions(x, axes[name === "x" ? "model" : "head"], foot + FOOT / 2 + 5),
            scaleBelow(shown[name], x, foot + FOOT * 1.5 + 5),
          ];
        }),
        rowLabels(layout.x.y, labels, {
          x: layout.labels - 8,
          align: "right",
          held: row,
          heldInk: ownInk,
          max: layout.labels - UPRIGHT - 10,
        }),
        text("×", afterX + SIGNS.times / 2, middle, { size: 26, align: "center" }),
        text("+ b =", (afterW + beforeY) / 2, middle, { size: READABLE + 4, align: "center" }),
        uprightTitle(axes.tokens, 0, [foot, top]),
        uprightTitle(axes.model, layout.w.x.range[0] - 26, [foot, top]),
        frame(layout.x.x, layout.x.y, { row }, held),
        frame(layout.w.x, layout.w.y, { column }, held),
        frame(layout.y.x, layout.y.y, { row, column }, held),
        hovered && frame(layout[hovered.matrix].x, layout[hovered.matrix].y, hovered, { stroke: "ink", width: 2 }),
      ],
    };
  },
  reading(shown, spot) {
    const { matrix, row, column } = spot ?? { matrix: "y" as const, row: shown.row, column: shown.column };
    const { values, columns } = shown[matrix];
    const value = decimals(nth(values, row * columns + column), 3, 6);
    const dim = column + 1;
    return shown.say(`reading_${matrix}`, { token: shown.labels[row], role: shown.role, dim, from: row + 1, to: dim, value });
  },
  values({ sources: { streams, made }, axes, titles, role, layer, head, say }) {
    const texts = made.map(({ stream, role: fed, result }) =>
      say("made", { name: streams[stream]?.name, role: fed.toUpperCase(), result }),
    );
    return { made: texts.join(". "), tokens: axes.tokens, title: titles.y, role, layer: layer + 1, head: head + 1 };
  },
  below: arithmetic,
  // Picks a row of X, a column of W, or both.
  pick: ({ walks }, { matrix, row, column }): Patch => ({
    ...(matrix !== "w" && { [walks]: row }),
    ...(matrix !== "x" && { dim: column }),
  }),
  keys: ({ walks, row, column, x, y }) => ({
    across: { at: column, count: y.columns, to: (dim) => ({ dim }) },
    down: { at: row, count: x.rows, to: (at) => ({ [walks]: at }) },
  }),
};

/** Labels below a matrix: first and last dimension, with the axis title between them if it fits. */
function dimensions(x: Band, title: string, y: number): Mark[] {
  const [[from, to], last] = [x.range, String(x.count)];
  const name = text(title, (from + to) / 2, y, { align: "center", max: to - from + 2 * SIGNS.times });
  const room = to - from - textWidth("1", READABLE) - textWidth(last, READABLE) - 16;
  return textWidth(title, READABLE) > room ? [name] : [text("1", from, y), name, text(last, to, y, { align: "right" })];
}

function scaleBelow({ scale }: Grid, { range: [from, to] }: Band, y: number): Mark {
  const limit: string = decimals(scale.domain[1], 1, 6);
  const ends: [string, string] = [`−${limit}`, limit];
  return legend(scale, ends, (from + to - scaleWidth(ends)) / 2, y);
}

export const mountQkv = figure(qkvFigure);
