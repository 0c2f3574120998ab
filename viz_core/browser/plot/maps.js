// Heatmaps of queries × keys at whatever step, layer and head: Python has sent the numbers of all of them, and a figure without
// texts. What is written in the cells, said of them and framed is made here.

import { fill, number, percent } from "../kit/numbers.js";
import { greatestOf, readTensors, slice } from "../kit/payload.js";
import { inkOn, ladder, pixel } from "../kit/pen.js";
import { stateOf } from "../kit/states.js";
import { plainText } from "./targets.js";

const INKS = ["#000000", "#FFFFFF"];

// What the maps, and the arithmetic of a cell, are made of. about: of viz_core/figures/followed_maps.py, with numbers, by what of the
// view each of them is; tensors: these, or those of about.place where those of all places come as files.
export function readMaps(about, tensors) {
  const [height, width] = [about.rows.labels.length, about.columns.labels.length];
  const addressOf = (view) => about.file && fill(about.file, view);
  const places = new Map(); // address → tensors
  if (about.file) places.set(addressOf(about.place), tensors);
  // Of the numbers called so, (…, n, m), those of this layer and head.
  const at = (name, view) => {
    if (about.file) return places.get(addressOf(view))[name];
    const { shape } = tensors[name];
    const place = about.numbers[name].map((each, axis) => Math.min(view[each], shape[axis] - 1));
    return { shape: shape.slice(place.length), data: slice(tensors[name], ...place) };
  };
  const has = (name, view) => Boolean(about.file ? places.get(addressOf(view))?.[name] : tensors[name]);
  // The address of what is not here yet; and what has come from there.
  const lacks = (view) => (places.has(addressOf(view)) ? "" : addressOf(view));
  const add = (address, bytes) => places.set(address, readTensors(bytes).tensors);
  // The picked cell; while none is, the greatest number of a row.
  const cell = (view) => {
    if (view.cell) return { row: Math.min(view.cell[0], height - 1), column: Math.min(view.cell[1], width - 1) };
    const row = about.of_step ? Math.min(view.step, height - 1) : 0;
    return { row, column: greatestOf(at(about.greatest, view).data.subarray(row * width, (row + 1) * width)) };
  };
  return { about, at, has, cell, lacks, add };
}

// figure: is changed.
export function fillMaps({ data, layout }, { about: maps, at: numbersAt, cell }, view) {
  const width = maps.columns.labels.length;
  const shown = maps.panels.map(({ numbers }) => rowsOf(numbersAt(numbers, view).data, width));
  const { row, column } = cell(view);
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
  layout.meta.says = maps.panels.map(({ cells }) => spoken(data[cells].hovertext[row][column]));
  layout.title.text = title;
}

function rowsOf(numbers, width) {
  return Array.from({ length: numbers.length / width }, (_, row) => numbers.slice(row * width, (row + 1) * width));
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
  cells.hovertext = rows.map((row, at) => Array.from(row, (x, key) => hover(queries[at], keys[key], x)));
}

const orNothing = (value) => (Number.isNaN(value) ? null : value);

// A number in three or four characters, with as many digits as the greatest number of its map has room for.
function brief(value, most) {
  if (most >= 999.5) return value.toExponential(0).replace("e+", "e").replace("e-", "e−"); // in an edited model
  return value.toFixed(most < 9.995 ? 2 : most < 99.95 ? 1 : 0);
}

const WRITTEN = {
  percent: (value) => (100 * value).toFixed(0),
  hundredths: (value) => (value < 0.995 ? value.toFixed(2).slice(1) : value.toFixed(1)), // .72: four signs touch the next cell's
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
