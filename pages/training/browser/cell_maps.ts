// Maps of cells with words in them: the attention of the tiny model, one head with its numbers or all as small maps, and the tokens of
// a sentence at each snapshot of a training.

import { inkOn } from "../../../viz_core/browser/kit/svg_pen";
import { clauses } from "../../../viz_core/browser/kit/numbers";
import { READABLE, widestText } from "../../../viz_core/browser/kit/pen";
import { bordersOf } from "../../../viz_core/browser/token_maps/token_maps";
import { type Figure, figure, type Room, type Scene, type View } from "../../../viz_core/web/src/figure";
import { APART, LINE, RISE, UPRIGHT, columnLabels, rowLabels, uprightTitle } from "../../../viz_core/web/src/marks/axis";
import { type Grid, bitmapOf, cells, frame, legend, rowHeight, scaleWidth } from "../../../viz_core/web/src/marks/cells";
import type { Mark } from "../../../viz_core/web/src/marks/mark";
import { rules, text } from "../../../viz_core/web/src/marks/shapes";
import { entryAt, readPayload, sliceOf } from "../../../viz_core/web/src/payload";
import { textsIn } from "../../../viz_core/web/src/texts";
import { type Band, band, range } from "../../../viz_core/web/src/marks/scale";

// px
const ROWS = { least: 30, most: 56, smallest: 30, together: 0 };
const CELL = { least: 56, most: 110 }; // least width, as far as the words need it
const [TWO, GAP, BETWEEN] = [44, 3, 18]; // least height of a row with two lines; between cells, and maps
const SLANTED = 150; // longest slanting label
const ENDS: [string, string] = ["0", "100 %"];

type Words = string[][]; // by row and column
type About = {
  title: string;
  queries: string[];
  keys: string[];
  axes: [rows: string, columns: string];
  names: Words; // of small maps, by layer and head; of a single one none
  lines: string[][][]; // in each cell of a single map
  hovers: Words[]; // of each map
  framed: [row: number, column: number][];
  held: number; // row, or -1
  first: number; // what a click on the first of the small maps sets `part` to; the next ones follow
};
type Spot = { map: number; row: number; column: number };

// payload: from pages/training/figures.py.
function readCellMaps(payload: Uint8Array) {
  const { about, tensors, say } = readPayload<About, "values" | "border">(payload, textsIn("browser.token_maps"));
  const [down = 1, across = 1, rows = 1, columns = 1] = tensors.values.shape;
  const grids = range(down * across).map((map): Grid => {
    const values = sliceOf(tensors.values, Math.floor(map / across), map % across);
    return { values, rows, columns, scale: { colours: "sequential", domain: [0, 1] } };
  });
  return { ...about, grids, down, across, border: tensors.border?.data ?? null, say };
}

type Maps = ReturnType<typeof readCellMaps>;
type Shown = Maps & { spot: Spot };

export const cellMaps: Figure<Maps, Shown, Spot> = {
  heights: [300, 370],
  read: readCellMaps,
  own: ({ held }) => ({ spot: { map: 0, row: Math.max(held, 0), column: 0 }, part: null }),
  asks: ({ part }) => (part === undefined ? null : { part: String(part) }),
  at: (maps, { spot }: View) => ({ ...maps, spot: spot as Spot }),
  scene: (shown, room, hovered) => (shown.names.length ? smallMaps : oneMap)(shown, room, hovered),
  reading: ({ hovers, names, across, spot }, datum) => {
    const { map, row, column } = datum ?? spot;
    const name = names[Math.floor(map / across)]?.[map % across];
    return !datum && name ? name : entryAt(entryAt(entryAt(hovers, map), row), column);
  },
  values: ({ title, axes }) => ({ title, axes: clauses(axes) }),
  pick: ({ names, first }, spot) => (names.length ? { part: first + spot.map } : { spot }),
  keys: ({ names, grids, spot, down, across, queries, keys }) => {
    const walk = (at: number, count: number, to: (by: number) => Partial<Spot>) => ({
      at,
      count: grids.length ? count : 0,
      to: (index: number) => ({ spot: { ...spot, ...to(index) } }),
    });
    const [layer, head] = [Math.floor(spot.map / across), spot.map % across];
    return names.length
      ? {
          across: walk(head, across, (index) => ({ map: layer * across + index })),
          down: walk(layer, down, (index) => ({ map: index * across + head })),
        }
      : {
          across: walk(spot.column, keys.length, (column) => ({ column })),
          down: walk(spot.row, queries.length, (row) => ({ row })),
        };
  },
};

function oneMap({ grids, lines, queries, keys, axes, held, framed, border, spot }: Shown, room: Room, hovered: Spot | null) {
  const left = UPRIGHT + widestText(queries, true) + APART;
  const cell = Math.min(CELL.most, Math.max(CELL.least, widestText(lines.flat(2)) + 12));
  const width = Math.max(room.w, left + keys.length * cell);
  const longest = Math.min(widestText(keys), SLANTED);
  const slants = longest + 6 > (width - left) / keys.length;
  const top = LINE + (slants ? longest * RISE + READABLE : LINE);
  const grid = entryAt(grids, 0);
  const least = lines.flat().some((words) => words.filter(Boolean).length > 1) ? TWO : ROWS.least;
  const step = rowHeight(queries.length, room.h - top, room.whole, { ...ROWS, least });
  const [x, y] = [band(keys.length, [left, width]), band(queries.length, [top, top + step * queries.length])];
  return {
    width,
    height: y.range[1],
    marks: [
      text(axes[1], left, LINE / 2, { max: width - left }),
      columnLabels(x, keys, { y: top - 8, held: -1, max: longest, level: !slants }),
      uprightTitle(axes[0], 0, y.range),
      rowLabels(y, queries, { x: left - APART, align: "right", held }),
      cells(x, y, grid, { gap: [GAP, GAP], datum: (row, column) => ({ map: 0, row, column }) }),
      wordsIn(x, y, grid, lines),
      border && rules(bordersOf(border, x, y), { stroke: "output_text", width: 3, dash: [6, 3] }),
      ...framed.map(([row, column]) => frame(x, y, { row, column }, { stroke: "output", width: 4 })),
      frame(x, y, spot, { stroke: "accent", width: 2 }),
      hovered && frame(x, y, hovered, { stroke: "accent", width: 2 }),
    ],
  } satisfies Scene<Spot>;
}

/** The lines of each cell, only the first where there is no room for two. */
function wordsIn(x: Band, y: Band, grid: Grid, lines: string[][][]): Mark {
  return {
    draw(pen, theme) {
      const bitmap = bitmapOf(grid, theme);
      lines.forEach((cellsOfRow, row) => {
        cellsOfRow.forEach((words, column) => {
          const shown = words.filter(Boolean).slice(0, y.step < TWO ? 1 : 2);
          const fill = inkOn(bitmap.pixelAt(row, column));
          const style = { fill, align: "center" as const, max: x.step - GAP - 4, size: READABLE };
          shown.forEach((line, at) => {
            pen.text(line, x(column) - GAP / 2, y(row) - GAP / 2 + (at - (shown.length - 1) / 2) * (READABLE + 3), style);
          });
        });
      });
    },
  };
}

/** Layers down and heads across. */
function smallMaps({ grids, names, axes, spot, down, across }: Shown, { w, h }: Room, hovered: Spot | null) {
  const [top, left] = [2 * LINE, UPRIGHT];
  const [wide, high] = [(w - left) / across, (h - top) / down];
  const scale = entryAt(grids, 0).scale;
  const maps = grids.flatMap((grid, map) => {
    const [from, above] = [left + (map % across) * wide, top + Math.floor(map / across) * high];
    const [x, y] = [band(grid.columns, [from, from + wide - BETWEEN]), band(grid.rows, [above + LINE, above + high - BETWEEN / 2])];
    const isHeld = (hovered ?? spot).map === map;
    return [
      text(names.flat()[map] ?? "", from, above + LINE / 2, { max: wide - 4, bold: isHeld }),
      cells(x, y, grid, { gap: [1, 1], datum: (row, column) => ({ map, row, column }) }),
      frame(x, y, {}, isHeld ? { stroke: "accent", width: 3 } : { stroke: "line", width: 1 }),
      hovered?.map === map ? frame(x, y, hovered, { stroke: "accent", width: 2 }) : null,
    ];
  });
  return {
    width: w,
    height: h,
    marks: [
      legend(scale, ENDS, w - scaleWidth(ENDS) - 2, LINE / 2),
      text(axes[1], left, LINE * 1.5, { max: w - left }),
      uprightTitle(axes[0], 0, [top, h]),
      ...maps,
    ],
  } satisfies Scene<Spot>;
}

export const mountCellMaps = figure(cellMaps);
