// Rows of the overview, one per token, in the encoder's and in the decoder's lane: tokens, their vectors as prints, and
// the ribbons of the three attentions. Keyed by token, updated in place; only the rows in view have ribbons.

import { nth } from "../../web/src/payload";
import type { Theme, View } from "../../web/src/ui/store";
import { setAttributes, setText, svgEl } from "../kit/dom";
import { clipped } from "../kit/pen";
import { KINDS, type Overview, SIDES, STACKS, type Side, type Stack, type Thing } from "./data";
import { HOT, KEY_INSET, type Layout, type Span, wayBackAt } from "./layout";
import { printColumn, printsOf } from "./images";
import { type Range, makeRibbons, pointedRibbons, rowsWithRibbons } from "./ribbons";

const UNITS = 4; // lines of hidden units, as many in a line as in the lens
const READ = 0.05; // the weight from which a source token is read

export function makeRows(svg: SVGElement, data: Overview, theme: Theme) {
  const bands = [0, 1].map(() => svgEl("rect", { class: "now vm-moves", rx: 6 }));
  const source = labels(data.source, "end");
  const target = labels(data.target, "end");
  const keys = labels(data.source, "start");
  const slots = data.target.map(() => svgEl("rect", { class: "slot", rx: 6 }));
  const hatches = data.target.map(() => svgEl("rect", { class: "hatch", rx: 3 }));
  const branches = svgEl("path", { class: "bus", "stroke-width": 2.5 });
  const wayBack = svgEl("path", { class: "arrow way-back" }); // of the written token, up to where it is read next
  const tip = svgEl("path", { class: "tip" });
  const ribbons = { self: makeRibbons("self"), masked: makeRibbons("masked"), cross: makeRibbons("cross") };
  const clip = svgEl("rect", { x: 0, y: 0, width: 4000 });
  const soFar = { "clip-path": "url(#vm-written)" };
  const prints = {
    source: svgEl("g"),
    target: svgEl("g", soFar),
    encoder_ffn: svgEl("g"),
    decoder_ffn: svgEl("g", soFar),
    memory: svgEl("g"),
  };
  const sides = {
    target: svgEl(
      "g",
      {},
      ...bands,
      blockGroup("embedding", prints.target),
      ...slots,
      wayBack,
      tip,
      ...target,
      blockGroup("masked", ribbons.masked.group, ...hatches),
      blockGroup("cross", ribbons.cross.group),
      blockGroup("ffn", prints.decoder_ffn),
    ),
    source: svgEl(
      "g",
      {},
      blockGroup("embedding", prints.source),
      ...source,
      ...keys,
      blockGroup("encoder", ribbons.self.group),
      blockGroup("encoder_ffn", prints.encoder_ffn),
      blockGroup("memory", prints.memory, branches),
    ),
  }; // each scrolls by itself
  svg.append(svgEl("clipPath", { id: "vm-written" }, clip), sides.target, sides.source);
  const made = new Map<string, string>();
  let at: Layout;
  let hidden: SVGElement[][] = []; // of each stack, by layer
  let shown: { step?: number; layer?: number; hatched?: number } = {};
  let placed = 0;

  const once = (key: string, make: () => string) => {
    const picture = made.get(key) ?? make();
    made.set(key, picture);
    return picture;
  };
  const column = (name: string, place: Span, count: number, limit = 1) => {
    const picture = once(name, () => printsOf(data.print(name), count, limit, theme.diverging));
    return printColumn(picture, place, count, at.pitch);
  };

  // The hidden units of the feed-forward, which of them are active.
  const unitsColumn = (stack: Stack, layer: number, place: Span, count: number) => {
    const name = `${stack}_ffn_hidden`;
    const draw = () => printsOf(data.print(name, layer), count, data.limits[name] ?? 1, theme.diverging, UNITS);
    return printColumn(once(`${name} ${layer}`, draw), place, count, at.pitch);
  };

  const place = (layout: Layout) => {
    at = layout;
    shown = {};
    placed += 1;
    const { encoder, decoder, pitch, middle, font, rows, width } = layout;
    const { limits } = data;
    setAttributes(svg, { width, height: rows * pitch, viewBox: `0 0 ${width} ${rows * pitch}` });
    const write = (nodes: SVGElement[], all: string[], x: number, room: number) =>
      nodes.forEach((node, index) => {
        const words = clipped(nth(all, index), room, font, true);
        setText(node, words, { x, y: middle(index) + font * 0.34, "font-size": font });
      });
    write(source, data.source, encoder.tokens.end, encoder.tokens.width);
    write(target, data.target, decoder.tokens.end, decoder.tokens.width);
    write(keys, data.source, decoder.keys.x + KEY_INSET, decoder.keys.width - KEY_INSET);
    const spread = (nodes: SVGElement[], inset: number, box: Record<string, number>) =>
      nodes.forEach((node, index) => setAttributes(node, { ...box, y: index * pitch + inset, height: pitch - 2 * inset }));
    spread(slots, 3, { x: decoder.tokens.x - 3, width: decoder.tokens.width + 6 });
    spread(hatches, 2, { x: decoder.masked.x, width: 16 });
    const trunk = decoder.bus.x + 3;
    setAttributes(branches, { d: data.source.map((_, index) => `M${trunk} ${middle(index)}h8m-4 -3.5l4 3.5l-4 3.5`).join("") });
    const spans = [
      [decoder.x + 3, decoder.card.x - 2], // not up to the source tokens, which it is not about
      [decoder.cross.end, decoder.card.end - 4],
    ] as const;
    bands.forEach((band, index) => {
      const [x, end] = nth(spans, index);
      setAttributes(band, { x, y: 1, width: end - x, height: pitch - 2 });
    });
    hidden = STACKS.map((stack) => {
      const side = stack === "encoder" ? "source" : "target";
      const count = data[side].length;
      const { input, embedding, positions, ffn } = layout[stack];
      const print = (part: string, place: Span) => column(`${side}_${part}`, place, count, limits.input);
      if (positions) {
        const plus = (row: number) => `M${embedding.end + 4} ${middle(row)}h8m-4 -4v8`;
        const signs = data[side].map((_, row) => svgEl("path", { class: "plus", d: plus(row) }));
        prints[side].replaceChildren(print("embedding", embedding), print("positions", positions), ...signs);
      } else prints[side].replaceChildren(print("input", input));
      const units = Array.from({ length: data.layers }, (_, layer) => unitsColumn(stack, layer, ffn, count));
      prints[`${stack}_ffn`].replaceChildren(...units);
      return units;
    });
    prints.memory.replaceChildren(column("memory", encoder.memory, data.S, limits.memory));
  };

  // inView: of each side's rows in view; top: px that the longer side is scrolled. What is as it was before is left alone.
  const paint = ({ step, layer, head }: View, inView: Record<Side, Range>, top: number, hideCross: boolean) => {
    const stamp = `${placed} ${layer} ${head}`;
    const scrolled = at.scrolled(top);
    for (const side of SIDES) setAttributes(sides[side], { transform: `translate(0 ${top - scrolled[side]})` });
    const shift = scrolled.target - scrolled.source;
    for (const kind of KINDS) {
      const range = rowsWithRibbons(kind, data, step, inView[kind === "self" ? "source" : "target"]);
      const weightsOf = (query: number) => data.weights(kind, layer, head, query);
      if (kind === "cross") ribbons.cross.draw(weightsOf, range, at, at.place.cross, `${stamp} ${shift}`, shift);
      else ribbons[kind].draw(weightsOf, range, at, at.place[kind], stamp);
      if (kind !== "self") ribbons[kind].highlight(step);
    }
    ribbons.cross.group.classList.toggle("guess", hideCross);
    follow(hideCross ? null : data.weights("cross", layer, head, step));
    for (const images of shown.layer === layer ? [] : hidden) {
      images.forEach((image, index) => {
        image.style.display = index === layer ? "" : "none";
      });
    }
    if (shown.step !== step) written(step);
    Object.assign(shown, { step, layer });
  };

  // The source tokens that this step reads, and what the strongest of them has looked at itself. weights: of the cross
  // attention, null where they are to be guessed.
  const follow = (weights: Float32Array | null) => {
    const most = weights ? weights.indexOf(Math.max(...weights)) : -1;
    keys.forEach((node, key) => {
      node.classList.toggle("read", key === most);
      node.classList.toggle("quiet", weights !== null && nth(weights, key) < READ);
    });
    source.forEach((node, key) => {
      node.classList.toggle("read", key === most);
    });
    ribbons.self.group.classList.toggle("one", most >= 0);
    ribbons.self.highlight(most);
  };

  // The target as far as it is written at this step.
  const written = (step: number) => {
    setAttributes(clip, { height: (step + 1) * at.pitch });
    for (const band of bands) band.style.transform = `translateY(${step * at.pitch}px)`;
    target.forEach((node, row) => {
      node.style.display = row <= step ? "" : "none";
      node.classList.toggle("highlighted", row === step);
    });
    slots.forEach((node, row) => {
      node.style.display = row > step ? "" : "none";
      node.classList.toggle("next", row === step + 1);
    });
    const [from, to] = [at.rows * at.pitch, at.middle(step + 1)];
    const [lane, slot] = [wayBackAt(at), at.decoder.tokens.x - 4];
    const isRead = step + 1 < data.T;
    setAttributes(wayBack, { d: isRead ? `M${lane} ${from}V${to + 6}Q${lane} ${to} ${lane + 6} ${to}H${slot - 7}` : "" });
    setAttributes(tip, { d: isRead ? `M${slot} ${to}l-9 -6v12z` : "" });
    hatch(step);
  };

  // What the token of this row may not look at.
  const hatch = (query: number) => {
    if (shown.hatched === query) return;
    shown.hatched = query;
    hatches.forEach((node, key) => {
      node.style.display = data.allowed("masked", query, key) ? "none" : "";
    });
  };

  let enlarged: SVGElement[] = [];
  const enlarge = (hot: boolean) => {
    for (const node of enlarged) {
      node.classList.toggle("hot", hot);
      setAttributes(node, { "font-size": at.font + (hot ? HOT : 0) });
    }
  };
  const point = (thing: Thing | null, step: number) => {
    const pointed = pointedRibbons(thing, step);
    const queries = { self: source, masked: target, cross: target };
    const keyed = { self: [source], masked: [target], cross: [keys, source] }; // also the key's own row in the encoder
    enlarge(false);
    const hot = KINDS.flatMap((kind) => {
      const [query = -1, key = -1] = pointed[kind] ?? [];
      ribbons[kind].point(query, key);
      return [queries[kind][query], ...keyed[kind].map((nodes) => nodes[key])];
    });
    enlarged = [...new Set(hot.filter((node) => node !== undefined))];
    enlarge(true);
    hatch(pointed.masked?.[0] ?? step);
  };

  return { place, paint, point, target };
}

// What opens as one block.
const blockGroup = (block: string, ...children: Element[]) => svgEl("g", { "data-block": block }, ...children);

function labels(all: string[], anchor: string): SVGElement[] {
  return all.map(() => svgEl("text", { class: "token", "text-anchor": anchor }));
}
