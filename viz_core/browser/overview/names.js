// Names of the lanes and blocks, which link to their pages, and a button for each block that opens it.

import { el } from "../kit/dom.js";
import { fill } from "../kit/numbers.js";
import { toggle } from "./opened.js";

const PAGES = {
  embedding: "embeddings",
  encoder: "self_attention",
  memory: "qkv?kind=cross",
  masked: "masked_attention",
  cross: "cross_attention",
  softmax: "output",
};
const SMALLEST = 16; // px of a name where there is little room

export function makeNames(root, data, store, wide) {
  const { texts } = data;
  const name = (key, page) =>
    el("button", { type: "button", class: `name ${key}`, role: "link", onclick: () => store.send?.("go", page) });
  const lanes = ["encoder", "decoder"].map((stack) => name(`lane ${stack}`, `residual?stack=${stack}`));
  const names = Object.fromEntries(Object.entries(PAGES).map(([key, page]) => [key, name(key, page)]));
  const second = name("embedding", PAGES.embedding);
  const blocks = Object.fromEntries(
    ["embedding", "encoder", "encoder_ffn", "memory", "masked", "cross", "ffn", "softmax"].map((block) => {
      const label = fill(texts.open, { name: texts.name[block] });
      return [
        block,
        el("button", {
          type: "button",
          class: "opens",
          "data-opens": block,
          "aria-label": label,
          onclick: () => toggle(store, block),
        }),
      ];
    }),
  );
  // In the order of computing, which is that of the Tab key.
  root.replaceChildren(
    lanes[0],
    names.embedding,
    blocks.embedding,
    names.encoder,
    blocks.encoder,
    blocks.encoder_ffn,
    names.memory,
    blocks.memory,
    lanes[1],
    second,
    names.masked,
    blocks.masked,
    names.cross,
    blocks.cross,
    blocks.ffn,
    names.softmax,
    blocks.softmax,
  );
  let shown = [];
  let right = 0;

  const place = (at) => {
    const { encoder, decoder, head, view, foot, text, names: top } = at;
    const y = top + text * 0.62 + 1;
    const middle = ({ x, end }) => (x + end) / 2;
    shown = [];
    right = at.width;
    const put = (node, words, x, line, room = Infinity) => {
      const size = Math.max(Math.min(text, Math.floor((text * room) / wide(words, text))), SMALLEST);
      const width = wide(words, size);
      const left = Math.min(Math.max(x, width / 2 + 8), at.width - width / 2 - 8);
      Object.assign(node.style, { left: `${left}px`, top: `${line}px`, fontSize: `${size}px` });
      node.textContent = words;
      node.title = fill(texts.page, { name: words });
      shown.push({
        text: words,
        x: left,
        y: line + size * 0.34,
        size,
        width,
        ground: node === names.memory ? "decoder" : "",
      });
    };
    const input = (lane) => ({ x: lane.x, end: lane.card.x });
    const long = (lane) =>
      wide(texts.name.embedding, text) <= lane.card.x - lane.x - 8 ? texts.name.embedding : texts.name.embedding_short;
    put(names.embedding, long(encoder), middle(input(encoder)), y, encoder.card.x - encoder.x - 6);
    put(second, long(decoder), middle(input(decoder)), y, decoder.card.x - decoder.x - 6);
    put(names.encoder, texts.name.encoder, middle(encoder.self), y, encoder.self.width + 4);
    put(names.memory, texts.name.memory, (encoder.memory.end + decoder.bus.x) / 2, 14);
    put(names.masked, texts.name.masked, middle(decoder.masked), y, decoder.masked.width + 18);
    put(names.cross, texts.name.cross, middle({ x: decoder.keys.x, end: decoder.cross.end }), y);
    put(
      names.softmax,
      texts.name.softmax,
      decoder.card.end - 14 - wide(texts.name.softmax, text) / 2,
      head + view + 46,
    );
    const cover = (block, x, end, from, height) => {
      Object.assign(blocks[block].style, {
        left: `${x}px`,
        width: `${end - x}px`,
        top: `${from}px`,
        height: `${height}px`,
      });
    };
    const tall = head + view - top;
    cover("embedding", encoder.tokens.x, encoder.input.end, top, tall);
    cover("encoder", encoder.self.x, encoder.self.end, top, tall);
    cover("encoder_ffn", encoder.ffn.x, encoder.ffn.end, top, tall);
    cover("memory", encoder.memory.x, encoder.memory.end, top, tall);
    cover("masked", decoder.masked.x, decoder.masked.end, top, tall);
    cover("cross", decoder.keys.x, decoder.cross.end, top, tall);
    cover("ffn", decoder.ffn.x, decoder.ffn.end, top, tall);
    cover("softmax", at.bars.labels, decoder.end - 8, head + view + 4, foot - 8);
  };

  const paint = ({ layer, open }) => {
    lanes.forEach((node, index) => {
      const stack = texts[["encoder", "decoder"][index]];
      const words = `${stack}, ${fill(texts.layer_of, { layer: layer + 1, layers: data.layers })}`;
      if (node.textContent !== words) node.textContent = words;
    });
    // a file of its own has no pages
    for (const node of [...lanes, ...Object.values(names), second]) node.disabled = !store.send;
    for (const [block, node] of Object.entries(blocks)) node.setAttribute("aria-expanded", String(open === block));
  };

  // The words as they stand, for a file.
  const drawn = () => [
    ...shown,
    ...lanes.map((node) => {
      const width = wide(node.textContent, 18);
      const left = node.classList.contains("encoder") ? 10 : right - width - 10;
      return { text: node.textContent, size: 18, x: left + width / 2, y: 20, width };
    }),
  ];
  return { place, paint, drawn };
}
