// The block of the overview in which a page's quantity is seen among the others.

import { OPENS } from "../kit/operations";

const BLOCKS: Record<string, string> = {
  tokens: "embedding",
  embeddings: "embedding",
  positions: "embedding",
  self_attention: "encoder",
  masked_attention: "masked",
  cross_attention: "cross",
  output: "softmax",
};
const SUBLAYERS: Record<string, string> = {
  encoder_self_attn: "encoder_out",
  encoder_ffn: "encoder_ffn",
  decoder_self_attn: "masked_out",
  decoder_cross_attn: "cross_out",
  decoder_ffn: "ffn",
};

// asked: the parameters of the page's address. Undefined for a page of its own kind.
export function blockOf(page: string, asked = new URLSearchParams()) {
  if (page === "qkv") return `${(OPENS as Record<string, string>)[asked.get("kind") ?? "self"] ?? "encoder"}_qkv`;
  if (page !== "residual") return BLOCKS[page];
  const stack = asked.get("stack") === "decoder" ? "decoder" : "encoder";
  const first = asked.get("show") === "ffn" ? `${stack}_ffn` : `${stack}_self_attn`;
  return SUBLAYERS[asked.get(`sublayer_${stack}`) ?? ""] ?? SUBLAYERS[first];
}
