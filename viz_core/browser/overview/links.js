// Where a block leads: into the lens, and to its pages.

import { partOf } from "../kit/operations.js";

// Opens a block, or closes it.
export function toggle(store, block) {
  store.set({ open: store.view.open === block ? "" : block, cell: null });
}

const PAGES = {
  embedding: ["tokens", "embeddings", "positions"],
  encoder_qkv: ["qkv?kind=self"],
  masked_qkv: ["qkv?kind=masked"],
  cross_qkv: ["qkv?kind=cross"],
  encoder: ["self_attention"],
  masked: ["masked_attention"],
  cross: ["cross_attention"],
  encoder_ffn: ["residual?stack=encoder&show=ffn"],
  memory: ["qkv?kind=cross"],
  ffn: ["residual?stack=decoder&show=ffn"],
  softmax: ["output"],
};

// [words, address] of each page of a block.
export function linksOf(texts, block) {
  const stack = partOf(block) === "encoder" ? "encoder" : "decoder";
  const pages = PAGES[block] ?? [`residual?stack=${stack}&show=norm`];
  return pages.map((address) => {
    const page = address.split("?")[0];
    return [texts[page] ?? texts.lens.page, address];
  });
}
