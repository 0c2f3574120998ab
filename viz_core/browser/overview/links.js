// Where a block leads: into the lens, and to its pages.

// Opens a block, or closes it.
export function toggle(store, block) {
  store.set({ open: store.view.open === block ? "" : block, cell: null });
}

const sublayer = (stack, block) => [`residual?stack=${stack}&show=norm&sublayer_${stack}=${stack}_${block}`];

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
  encoder_out: sublayer("encoder", "self_attn"),
  masked_out: sublayer("decoder", "self_attn"),
  cross_out: sublayer("decoder", "cross_attn"),
  softmax: ["output"],
};

// [words, address] of each page of a block.
export function linksOf(texts, block) {
  return PAGES[block].map((address) => [texts[address.split("?")[0]], address]);
}
