// Names of the lanes and blocks, which link to their pages, and a button for each block that opens it.

import { button, setAttributes, setText } from "../kit/dom.js";
import { fill } from "../kit/numbers.js";
import { blockColumns } from "./layout.js";
import { toggle } from "./links.js";

const PAGES = {
  embedding: "embeddings",
  encoder: "self_attention",
  memory: "qkv?kind=cross",
  masked: "masked_attention",
  cross: "cross_attention",
  softmax: "output",
};
const BLOCKS = ["embedding", "encoder", "encoder_ffn", "memory", "masked", "cross", "ffn", "softmax"];
const SMALLEST = 16; // px of a name where there is little room

export function makeNames(root, data, store, wide) {
  const { texts } = data;
  const name = (kind, page) => button("", () => store.send?.("go", page), { class: `name ${kind}`, role: "link" });
  const lanes = ["encoder", "decoder"].map((stack) => name(`lane ${stack}`, `residual?stack=${stack}`));
  const names = Object.fromEntries(Object.entries(PAGES).map(([block, page]) => [block, name(block, page)]));
  const second = name("embedding", PAGES.embedding);
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
    const { encoder, decoder, head, view, foot, text, names: top } = at;
    shown = [];
    right = at.width;
    const put = (node, words, x, y, room = Infinity) => {
      const size = Math.max(Math.min(text, Math.floor((text * room) / wide(words, text))), SMALLEST);
      const width = wide(words, size);
      const left = Math.min(Math.max(x, width / 2 + 8), at.width - width / 2 - 8);
      Object.assign(node.style, { left: `${left}px`, top: `${y}px`, fontSize: `${size}px` });
      setText(node, words, { title: fill(texts.page, { name: words }) });
      const ground = node === names.memory ? "decoder" : "";
      shown.push({ text: words, x: left, y: y + size * 0.34, size, width, ground });
    };
    const y = top + text * 0.62 + 1;
    const above = (block, { x, end }, room) => put(names[block], texts.name[block], (x + end) / 2, y, room);
    const input = (node, lane) => {
      const space = lane.card.x - lane.x;
      const { embedding, embedding_short: short } = texts.name;
      put(node, wide(embedding, text) <= space - 8 ? embedding : short, lane.x + space / 2, y, space - 6);
    };
    input(names.embedding, encoder);
    input(second, decoder);
    above("encoder", encoder.self, encoder.self.width + 4);
    put(names.memory, texts.name.memory, (encoder.memory.end + decoder.bus.x) / 2, 14);
    const { x, end } = { x: decoder.card.x, end: decoder.bus.x };
    above("masked", { x, end }, end - x);
    above("cross", { x: decoder.keys.x, end: decoder.cross.end });
    const { softmax } = texts.name;
    put(names.softmax, softmax, decoder.card.end - 14 - wide(softmax, text) / 2, head + view + 46);
    for (const [block, [x, end]] of Object.entries(blockColumns(at))) {
      const [from, height] = block === "softmax" ? [head + view + 4, foot - 8] : [top, head + view - top];
      const box = { left: x, width: end - x, top: from, height };
      for (const [side, px] of Object.entries(box)) opener[block].style[side] = `${px}px`;
    }
  };

  const paint = ({ layer, open }) => {
    const words = fill(texts.layer_of, { layer: layer + 1, layers: data.layers });
    setText(lanes[0], `${texts.encoder}, ${words}`);
    setText(lanes[1], `${texts.decoder}, ${words}`);
    // a file of its own has no pages
    for (const node of [...lanes, ...Object.values(names), second]) node.disabled = !store.send;
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
