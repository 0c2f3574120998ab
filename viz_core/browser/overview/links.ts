// Where a block leads: into the lens and to its pages; and the block that contains a page's quantity.

import type { Store } from "../../web/src/ui/store";
import type { Overview } from "./data";
import { OPENS } from "../kit/operations";

// Opens a block, or closes it.
export function toggle(store: Store, block: string) {
  store.set({ open: store.view.open === block ? "" : block, cell: null });
}

const sublayer = (stack: string, block: string) => [`residual?stack=${stack}&show=norm&sublayer_${stack}=${stack}_${block}`];

const PAGES: Record<string, string[]> = {
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

// The pages of a block.
export function linksOf(texts: Overview["texts"], block: string) {
  const nameOf = (address: string) => texts[address.replace(/\?.*/, "") as "tokens"];
  return (PAGES[block] ?? []).map((address): [name: string, address: string] => [nameOf(address), address]);
}

const blockWith = (end: string) => Object.keys(PAGES).find((block) => PAGES[block]?.some((address) => address.endsWith(end)));

// The block of a page; undefined for a page without one. parameters: of the page's address.
export function blockOf(page: string, parameters = new URLSearchParams()) {
  if (page === "qkv") return `${(OPENS as Record<string, string>)[parameters.get("kind") ?? "self"] ?? "encoder"}_qkv`;
  if (page !== "residual") return blockWith(page);
  const stack = parameters.get("stack") === "decoder" ? "decoder" : "encoder";
  const withSublayer = (name: string) =>
    blockWith(name === `${stack}_ffn` ? `residual?stack=${stack}&show=ffn` : `sublayer_${stack}=${name}`);
  return (
    withSublayer(parameters.get(`sublayer_${stack}`) ?? "") ??
    withSublayer(`${stack}_${parameters.get("show") === "ffn" ? "ffn" : "self_attn"}`)
  );
}
