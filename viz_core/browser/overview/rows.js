// Rows of the overview, one per token, in the encoder's and in the decoder's lane: tokens, their vectors as prints, and
// the ribbons of the three attentions. Keyed by token, updated in place; only the rows in view have ribbons.

import { setAttributes, setText, svgEl } from "../kit/dom";
import { clipped } from "../kit/pen";
import { KINDS } from "./data.js";
import { HOT, KEY_INSET, wayBackAt } from "./layout.js";
import { printColumn, printsOf } from "./images.js";
import { pointedRibbons, makeRibbons, rowsWithRibbons } from "./ribbons.js";
import { blockGroup } from "./scene.js";

const UNITS = 4; // lines of hidden units, as many in a line as in the lens
const READ = 0.05; // the weight from which a source token is read

export function makeRows(svg, data, theme) {
  const bands = [0, 1].map(() => svgEl("rect", { class: "now vm-moves", rx: 6 }));
  const source = labels(data.source, "end");
  const target = labels(data.target, "end");
  const keys = labels(data.source, "start");
  const slots = data.target.map(() => svgEl("rect", { class: "slot", rx: 6 }));
  const hatches = data.target.map(() => svgEl("rect", { class: "hatch", rx: 3 }));
  const branches = svgEl("path", { class: "bus", "stroke-width": 2.5 });
  const wayBack = svgEl("path", { class: "arrow way-back" }); // of the written token, up to where it is read next
  const tip = svgEl("path", { class: "tip" });
  const ribbons = Object.fromEntries(KINDS.map((kind) => [kind, makeRibbons(kind)]));
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
  const made = new Map();
  let at = null;
  let hidden = {}; // of each layer
  let shown = {};
  let placed = 0;

  const column = (name, place, count, limit) => {
    if (!made.has(name)) made.set(name, printsOf(data.print(name), count, limit, theme.diverging));
    return printColumn(made.get(name), place, count, at);
  };

  // The hidden units of the feed-forward, which of them are active.
  const unitsColumn = (stack, layer, place, count) => {
    const key = `units ${stack} ${layer}`;
    const name = `${stack}_ffn_hidden`;
    if (!made.has(key))
      made.set(key, printsOf(data.print(name, layer), count, data.limits[name], theme.diverging, UNITS));
    return printColumn(made.get(key), place, count, at);
  };

  const place = (layout) => {
    at = layout;
    shown = {};
    placed += 1;
    const { encoder, decoder, pitch, middle, font, rows, width } = layout;
    const { limits, S, T } = data;
    setAttributes(svg, { width, height: rows * pitch, viewBox: `0 0 ${width} ${rows * pitch}` });
    const write = (nodes, all, x, room) =>
      nodes.forEach((node, index) => {
        const words = clipped(all[index], room, font, true);
        setText(node, words, { x, y: middle(index) + font * 0.34, "font-size": font });
      });
    write(source, data.source, encoder.tokens.end, encoder.tokens.width);
    write(target, data.target, decoder.tokens.end, decoder.tokens.width);
    write(keys, data.source, decoder.keys.x + KEY_INSET, decoder.keys.width - KEY_INSET);
    const spread = (nodes, inset, box) =>
      nodes.forEach((node, index) =>
        setAttributes(node, { ...box, y: index * pitch + inset, height: pitch - 2 * inset }),
      );
    spread(slots, 3, { x: decoder.tokens.x - 3, width: decoder.tokens.width + 6 });
    spread(hatches, 2, { x: decoder.masked.x, width: 16 });
    const trunk = decoder.bus.x + 3;
    setAttributes(branches, {
      d: data.source.map((_, index) => `M${trunk} ${middle(index)}h8m-4 -3.5l4 3.5l-4 3.5`).join(""),
    });
    const spans = [
      [decoder.x + 3, decoder.card.x - 2], // not up to the source tokens, which it is not about
      [decoder.cross.end, decoder.card.end - 4],
    ];
    spans.forEach(([x, end], index) => setAttributes(bands[index], { x, y: 1, width: end - x, height: pitch - 2 }));
    hidden = {};
    for (const [side, stack, lane, count] of [
      ["source", "encoder", encoder, S],
      ["target", "decoder", decoder, T],
    ]) {
      const parts = lane.positions ? ["embedding", "positions"] : ["input"];
      const inputs = parts.map((part) => column(`${side}_${part}`, lane[part], count, limits.input));
      const plus = (row) => svgEl("path", { class: "plus", d: `M${lane.embedding.end + 4} ${middle(row)}h8m-4 -4v8` });
      const signs = lane.positions ? Array.from({ length: count }, (_, row) => plus(row)) : [];
      prints[side].replaceChildren(...inputs, ...signs);
      hidden[stack] = Array.from({ length: data.layers }, (_, layer) => unitsColumn(stack, layer, lane.ffn, count));
      prints[`${stack}_ffn`].replaceChildren(...hidden[stack]);
    }
    prints.memory.replaceChildren(column("memory", encoder.memory, S, limits.memory));
  };

  // inView: [from, to] of each side's rows in view; top: px that the longer side is scrolled. What is as it was before is left alone.
  const paint = ({ step, layer, head }, inView, top, hideCross) => {
    const stamp = `${placed} ${layer} ${head}`;
    const scrolled = at.scrolled(top);
    for (const [side, group] of Object.entries(sides))
      setAttributes(group, { transform: `translate(0 ${top - scrolled[side]})` });
    const shift = scrolled.target - scrolled.source;
    for (const kind of KINDS) {
      const range = rowsWithRibbons(kind, data, step, inView[kind === "self" ? "source" : "target"]);
      const weightsOf = (query) => data.weights(kind, layer, head, query);
      if (kind === "cross") ribbons.cross.draw(weightsOf, range, at, at.place.cross, `${stamp} ${shift}`, shift);
      else ribbons[kind].draw(weightsOf, range, at, at.place[kind], stamp);
      if (kind !== "self") ribbons[kind].highlight(step);
    }
    ribbons.cross.group.classList.toggle("guess", hideCross);
    follow(hideCross ? null : data.weights("cross", layer, head, step));
    for (const images of shown.layer === layer ? [] : Object.values(hidden)) {
      images.forEach((image, index) => {
        image.style.display = index === layer ? "" : "none";
      });
    }
    if (shown.step !== step) written(step);
    Object.assign(shown, { step, layer });
  };

  // The source tokens that this step reads, and what the strongest of them has looked at itself. weights: of the cross
  // attention, null where they are to be guessed.
  const follow = (weights) => {
    const most = weights ? weights.indexOf(Math.max(...weights)) : -1;
    keys.forEach((node, key) => {
      node.classList.toggle("read", key === most);
      node.classList.toggle("quiet", Boolean(weights) && weights[key] < READ);
    });
    source.forEach((node, key) => {
      node.classList.toggle("read", key === most);
    });
    ribbons.self.group.classList.toggle("one", most >= 0);
    ribbons.self.highlight(most);
  };

  // The target as far as it is written at this step.
  const written = (step) => {
    clip.setAttribute("height", (step + 1) * at.pitch);
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
    setAttributes(wayBack, {
      d: isRead ? `M${lane} ${from}V${to + 6}Q${lane} ${to} ${lane + 6} ${to}H${slot - 7}` : "",
    });
    setAttributes(tip, { d: isRead ? `M${slot} ${to}l-9 -6v12z` : "" });
    hatch(step);
  };

  // What the token of this row may not look at.
  const hatch = (query) => {
    if (shown.hatched === query) return;
    shown.hatched = query;
    hatches.forEach((node, key) => {
      node.style.display = data.allowed("masked", query, key) ? "none" : "";
    });
  };

  // Something is pointed at: {kind, query, key} or {region, index}; null: nothing.
  let enlarged = [];
  const enlarge = (hot) => {
    for (const node of enlarged) {
      node.classList.toggle("hot", hot);
      setAttributes(node, { "font-size": at.font + (hot ? HOT : 0) });
    }
  };
  const point = (thing, step) => {
    const pointed = pointedRibbons(thing, step);
    const columns = { self: [source, source], masked: [target, target], cross: [target, keys] };
    enlarge(false);
    enlarged = [];
    for (const kind of KINDS) {
      const [query = null, key = null] = pointed[kind] ?? [];
      ribbons[kind].point(query, key);
      const [queries, keyed] = columns[kind];
      enlarged.push(queries[query], keyed[key], kind === "cross" ? source[key] : null); // the key's own row in the encoder
    }
    enlarged = [...new Set(enlarged.filter(Boolean))];
    enlarge(true);
    hatch(pointed.masked?.[0] ?? step);
  };

  return { place, paint, point, target };
}

function labels(all, anchor) {
  return all.map(() => svgEl("text", { class: "token", "text-anchor": anchor }));
}
