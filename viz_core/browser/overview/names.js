// Names of the blocks, which open them, and for the keyboard a button for each block; the lanes' names link to their pages.

import { button, setAttributes, setText } from "../kit/dom";
import { clauses, fill } from "../kit/numbers";
import { NEXT_TOP, blockColumns } from "./layout.js";
import { toggle } from "./links.js";

const NAMED = ["embedding", "encoder", "memory", "masked", "cross", "softmax"];
const BLOCKS = ["embedding", "encoder", "encoder_ffn", "memory", "masked", "cross", "ffn", "softmax"];
const SMALLEST = 16; // px of a name where there is little room

export function makeNames(root, data, store, wide) {
  const { texts } = data;
  const lanes = ["encoder", "decoder"].map((stack) =>
    button("", () => store.send?.("go", `residual?stack=${stack}`), { class: `name lane ${stack}`, role: "link" }),
  );
  const name = (block) =>
    button("", () => toggle(store, block), { class: `name ${block}`, tabindex: -1, "aria-hidden": true });
  const names = Object.fromEntries(NAMED.map((block) => [block, name(block)]));
  const second = name("embedding");
  const openers = BLOCKS.map((block) => {
    const label = fill(texts.open, { name: texts.name[block] });
    return button("", () => toggle(store, block), { class: "opens", "data-opens": block, "aria-label": label });
  });
  const opener = Object.fromEntries(BLOCKS.map((block, index) => [block, openers[index]]));
  // In the order of computing, which is that of the Tab key.
  const named = (...blocks) =>
    blocks.flatMap((block) => (names[block] ? [names[block], opener[block]] : [opener[block]]));
  root.replaceChildren(
    lanes[0],
    ...named("embedding", "encoder", "encoder_ffn", "memory"),
    lanes[1],
    second,
    ...named("masked", "cross", "ffn", "softmax"),
  );
  let shown = [];
  let right = 0;

  const place = (at) => {
    const { encoder, decoder, output, text, names: top, bottom } = at;
    shown = [];
    right = decoder.end;
    lanes[1].style.right = `${at.width - right + 8}px`;
    const put = (node, words, x, y, room = Infinity) => {
      const size = Math.max(Math.min(text, Math.floor((10 * text * room) / wide(words, text)) / 10), SMALLEST);
      const width = wide(words, size);
      const left = Math.min(Math.max(x, width / 2 + 8), at.width - width / 2 - 8);
      Object.assign(node.style, { left: `${left}px`, top: `${y}px`, fontSize: `${size}px` });
      setText(node, words, { title: fill(texts.open, { name: words }) });
      const ground = node === names.memory ? "decoder" : "";
      shown.push({ text: words, x: left, y: y + size * 0.34, size, width, ground });
    };
    const y = top + text * 0.62 + 1;
    // The name, or where it has no room a shorter one.
    const fitting = (block, room) => {
      const { [block]: whole, [`${block}_short`]: short } = texts.name;
      return wide(whole, text) <= room ? whole : short;
    };
    const above = (block, { x, end }, room = end - x) =>
      put(names[block], fitting(block, room), (x + end) / 2, y, room);
    const [one, two] = [encoder, decoder].map((lane) => lane.card.x - lane.x - 8);
    const input = fitting("embedding", Math.min(one, two));
    put(names.embedding, input, encoder.x + one / 2 + 4, y, one);
    put(second, input, decoder.x + two / 2 + 4, y, two);
    above("encoder", encoder.self, encoder.self.width - 4);
    put(names.memory, texts.name.memory, (encoder.memory.end + decoder.bus.x) / 2, 14);
    const { x, end } = { x: decoder.card.x, end: decoder.bus.x };
    above("masked", { x: x + 4, end: end - 4 });
    above("cross", { x: decoder.keys.x, end: decoder.cross.end });
    put(
      names.softmax,
      texts.name.softmax,
      output.x + wide(texts.name.softmax, text) / 2 + 2,
      NEXT_TOP + 16,
      output.width,
    );
    for (const [block, [x, end]] of Object.entries(blockColumns(at))) {
      const from = block === "softmax" ? 0 : top;
      const box = { left: x, width: end - x, top: from, height: bottom - from };
      for (const [side, px] of Object.entries(box)) opener[block].style[side] = `${px}px`;
    }
  };

  const paint = ({ layer, open }) => {
    for (const [index, stack] of ["encoder", "decoder"].entries()) {
      const words = fill(texts.layer_of, { layer: layer + 1, layers: data.depth[stack] });
      setText(lanes[index], clauses([texts[stack], words]));
    }
    // a file of its own has no pages
    for (const node of lanes) node.disabled = !store.send;
    openers.forEach((node, index) => setAttributes(node, { "aria-expanded": open === BLOCKS[index] }));
  };

  // The words as they stand, for a file.
  const drawn = () => [
    ...shown,
    ...lanes.map((node, index) => {
      const width = wide(node.textContent, 18);
      return { text: node.textContent, size: 18, x: index ? right - 10 - width / 2 : 10 + width / 2, y: 20, width };
    }),
  ];
  return { place, paint, drawn };
}
