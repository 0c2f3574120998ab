// Neuron view: one query's q, the k of each key, q × k element by element, its sum, and what the stages make of it
// (after the neuron view of bertviz, Vig 2019).

import { colourAt, ladder } from "../kit/colours.js";
import { percentInList } from "../kit/numbers.js";
import { READABLE, textWidth } from "../kit/pen.js";
import { drawMore } from "./more.js";
import { sumOf, titlesOf } from "./neurons_layout.js";
import { numeral } from "./reading.js";

const GAPS_FROM = 4; // px of a dimension that has a gap beside it
const UNPRINTED_SCORE = 0.001; // a number nearer to 0 would need a power of ten

// frame: as for a matrix, and `asked`, the row that asks; marks.hover is [row, key, dimension].
export function drawNeurons(pen, frame) {
  const {
    data,
    view,
    selection,
    layout,
    scroll: [, sy],
    marks,
    asked,
    theme,
  } = frame;
  const { x, y, h, step, wide, products } = layout;
  const q = data.vector("q", view.layer, view.head, selection.rows[asked].tokens[0]);
  const end = data.end(view.layer, view.head);
  const covered = selection.covered && asked >= selection.row;
  const [, hovered, dim] = marks.hover ?? [-1, -1, -1];
  const focus = marks.focus?.[1] ?? hovered;
  const top = (key) => y + key * step - sy;
  const highlighted = hovered >= 0 ? hovered : focus;
  titlesOf(pen, frame, end);
  cellsOf(pen, frame, q, end, { x, y: layout.query.y, h: layout.query.h });
  if (!covered && highlighted >= 0) sumOf(pen, frame, q, highlighted);
  pen.inside(layout.box.x, y - 3, layout.box.w, h + 6, () => {
    for (
      let key = Math.max(0, Math.floor(sy / step));
      key < Math.min(selection.thereColumns, Math.ceil((sy + h) / step));
      key += 1
    ) {
      keyRow(pen, frame, q, end, { key, y: top(key), covered, highlighted: key === highlighted });
    }
    if (focus >= 0 && marks.focus)
      frameRow(pen, frame, top(focus), { stroke: theme.accent, width: 3, dash: marks.locked ? null : [5, 4] });
    if (hovered >= 0) frameRow(pen, frame, top(hovered), { stroke: theme.ink, width: 2 });
  });
  if (dim >= 0) frameDimension(pen, frame, dim, highlighted >= 0 && !covered ? top(highlighted) : null);
  const seen = [Math.round(h / step), 0];
  drawMore(pen, frame, {
    x,
    y: y + h,
    w: products + wide - x,
    first: [Math.round(sy / step), 0],
    seen,
    all: [selection.thereColumns, 0],
    rows: "keys_in_sight",
  });
}

// A vector as cells.
function cellsOf(pen, { layout: { cw }, theme }, values, end, { x, y, h }) {
  const table = ladder(theme.diverging);
  const gap = cw >= GAPS_FROM ? 1 : 0;
  values.forEach((value, at) => {
    const left = Math.round(x + at * cw);
    const right = Math.round(x + (at + 1) * cw);
    pen.box(left, y, Math.max(1, right - left - gap), h, { fill: colourAt(table, (value / end + 1) / 2) });
  });
  if (gap) pen.box(x - 0.5, y - 0.5, cw * values.length, h + 1, { stroke: theme.line, width: 1 });
}

function keyRow(pen, frame, q, end, { key, y, covered, highlighted }) {
  const { data, view, selection, layout, asked, theme } = frame;
  const { x, products, wide, step, labels } = layout;
  const middle = y + step / 2;
  const {
    label,
    tokens: [at],
  } = selection.columns[key];
  const k = data.vector("k", view.layer, view.head, at);
  const high = step >= 12 ? step - 4 : step;
  const thin = Math.ceil(READABLE / step);
  const place = { y: middle - high / 2, h: high }; // so many rows for one line of letters
  cellsOf(pen, frame, k, end, { ...place, x });
  if (!covered)
    cellsOf(
      pen,
      frame,
      q.map((value, dim) => value * k[dim]),
      end,
      { ...place, x: products },
    );
  else pen.box(products, place.y, wide, high, { fill: theme.panel });
  const open = data.open(selection.rows[asked].tokens[0], at);
  const closed = !open && layout.numbers.at(-1).reached;
  if (closed && !covered) pen.box(x - 1, y, layout.numbers.at(-1).x - x, step, { fill: theme.surface, alpha: 0.6 });
  if (!highlighted && thin > 1 && key % thin) return;
  pen.text(label, x - 10, middle, {
    size: READABLE,
    bold: highlighted,
    fill: highlighted ? theme.k_text : closed ? theme.quiet : theme.ink,
    align: "right",
    max: labels - 10,
  });
  if (covered)
    pen.text("?", products + wide / 2, middle, { size: READABLE, bold: true, fill: theme.ink, align: "center" });
  else numbersOf(pen, frame, at, { middle, y, highlighted, closed });
}

// The sum, divided, and then: whether it is open, or its weight.
function numbersOf(pen, frame, key, { middle, y, highlighted, closed }) {
  const { data, view, selection, layout, asked, texts, theme } = frame;
  const { step, bar, weights } = layout;
  const query = selection.rows[asked].tokens[0];
  const style = { size: READABLE, bold: highlighted, align: "right" };
  const value = (stage) => data.values(view.layer, view.head, stage)[query * data.columns + key];
  for (const { name, x, w, reached } of layout.numbers) {
    if (!reached) continue;
    const end = x + w;
    if (name !== "mask")
      pen.text(inColumn(value(name), data.exact), end, middle, { ...style, fill: closed ? theme.quiet : theme.ink });
    else if (closed) {
      const words = weights ? texts.masked : texts.line_closed;
      const wide = textWidth(words, READABLE) + 10;
      pen.hatch(x + 12, y + 1, w - 12, step - 2, { fill: theme.masked, stroke: theme.surface });
      pen.box(x + 12 + (w - 12 - wide) / 2, y + 1, wide, step - 2, { fill: theme.surface });
      pen.text(words, x + 12 + (w - 12) / 2, middle, { size: READABLE, fill: theme.ink, align: "center" });
    } else if (!weights)
      pen.text(texts.line_open, x + 12 + (w - 12) / 2, middle, { size: READABLE, fill: theme.ink, align: "center" });
    else {
      const high = Math.min(18, step - 4);
      const left = end - bar;
      pen.text(percentInList(value("softmax")), left - 6, middle, { ...style, fill: theme.ink });
      pen.box(left, middle - high / 2, bar, high, { fill: theme.panel });
      pen.box(left, middle - high / 2, bar * value("softmax"), high, { fill: theme.accent });
    }
  }
}

function inColumn(value, exact) {
  return value !== 0 && Math.abs(value) < UNPRINTED_SCORE ? "≈ 0" : numeral(value, exact);
}

// A frame around a key's whole row.
function frameRow(pen, { layout: { box, x, labels, step, numbers } }, y, ink) {
  const reached = numbers.filter((one) => one.reached);
  const end = reached.at(-1).x + reached.at(-1).w;
  pen.box(x - labels + 2, y, Math.min(end + 5, box.x + box.w - 2) - (x - labels + 2), step, ink);
}

// The dimension under the pointer, in q, and in the k and the product of the key that is spoken of; y: where that
// stands.
function frameDimension(pen, { layout: { x, products, cw, step, query, y: first, h }, theme }, dim, y) {
  const ink = { stroke: theme.ink, width: 2.5 };
  const from = dim * cw - 1;
  pen.box(x + from, query.y - 1, cw + 1, query.h + 2, ink);
  if (y === null || y < first - 1 || y + step > first + h + 1) return;
  for (const left of [x, products]) pen.box(left + from, y + 1, cw + 1, step - 2, ink);
}
