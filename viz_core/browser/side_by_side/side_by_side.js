// The same attention of two models, or of two sentences: two attention views on one scale below one row of controls, or
// one of their difference.

import { offerPicture } from "../kit/save.js";
import { mountAttentionView } from "../attention_view/attention_view";
import { mountControls } from "../attention_view/controls";
import { possible, readAttention, withoutNeurons } from "../attention_view/data";
import { dress, el, setAttributes, setText } from "../kit/dom.js";
import { fill } from "../kit/numbers.js";
import { readTensors } from "../kit/payload.js";
import { differenceOf, leftOut, ofWeights } from "./difference.js";
import { svgPen } from "../kit/svg_pen.js";

const ableInTwo = (view) => ({ ...possible(withoutNeurons(view)), neurons: false }); // there is no room for them
// weights, by words, as they stand
const ableInDifference = () => ({ neurons: false, words: false, log: false, order: false });

// data: of each side, or of the difference alone.
function read(payload) {
  const { about, tensors } = readTensors(payload);
  const sides = [tensors.left.data, tensors.right.data].map(readAttention);
  return { about, data: about.difference ? [differenceOf(...sides, about)] : sides };
}

// payload: of viz_core/browser/attention_payload.py. Returns { update(payload), destroy(), svg(), name() }; an
// update is of the same sort.
export function mountSideBySide(root, payload, store) {
  let { about, data } = read(payload);
  const isDifference = Boolean(about.difference);
  const adapted = (view) => (isDifference ? ofWeights(view) : view);
  const roots = data.map(() => el("div", { class: "viz-attention-view" }));
  const names = data.map(() => el("p", { class: "name" }));
  const alone = el("p", { class: "alone" });
  const viz = {
    update,
    destroy,
    svg: () =>
      joined(
        attentions.map((attention) => attention.svg()),
        headings(),
        store.theme,
      ),
    name: () => `${attentions[0].name()}-${isDifference ? "difference" : "side-by-side"}`,
  };
  const withdraw = offerPicture(viz, store);
  const controls = mountControls(about.texts, store, () => {}, isDifference ? ableInDifference : ableInTwo);
  root.classList.toggle("difference", isDifference);
  root.replaceChildren(
    el("div", { class: "viz-attention-view controls" }, controls.bar),
    el(
      "div",
      { class: isDifference ? "one" : "two" },
      ...roots.map((attention, side) => el("section", {}, names[side], attention)),
    ),
    alone,
  );

  const paint = (view) => {
    dress(root, store.theme);
    setAttributes(root, {
      "data-covered": view.predict === "right" && !view.revealed,
      "data-lecture": isDifference && view.lecture,
      "data-aside": !isDifference && view.lecture && !about.alone,
    });
    controls.paint(adapted(view), { canWhole: false, isWhole: false });
    const [left, right] = about.names;
    names.forEach((name, side) =>
      setText(name, isDifference ? fill(about.texts.subtracted, { left, right }) : nameOf(side, view)),
    );
    setText(alone, isDifference ? leftOut(about) : "");
  };

  // A side that has ended, or that has not so many layers or heads, says so.
  const nameOf = (side, view) => {
    const name = about.names[side];
    const { rows, layers, heads, about: own } = data[side];
    const shown = clamp(view, data[side]);
    if (own.steps && view.step >= rows) return fill(about.texts.ended, { name, step: view.step + 1 });
    if (shown === view) return name;
    return fill(about.texts.fewer, { name, layer: shown.layer + 1, head: shown.head + 1, layers, heads });
  };

  // Above each drawing of a file.
  const headings = () => {
    if (!isDifference) return names.map((name) => [name.textContent]);
    const { side_left: left, side_right: right } = about.texts;
    return [[left, right].map((text, side) => fill(text, { name: about.names[side] }))];
  };

  const scales = new Map();
  const attentions = roots.map((attention, side) => {
    const own = within(store, (view) => clamp(adapted(view), data[side]));
    return mountAttentionView(attention, data[side], own, scales);
  });
  const off = store.subscribe(paint);
  paint(store.view);
  store.repaint(); // the first was drawn before it knew the other's scale

  function update(bytes) {
    ({ about, data } = read(bytes));
    attentions.forEach((attention, side) => attention.update(data[side]));
    store.repaint();
    paint(store.view);
  }

  function destroy() {
    withdraw();
    off();
    for (const attention of attentions) attention.destroy();
  }

  return viz;
}

// change: view => view. Returns a store like the given one; what is set goes there.
function within(store, change) {
  return Object.create(store, {
    view: { get: () => change(store.view) },
    subscribe: { value: (fn) => store.subscribe((view, before) => fn(change(view), change(before))) },
  });
}

function clamp(view, { layers, heads }) {
  return view.layer < layers && view.head < heads
    ? view
    : { ...view, layer: Math.min(view.layer, layers - 1), head: Math.min(view.head, heads - 1) };
}

const HEADING_LINE = 30;
const INDENT = 24; // px

// svgs: texts that begin with an <svg> of width and height in px, as `exported` makes them; headings: for each, the
// lines above it.
function joined(svgs, headings, theme) {
  const sizes = svgs.map((svg) => {
    const [, , w, h] = /viewBox="([^"]+)"/.exec(svg)[1].split(" ").map(Number);
    return { w, h };
  });
  const from = sizes.map((_, at) => sizes.slice(0, at).reduce((sum, { w }) => sum + w, 0));
  const top = INDENT / 2 + HEADING_LINE * Math.max(...headings.map(({ length }) => length));
  const pen = svgPen(from.at(-1) + sizes.at(-1).w, top + Math.max(...sizes.map(({ h }) => h)), {
    ground: theme.surface,
  });
  headings.forEach((lines, at) =>
    lines.forEach((line, row) => {
      pen.text(line, from[at] + INDENT, INDENT + row * HEADING_LINE, {
        size: 20,
        bold: true,
        fill: theme.ink,
        max: sizes[at].w - 2 * INDENT,
      });
    }),
  );
  const inner = svgs.map((svg, at) =>
    unique(
      svg.replace(/<svg[^>]*>/, (tag) => placed(tag, from[at], top, sizes[at])),
      at,
    ),
  );
  return pen.finish().replace(/<\/svg>\s*$/, `${inner.join("")}</svg>`);
}

function placed(tag, x, y, { w, h }) {
  const bare = tag.replace(/\s(x|y|width|height)="[^"]*"/g, "").slice(0, -1);
  return `${bare} x="${x}" y="${y}" width="${w}" height="${h}">`;
}

// All name their patterns and clips alike.
function unique(svg, at) {
  return svg.replace(/\bid="([^"]+)"/g, `id="$1-${at}"`).replace(/url\(#([^)]+)\)/g, `url(#$1-${at})`);
}
