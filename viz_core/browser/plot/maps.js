// Heatmaps of queries × keys at whatever step, layer and head: Python has sent the numbers of all of them, and a figure without
// texts. What is written in the cells, said of them and framed is made here.

import { fill, number, percent } from "../kit/numbers.js";
import { bytesOf, slice } from "../kit/payload.js";
import { inkOn, ladder, pixel } from "../kit/pen.js";
import { stateOf } from "../kit/states.js";
import { plainText } from "./targets.js";

const INKS = ["#000000", "#FFFFFF"];
const ARRAYS = { f4: Float32Array, f8: Float64Array };

// figure: is changed. maps: of viz_core/figures/followed_maps.py.
export function fillMaps({ data, layout }, maps, view) {
  const width = maps.columns.labels.length;
  const shown = maps.panels.map((panel) => rowsOf(numbersOf(panel, view), width));
  const [row, column] = cellOf(maps.cell, shown[0], view);
  maps.panels.forEach((panel, at) => {
    fillPanel(data, panel, shown[at], maps);
    const [ofRow, ofCell] = layout.shapes.slice(2 * at);
    Object.assign(ofRow, { y0: row - 0.5, y1: row + 0.5 });
    Object.assign(ofCell, { x0: column - 0.5, x1: column + 0.5, y0: row - 0.5, y1: row + 0.5 });
    layout[at ? `xaxis${at + 1}` : "xaxis"].ticktext = labelsOf(maps.columns, column);
  });
  layout.yaxis.ticktext = labelsOf(maps.rows, row);
  const title = stateOf({ by: ["layer", "head"], at: maps.titles }, view);
  layout.meta.titles = layout.meta.titles.replace(plainText(layout.title.text), plainText(title));
  layout.meta.says = maps.panels.map(({ hovers }) => spoken([data[hovers].hovertext].flat(2)[row * width + column]));
  layout.title.text = title;
}

function numbersOf(panel, view) {
  if (!panel.tensor) {
    const { dtype, bdata, shape } = panel.values;
    panel.tensor = { shape: shape.split(",").map(Number), data: new ARRAYS[dtype](bytesOf(bdata).buffer) };
  }
  const { shape } = panel.tensor;
  return slice(panel.tensor, ...panel.by.map((name, axis) => Math.min(view[name], shape[axis] - 1)));
}

function rowsOf(numbers, width) {
  return Array.from({ length: numbers.length / width }, (_, row) => numbers.slice(row * width, (row + 1) * width));
}

// Of a row without a picked cell the greatest; the first of equals.
function cellOf({ row: isOfStep, cell, step }, rows, view) {
  if (cell && (step === null || step === view.step)) return cell;
  const row = isOfStep ? Math.min(view.step, rows.length - 1) : 0;
  return [row, rows[row].reduce((best, value, at, all) => (value > (all[best] || 0) ? at : best), 0)];
}

function fillPanel(data, panel, rows, { scale, rows: { labels: queries }, columns: { labels: keys } }) {
  const known = rows.flatMap((row) => [...row]).filter((value) => !Number.isNaN(value));
  const limit = panel.limit ?? known.reduce((most, value) => Math.max(most, value), 1e-9);
  const written = WRITTEN[panel.written];
  const table = ladder(scale);
  const cells = data[panel.cells];
  cells.z = rows.map((row) => Array.from(row, orNothing));
  cells.zmax = limit;
  const value = panel.written === "percent" ? percent : number;
  const end = panel.limit ? panel.end : panel.written === "percent" ? percent(limit) : written(limit, limit);
  Object.assign(cells.colorbar, { tickvals: [0, limit], ticktext: ["0", end] });
  panel.inks.forEach((index, ink) => {
    const isHere = (value) => !Number.isNaN(value) && inkOn(pixel(table, value / limit)) === INKS[ink];
    data[index].z = rows.map((row) => Array.from(row, (value) => (isHere(value) ? 0 : null)));
    data[index].text = rows.map((row) =>
      Array.from(row, (value) => (isHere(value) ? inCell(written(value, limit)) : "")),
    );
  });
  const hover = (query, key, x) =>
    Number.isNaN(x) ? fill(panel.masked, { query, key }) : fill(panel.hover, { query, key, value: value(x) });
  const hovers = rows.map((row, at) => Array.from(row, (x, key) => hover(queries[at], keys[key], x)));
  data[panel.hovers].hovertext = panel.hovers === panel.cells ? hovers : hovers.flat();
}

const orNothing = (value) => (Number.isNaN(value) ? null : value);

// A number in three or four characters, with as many digits as the greatest number of its map has room for.
function brief(value, most) {
  if (most >= 999.5) return value.toExponential(0).replace("e+", "e").replace("e-", "e−"); // in an edited model
  return value.toFixed(most < 9.995 ? 2 : most < 99.95 ? 1 : 0);
}

const WRITTEN = {
  percent: (value) => (100 * value).toFixed(0),
  hundredths: (value) => value.toFixed(2),
  brief,
};

// Nothing where it would read 0.
const inCell = (text) => (/[^0.]/.test(text) ? text : "");

// As `token_axis` on the Python side has them.
function labelsOf({ labels, thin, accent }, at) {
  return labels.map((label, index) => {
    if (index === at) return `<b><span style="color:${accent}">${label}</span></b>`;
    return index % thin || Math.abs(index - at) < thin ? "" : label;
  });
}

const spoken = (hover) => plainText(hover).trim().replace(/\.$/, "");
