// Bars of the most probable tokens, and one for all others. On a step, tokens slide to their new rank, rise from or
// sink into the others; the numbers change at once.

import { setAttributes, setText, svgEl } from "../../../viz_core/browser/kit/dom.js";
import { percent } from "../../../viz_core/browser/kit/numbers.js";
import { FAMILY, READABLE, clipped, textWidth } from "../../../viz_core/browser/kit/pen.js";
import { signed } from "./data.js";

const MOVE = 250; // ms; the style sheet has the same
const RANK = 62;
const LABEL = 180;
const NUMBER = 104;
const GAP = 12;
const AXIS = 28; // px: width of columns, height of the axis
const ROW = { 5: 34, 10: 23, 20: 22 }; // px by the number of bars, at least 14 of them the bar

// act: { pick(index), hover(index or null) }. Returns { svg, paint }.
export function makeBars(act) {
  const grid = svgEl("g");
  const list = svgEl("g");
  const axis = svgEl("g");
  const rest = makeRest();
  const svg = svgEl(
    "svg",
    { role: "img", class: "bars", "font-family": FAMILY, "font-size": READABLE },
    grid,
    list,
    rest.node,
    axis,
  );
  const rows = new Map();
  const going = new Map(); // id → row
  let shown = null;
  let height = 0;

  const at = (event) => {
    const box = svg.getBoundingClientRect();
    const index = Math.floor(((event.clientY - box.top) / box.height) * (svg.viewBox.baseVal.height / height));
    return shown?.rows[index]?.index ?? null;
  };
  svg.addEventListener("click", (event) => {
    const index = at(event);
    if (index !== null) act.pick(index);
  });
  svg.addEventListener("pointermove", (event) => act.hover(at(event)));
  svg.addEventListener("pointerleave", () => act.hover(null));

  const go = (id, row, bottom) => {
    rows.delete(id);
    going.set(id, row);
    row.node.classList.add("going");
    row.move(bottom, 0);
    row.timer = setTimeout(() => {
      going.delete(id);
      row.node.remove();
    }, MOVE);
  };
  const come = (id, bottom) => {
    const back = going.get(id);
    if (back) {
      clearTimeout(back.timer);
      going.delete(id);
      back.node.classList.remove("going");
      return back;
    }
    const row = makeRow();
    row.move(bottom, 0);
    list.append(row.node);
    return row;
  };

  const paint = (now, theme, width, { count, slides, highlighted }) => {
    shown = now;
    height = ROW[count] ?? ROW[10];
    const bottom = now.rows.length * height + 4;
    const whole = bottom + height + AXIS;
    const [left, right] = [RANK + LABEL + GAP, width - 2 * NUMBER - GAP];
    const [low, high] = now.logit ? now.limits : [0, 1];
    const x = (value) => left + ((Math.min(Math.max(value, low), high) - low) / (high - low)) * (right - left);
    const place = { width, height, left, right, zero: x(0), x, bar: Math.max(14, Math.min(height - 5, 26)) };
    setAttributes(svg, { width, height: whole, viewBox: `0 0 ${width} ${whole}` });
    svg.classList.toggle("slides", slides);
    const stay = new Set(now.rows.map((row) => row.id));
    for (const [id, row] of [...rows]) {
      if (stay.has(id)) continue;
      if (slides) {
        go(id, row, bottom);
      } else {
        rows.delete(id);
        row.node.remove();
      }
    }
    const fresh = now.rows.filter((row) => !rows.has(row.id));
    for (const row of fresh) rows.set(row.id, come(row.id, bottom));
    // NaN: there was no step before
    for (const row of fresh) rows.get(row.id).paint(row, now, theme, place, row.mark || 0);
    if (slides && fresh.length) svg.getBoundingClientRect(); // so that what comes starts from where it was put
    now.rows.forEach((row, index) => {
      rows.get(row.id).move(index * height, 1);
      rows.get(row.id).paint(row, now, theme, place, row.value, highlighted === row.index);
    });
    rest.paint(now, theme, place, bottom);
    paintAxis(now, theme, place, whole);
  };

  const paintAxis = (now, theme, { x, left, right, width }, whole) => {
    const ticks = now.logit ? logitTicks(now.limits) : [0, 0.25, 0.5, 0.75, 1];
    const name = (value) => (now.logit ? signed(value).replace(/\.00$/, "") : percent(value));
    const lines = ticks.map((value) =>
      svgEl("line", {
        x1: x(value),
        x2: x(value),
        y1: 0,
        y2: whole - AXIS,
        stroke: theme.line,
        "stroke-width": value === 0 ? 2 : 1,
      }),
    );
    const edge = (value) => (x(value) - left < 20 ? "start" : right - x(value) < 20 ? "end" : "middle");
    const texts = ticks.map((value) =>
      svgEl("text", { x: x(value), y: whole - 8, "text-anchor": edge(value), fill: theme.quiet }, name(value)),
    );
    grid.replaceChildren(...lines);
    axis.replaceChildren(
      ...texts,
      svgEl("text", { x: width, y: whole - 8, "text-anchor": "end", fill: theme.quiet }, now.ghostLabel),
    );
  };
  const clear = () => {
    for (const row of [...rows.values(), ...going.values()]) row.node.remove();
    rows.clear();
    going.clear();
  };
  return { svg, paint, clear };
}

function makeRow() {
  const back = svgEl("rect", { x: 0, rx: 5 });
  const bar = svgEl("rect", { x: 0, width: 1, class: "bar" });
  const ghost = svgEl("rect", { width: 5, rx: 1, "stroke-width": 1.5 });
  const [rank, label, value, before] = ["end", "start", "end", "end"].map((anchor) =>
    svgEl("text", { "text-anchor": anchor }),
  );
  const tag = svgEl("tspan", { "font-weight": 400 });
  const node = svgEl("g", { class: "row" }, back, rank, label, bar, ghost, value, before);
  return {
    node,
    move: (y, opacity) => put(node, `translate(0px, ${y}px)`, `translate(0 ${y})`, opacity),
    paint(row, now, theme, { width, height, right, zero, x, bar: thick }, size, highlighted) {
      const base = height / 2 + 6;
      const show = now.logit ? signed : percent;
      const from = Math.min(zero, x(size));
      const long = Math.abs(x(size) - zero);
      const role = row.typed ? theme.accent : theme.output;
      setAttributes(back, { y: 0, width, height, fill: highlighted ? theme.panel : "none" });
      setAttributes(bar, {
        y: (height - thick) / 2,
        height: thick,
        fill: role,
        "fill-opacity": row.chosen || row.typed ? 1 : 0.53,
      });
      put(bar, `translate(${from}px, 0px) scale(${long}, 1)`, `translate(${from} 0) scale(${long} 1)`, 1);
      const marked = Number.isFinite(row.mark);
      setAttributes(ghost, {
        x: x(marked ? row.mark : 0) - 2.5,
        y: (height - thick) / 2 - 1,
        height: thick + 2,
        fill: theme.quiet,
        stroke: theme.surface,
        visibility: marked && Math.abs(x(row.mark) - zero) > 2 ? "visible" : "hidden",
      }); // at the very edge it would be no more than a line
      const strong = row.chosen || row.picked || row.typed ? 600 : 400;
      const name = row.typed ? ` ${now.typedLabel}` : "";
      const room = LABEL - (name ? textWidth(name, READABLE) : 0);
      setText(rank, row.rankText, { x: RANK - 6, y: base, fill: theme.quiet });
      setText(label, clipped(row.label, room, READABLE, strong > 400), {
        x: RANK + 4,
        y: base,
        fill: row.picked ? theme.accent : theme.ink,
        "font-weight": strong,
      });
      if (name) {
        tag.textContent = name;
        setAttributes(tag, { fill: theme.quiet });
        label.append(tag);
      }
      setText(value, show(row.value), {
        x: right + NUMBER,
        y: base,
        fill: theme.ink,
        "font-weight": row.chosen ? 600 : 400,
      });
      setText(before, marked ? show(row.mark) : "", { x: width, y: base, fill: theme.quiet });
    },
  };
}

// All other tokens: their probability together, or the range of their logits with its mean.
function makeRest() {
  const bar = svgEl("rect", { x: 0, width: 1, class: "bar" });
  const mean = svgEl("line", { "stroke-width": 4 });
  const label = svgEl("text");
  const value = svgEl("text", { "text-anchor": "end" });
  const node = svgEl("g", { class: "row rest" }, bar, mean, label, value);
  return {
    node,
    paint({ rest, logit, restLabel, restText }, theme, { height, right, zero, x, bar: thick }, bottom) {
      const base = height / 2 + 6;
      const [from, to] = logit ? [x(rest.low), x(rest.high)] : [zero, x(rest.p)];
      const thin = logit ? 8 : thick;
      put(node, `translate(0px, ${bottom}px)`, `translate(0 ${bottom})`, 1);
      setAttributes(bar, { y: (height - thin) / 2, height: thin, fill: theme.quiet });
      put(bar, `translate(${from}px, 0px) scale(${to - from}, 1)`, `translate(${from} 0) scale(${to - from} 1)`, 1);
      setAttributes(mean, {
        x1: x(rest.mean),
        x2: x(rest.mean),
        y1: (height - thick) / 2,
        y2: (height + thick) / 2,
        stroke: theme.quiet,
        visibility: logit ? "visible" : "hidden",
      });
      setText(label, restLabel, { x: 0, y: base, fill: theme.quiet });
      setText(value, restText, { x: right + NUMBER, y: base, fill: theme.ink });
    },
  };
}

// As a style, which can slide, and as an attribute, which every program that reads SVG knows.
function put(node, style, attribute, opacity) {
  node.style.transform = style;
  node.style.opacity = opacity;
  node.setAttribute("transform", attribute);
}

function logitTicks([low, high]) {
  const wide = high - low;
  const step = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].find((size) => wide / size <= 7) ?? wide / 5;
  const first = Math.ceil(low / step);
  return Array.from({ length: Math.floor(high / step) - first + 1 }, (_, index) => (first + index) * step);
}
