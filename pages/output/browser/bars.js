// Bars of the most probable tokens, and one for all others. At a new step, tokens slide to their new rank, rise from the
// others or sink into them; the numbers change at once.

import { setAttributes, setText, svgEl } from "../../../viz_core/browser/kit/dom.js";
import { percent, signed } from "../../../viz_core/browser/kit/numbers.js";
import { FAMILY, READABLE, clipped, textWidth } from "../../../viz_core/browser/kit/pen.js";

const MOVE = 250; // ms, as in the style sheet
// Widths of the columns, in px. On a phone the probability before has no column: its mark on the bar stays.
const WIDE = { rank: 62, label: 180, number: 104, numbers: 2, under: 0 };
const SLIM = { rank: 28, label: 88, number: 72, numbers: 1, under: 24 };
const SLIM_BELOW = 560;
const GAP = 12;
const HEAD = 20; // px above the rows, for what the last column of numbers is; on a phone this stands `under` the axis
const AXIS = 28; // px, its height; on a phone its name stands `under` it
const TICK = 84; // px, the room for a number below the bars
const ROW = { 5: 34, 10: 23, 20: 22 }; // px, its height by the number of bars
const LEAST_BAR = 14; // px, its height

// act: { pick(index), hover(index or null) }. Returns { svg, paint, clear }.
export function makeBars(act) {
  const [grid, list, axis] = [svgEl("g"), svgEl("g"), svgEl("g")];
  const rest = makeRest();
  const style = { role: "img", class: "bars", "font-family": FAMILY, "font-size": READABLE };
  const svg = svgEl("svg", style, grid, list, rest.node, axis);
  const rows = new Map(); // by token; a row that is leaving has a timer until it is removed
  let shown = null;
  let height = 0;

  const at = (event) => {
    const box = svg.getBoundingClientRect();
    const { y, height: high } = svg.viewBox.baseVal;
    const row = Math.floor((((event.clientY - box.top) / box.height) * high + y) / height);
    return shown?.rows[row]?.index ?? null;
  };
  followPointer(svg, at, act.pick, act.hover);

  const remove = (id) => {
    rows.get(id).node.remove();
    rows.delete(id);
  };
  const leave = (id, bottom) => {
    const row = rows.get(id);
    row.node.classList.add("going");
    row.move(bottom, 0);
    row.timer = setTimeout(remove, MOVE, id);
  };
  const enter = (id, bottom) => {
    if (!rows.has(id)) {
      const row = makeRow();
      row.move(bottom, 0);
      list.append(row.node);
      rows.set(id, row);
    }
    const row = rows.get(id);
    clearTimeout(row.timer);
    row.timer = null;
    row.node.classList.remove("going");
    return row;
  };

  const paint = (now, theme, width, { count, slides, highlighted }) => {
    shown = now;
    height = ROW[count];
    const columns = width < SLIM_BELOW ? SLIM : WIDE;
    const bottom = now.rows.length * height + 4;
    const whole = bottom + height + AXIS + columns.under;
    const [left, right] = [columns.rank + columns.label + GAP, width - columns.numbers * columns.number - GAP];
    const [least, most] = now.axis.limits;
    const [low, high] = [least, most].map(now.axis.place);
    const share = (value) => (now.axis.place(Math.min(Math.max(value, least), most)) - low) / (high - low);
    const x = (value) => left + share(value) * (right - left);
    const place = {
      columns,
      width,
      height,
      left,
      right,
      zero: x(0),
      x,
      bar: Math.max(LEAST_BAR, Math.min(height - 5, 26)),
    };
    const head = now.ghostLabel && isAbove(now, columns, width) ? HEAD : 0;
    setAttributes(svg, { width, height: head + whole, viewBox: `0 ${-head} ${width} ${head + whole}` });
    svg.classList.toggle("slides", slides);
    const stay = new Set(now.rows.map(({ id }) => id));
    for (const [id, { timer }] of rows) {
      if (stay.has(id) || timer) continue;
      if (slides) leave(id, bottom);
      else remove(id);
    }
    const fresh = now.rows.filter(({ id }) => rows.get(id)?.timer !== null);
    // the mark is NaN where there was no step before
    for (const row of fresh) enter(row.id, bottom).paint(row, now, theme, place, row.mark || 0, false);
    if (slides && fresh.length) svg.getBoundingClientRect(); // so that what enters slides from where it was put
    now.rows.forEach((row, index) => {
      rows.get(row.id).move(index * height, 1);
      rows.get(row.id).paint(row, now, theme, place, row.value, highlighted === row.index);
    });
    rest.paint(now, theme, place, bottom);
    paintAxis(now, theme, place, whole);
  };

  // Whether the words for the mark stand above the rows: on a phone they do where both have no room below.
  const isAbove = ({ axisLabel, ghostLabel }, columns, width) =>
    columns === WIDE || textWidth(axisLabel, READABLE) + textWidth(ghostLabel, READABLE) + GAP > width;

  const paintAxis = (now, theme, { columns, x, left, right, width }, whole) => {
    const { ticks: all, few } = now.axis;
    const room = (ticks) => right - left >= ticks.length * TICK;
    const ticks = [all, few, [few[0], few.at(-1)]].find(room) ?? [few.at(-1)];
    const foot = whole - columns.under;
    const edge = (value) => (x(value) - left < 20 ? "start" : right - x(value) < 20 ? "end" : "middle");
    const line = { y1: 0, y2: foot - AXIS, stroke: theme.line };
    grid.replaceChildren(
      ...ticks.map((value) =>
        svgEl("line", { ...line, x1: x(value), x2: x(value), "stroke-width": value === 0 ? 2 : 1 }),
      ),
    );
    const text = (words, at, anchor, y = foot - 8) =>
      svgEl("text", { x: at, y, "text-anchor": anchor, fill: theme.quiet }, words);
    axis.replaceChildren(
      ...ticks.map((value) => text(now.axis.text(value), x(value), edge(value))),
      text(now.axisLabel, 0, "start", whole - 8),
      text(now.ghostLabel, width, "end", isAbove(now, columns, width) ? -4 : whole - 8),
    );
  };
  const clear = () => {
    for (const { timer } of rows.values()) clearTimeout(timer);
    rows.clear();
    list.replaceChildren();
  };
  return { svg, paint, clear };
}

// Clicks on what is under the pointer, and its highlighting. at(event): its index, or null.
export function followPointer(svg, at, pick, hover) {
  svg.addEventListener("click", (event) => {
    const index = at(event);
    if (index !== null) pick(index);
  });
  svg.addEventListener("pointermove", (event) => hover(at(event)));
  svg.addEventListener("pointerleave", () => hover(null));
}

function makeRow() {
  const back = svgEl("rect", { x: 0, y: 0, rx: 5 });
  const bar = svgEl("rect", { class: "bar" });
  const ghost = svgEl("rect", { width: 5, rx: 1, "stroke-width": 1.5 });
  const [rank, label, value, before] = ["end", "start", "end", "end"].map((anchor) =>
    svgEl("text", { "text-anchor": anchor }),
  );
  const tag = svgEl("tspan", { "font-weight": 400 });
  const node = svgEl("g", { class: "row" }, back, rank, label, bar, ghost, value, before);
  return {
    node,
    move: (y, opacity) => put(node, y, opacity),
    // row: of shownAt; size: the value that the bar has
    paint(row, now, theme, { columns, width, height, right, zero, x, bar: thick }, size, highlighted) {
      const y = height / 2 + 6;
      const show = now.logit ? signed : percent;
      setAttributes(back, { width, height, fill: highlighted ? theme.panel : "none" });
      setAttributes(bar, {
        x: Math.min(zero, x(size)),
        width: Math.abs(x(size) - zero),
        y: (height - thick) / 2,
        height: thick,
        fill: row.typed ? theme.accent : theme.output,
        "fill-opacity": row.chosen || row.typed ? 1 : 0.53,
      });
      const marked = Number.isFinite(row.mark);
      setAttributes(ghost, {
        x: x(marked ? row.mark : 0) - 2.5,
        y: (height - thick) / 2 - 1,
        height: thick + 2,
        fill: theme.quiet,
        stroke: theme.surface,
        // at the very edge it would be no more than a line
        visibility: marked && Math.abs(x(row.mark) - zero) > 2 ? "visible" : "hidden",
      });
      const strong = row.chosen || row.picked || row.typed;
      const name = row.typed ? ` ${now.typedLabel}` : "";
      const words = clipped(row.label, columns.label - (name ? textWidth(name, READABLE) : 0), READABLE, strong);
      const fill = row.picked ? theme.accent : theme.ink;
      setText(rank, row.rankText, { x: columns.rank - 6, y, fill: theme.quiet });
      setText(label, words, { x: columns.rank + 4, y, fill, "font-weight": strong ? 600 : 400 });
      setText(tag, name, { fill: theme.quiet });
      if (name) label.append(tag);
      const weight = row.chosen ? 600 : 400;
      setText(value, show(row.value), { x: right + columns.number, y, fill: theme.ink, "font-weight": weight });
      setText(before, marked && columns === WIDE ? show(row.mark) : "", { x: width, y, fill: theme.quiet });
    },
  };
}

// All other tokens: their probability together, or the range of their logits with its mean.
function makeRest() {
  const bar = svgEl("rect", { class: "bar" });
  const mean = svgEl("line", { "stroke-width": 4 });
  const label = svgEl("text");
  const value = svgEl("text", { "text-anchor": "end" });
  const node = svgEl("g", { class: "row rest" }, bar, mean, label, value);
  return {
    node,
    paint({ rest, logit, restLabel, restText }, theme, { columns, height, right, zero, x, bar: thick }, bottom) {
      const y = height / 2 + 6;
      const [from, to] = logit ? [x(rest.low), x(rest.high)] : [zero, x(rest.p)];
      const thin = logit ? 8 : thick;
      put(node, bottom);
      setAttributes(bar, { x: from, width: to - from, y: (height - thin) / 2, height: thin, fill: theme.quiet });
      const span = { x1: x(rest.mean), x2: x(rest.mean), y1: (height - thick) / 2, y2: (height + thick) / 2 };
      setAttributes(mean, { ...span, stroke: theme.quiet, visibility: logit ? "visible" : "hidden" });
      setText(label, restLabel, { x: 0, y, fill: theme.quiet });
      setText(value, restText, { x: right + columns.number, y, fill: theme.ink });
    },
  };
}

// As a style, which can slide, and as an attribute, which every program that reads SVG knows. (A bar changes its width: stretched
// by a transform, it would be a layer that Chromium draws as many times larger, in both directions, and the page would stand still.)
function put(node, y, opacity = 1) {
  node.style.transform = `translate(0, ${y}px)`;
  node.style.opacity = opacity;
  node.setAttribute("transform", `translate(0 ${y})`);
}
