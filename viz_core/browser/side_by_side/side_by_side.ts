// The same attention of two models or two sentences: two attention views on one scale below shared controls, or one view of their
// difference.

import { nth, type Tensor, readPayload } from "../../web/src/payload";
import { textsIn } from "../../web/src/texts";
import type { View, Root, Store, Theme } from "../../web/src/ui/store";
import { type Attention, readAttention } from "../attention_view/data";
import { possible, withoutNeurons } from "../attention_view/selection";
import { bracketed, escaped, fill, number, percent, sumOf } from "../kit/numbers";
import { type Scales, mountAttentionView } from "../attention_view/attention_view";
import { mountControls } from "../attention_view/controls";
import { dress, el, setAttributes, setText } from "../kit/dom";
import { offerPicture } from "../kit/save";
import { svgPen } from "../kit/svg_pen";
import { alignedSides, type Difference, differenceOf, ofWeights, leftOut } from "./difference";

const texts = textsIn("browser.side_by_side");

interface About {
  names: [left: string, right: string];
  alone: boolean;
  difference: boolean; // right − left, word by word, instead of both
  predicted: [read: string, next: string, left: number, right: number][] | null; // of each step, for the text below
}

const ableInTwo = (view: View) => ({ ...possible(withoutNeurons(view)), neurons: false }); // two views leave no room for neurons

// a difference is always of weights, by words, in sentence order
const ableInDifference = () => ({ neurons: false, words: false, log: false, order: false });

// data: both sides, or their difference only.
function read(payload: Uint8Array): { about: About; data: Attention[]; difference: Difference | null } {
  const { about, tensors } = readPayload<About, "left" | "right">(payload);
  const sideOf = ({ data }: Tensor) => readAttention(data as Uint8Array);
  const [left, right] = [sideOf(tensors.left), sideOf(tensors.right)];
  const difference = about.difference ? alignedSides(left, right) : null;
  return { about, difference, data: difference ? [differenceOf(left, right, difference)] : [left, right] };
}

// payload: from viz_core/browser/attention_payload.py. An update must be of the same kind.
export function mountSideBySide(root: Root, payload: Uint8Array, store: Store) {
  let { about, data, difference } = read(payload);
  const isDifference = about.difference;
  const adapted = (view: View) => (isDifference ? ofWeights(view) : view);
  const roots: Root[] = data.map(() => el("div", { class: "viz-attention-view" }));
  const names: HTMLElement[] = data.map(() => el("p", { class: "name" }));
  const alone = el("p", { class: "alone" });
  const controls = mountControls(nth(data, 0).about.texts, store, () => {}, isDifference ? ableInDifference : ableInTwo);
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

  const paint = (view: View) => {
    dress(root, store.theme);
    setAttributes(root, {
      "data-covered": view.predict === "right" && !view.revealed,
      "data-lecture": isDifference && view.lecture,
      "data-aside": !isDifference && view.lecture && !about.alone,
    });
    controls.paint(adapted(view), { canWhole: false, isWhole: false });
    names.forEach((name, side) => setText(name, difference ? fill(texts.subtracted, sides(about.names)) : nameOf(side, view)));
    setText(alone, difference ? leftOut(difference) : "");
  };

  // A side says so when it has ended, or has fewer layers or heads.
  const nameOf = (side: number, view: View): string => {
    const name = about.names[side];
    const { rows, layers, heads, about: own } = nth(data, side);
    const shown = clamp(view, { layers, heads });
    if (own.steps && view.step >= rows) return fill(texts.ended, { name, step: view.step + 1 });
    if (shown === view) return name ?? "";
    return fill(texts.fewer, { name, layer: shown.layer + 1, head: shown.head + 1, layers, heads });
  };

  // The headings above each drawing in a file.
  const headings = (): string[][] => {
    if (!isDifference) return names.map(({ textContent }) => [textContent ?? ""]);
    const { left, right } = sides(about.names);
    return [[fill(texts.side_left, { name: left }), fill(texts.side_right, { name: right })]];
  };

  const scales: Scales = new Map();
  const attentions = roots.map((attention, side) => {
    const own = within(store, (view) => clamp(adapted(view), nth(data, side)));
    return mountAttentionView(attention, nth(data, side), own, scales);
  });
  const svg = () => {
    const drawings = attentions.map((attention) => attention.svg());
    return joined(drawings, headings(), store.theme);
  };
  const name = () => `${attentions[0]?.name()}-${isDifference ? "difference" : "side-by-side"}`;
  const withdraw = offerPicture({ svg, name }, store, root);
  const off = store.subscribe(paint);
  paint(store.view);
  store.repaint(); // the first view was drawn before it knew the other's scale

  const shared = { below: (view: View) => below(about.predicted, nth(data, 1), view) };
  if (about.predicted) store.give("side_by_side", shared);

  function update(bytes: Uint8Array) {
    ({ about, data, difference } = read(bytes));
    attentions.forEach((attention, side) => attention.update(nth(data, side)));
    store.repaint();
    paint(store.view);
  }

  function destroy() {
    withdraw();
    store.takeBack("side_by_side", shared);
    off();
    for (const attention of attentions) attention.destroy();
  }

  return { update, destroy, svg, name };
}

const TERMS = 5; // of a sum that are written out

// What a query gives to later positions, and how the probability of the next token changes.
function below(predicted: About["predicted"], right: Attention, view: View) {
  const step = Math.min(view.step, (predicted?.length ?? 1) - 1);
  const [read = "", next = "", before = 0, after = 0] = predicted?.[step] ?? [];
  const { layer, head } = clamp(view, right);
  const [from, to] = [step * right.columns, (step + 1) * right.columns];
  const later = Array.from(right.values(layer, head, "softmax").slice(from, to)).slice(step + 1);
  const total = later.reduce((sum, weight) => sum + weight, 0);
  return {
    text: later.length ? "of_peek" : "of_peek_last",
    ...{ query: escaped(read), next: escaped(next), before: percent(before), after: percent(after), share: percent(total) },
    ...{ i: step + 1, sum: number(total), terms: sumOf(later.map((weight) => bracketed(number(weight))), TERMS) }, // biome-ignore format: one line
  };
}

const sides = ([left, right]: About["names"]) => ({ left, right });

// The store with an adapted view; changes go to the store itself.
function within(store: Store, change: (view: View) => View): Store {
  return Object.create(store, {
    view: { get: () => change(store.view) },
    subscribe: {
      value: (act: (view: View, before: View) => void) => store.subscribe((view, before) => act(change(view), change(before))),
    },
  });
}

function clamp(view: View, { layers, heads }: { layers: number; heads: number }): View {
  return view.layer < layers && view.head < heads
    ? view
    : { ...view, layer: Math.min(view.layer, layers - 1), head: Math.min(view.head, heads - 1) };
}

const [HEADING_LINE, INDENT] = [30, 24]; // px

// Joins SVGs of `exported` side by side; headings: the lines above each.
function joined(svgs: string[], headings: string[][], theme: Theme) {
  let width = 0;
  const drawings = svgs.map((svg, at) => {
    const [, , w = 0, h = 0] = (/viewBox="([^"]+)"/.exec(svg)?.[1] ?? "").split(" ").map(Number);
    const x = width;
    width += w;
    return { svg: unique(svg, at), x, w, h, lines: nth(headings, at) };
  });
  const top = INDENT / 2 + HEADING_LINE * Math.max(...drawings.map(({ lines }) => lines.length));
  const pen = svgPen(width, top + Math.max(...drawings.map(({ h }) => h)), { ground: theme.surface });
  const style = { size: 20, bold: true, fill: theme.ink };
  for (const { lines, x, w } of drawings)
    lines.forEach((line, row) => {
      pen.text(line, x + INDENT, INDENT + row * HEADING_LINE, { ...style, max: w - 2 * INDENT });
    });
  const inner = drawings.map(({ svg, x, w, h }) => svg.replace(/<svg[^>]*>/, (tag) => placed(tag, x, top, w, h)));
  return pen.finish().replace(/<\/svg>\s*$/, `${inner.join("")}</svg>`);
}

function placed(tag: string, x: number, y: number, w: number, h: number) {
  const bare = tag.replace(/\s(x|y|width|height)="[^"]*"/g, "").slice(0, -1);
  return `${bare} x="${x}" y="${y}" width="${w}" height="${h}">`;
}

// Makes ids of patterns and clips unique, which every drawing numbers alike.
function unique(svg: string, at: number) {
  return svg.replace(/\bid="([^"]+)"/g, `id="$1-${at}"`).replace(/url\(#([^)]+)\)/g, `url(#$1-${at})`);
}
