// The shape of a model, as in viz_core/config.py, read from the "model" of a config.json.

export type Stack = "encoder" | "decoder";
export type Kind = "self" | "masked" | "cross";

/** Kind of attention → its stack and block. */
export const BLOCK: Record<Kind, readonly [Stack, string]> = {
  self: ["encoder", "self_attn"],
  masked: ["decoder", "self_attn"],
  cross: ["decoder", "cross_attn"],
};
export const BLOCKS: Record<Stack, readonly string[]> = {
  encoder: ["self_attn", "ffn"],
  decoder: ["self_attn", "cross_attn", "ffn"],
};

export const attentionAt = (kind: Kind, layer: number) => `${BLOCK[kind][0]}.${layer}.${BLOCK[kind][1]}`;

const DEFAULTS = {
  d_model: 256,
  n_heads: 8,
  n_layers: 4,
  d_ff: 1024,
  max_len: 128,
  norm: "pre" as "pre" | "post",
  tied_embeddings: true,
  layer_norm_eps: 1e-5,
  n_decoder_layers: null as number | null,
  activation: "relu" as "relu" | "gelu" | "swish",
  positions: "interleaved" as "interleaved" | "halves" | "learned",
  scaled_embeddings: true,
  embedding_norm: false,
  final_norm: null as boolean | null,
  decoder_final_norm: null as boolean | null,
  layer_norm: "variance" as "variance" | "deviation",
  tied_generator: null as boolean | "source" | null,
  output_bias: false,
  pad_id: 0,
  bos_id: 1,
  eos_id: 2,
  unk_id: 3 as number | null,
  source_start: [] as number[],
  source_end: [] as number[],
  first_id: null as number | null,
  never_ids: [] as number[],
  decoder: "causal" as "causal" | "masked",
};

/** The same fields as in Python, where they are explained. */
export type ModelConfig = typeof DEFAULTS & { source_vocab: number; target_vocab: number };

export const readConfig = (fields: object) => ({ ...DEFAULTS, ...fields }) as ModelConfig;

export const layersOf = (config: ModelConfig, stack: Stack) =>
  stack === "decoder" ? config.n_decoder_layers || config.n_layers : config.n_layers;

/** Whether a LayerNorm ends the stack. */
export function hasFinalNorm(config: ModelConfig, stack: Stack) {
  const own = stack === "decoder" ? config.decoder_final_norm : null;
  return own ?? config.final_norm ?? config.norm === "pre";
}

/** The parameter that is the output matrix: one of the embeddings where it is tied. */
export function generatorWeight(config: ModelConfig) {
  if (!(config.tied_generator ?? config.tied_embeddings)) return "generator.weight";
  return config.tied_embeddings || config.tied_generator === "source" ? "source_embedding.weight" : "target_embedding.weight";
}

/** The tokens that end a sentence. A model that writes padding has stopped, too. */
export const endsOf = ({ eos_id, pad_id }: ModelConfig) => [eos_id, pad_id];

/** The ids of all tokens that stand for no text. */
export function specialIds(c: ModelConfig) {
  const named = [c.pad_id, c.bos_id, c.eos_id, c.unk_id, c.first_id].filter((id) => id !== null);
  return [...new Set([...named, ...c.source_start, ...c.source_end, ...c.never_ids])];
}

/** Tokens of the longest sentence that the encoder can read, without special ones. */
export const longestSource = (c: ModelConfig) => c.max_len - 1 - c.source_start.length - c.source_end.length;

/** Generous limit on the length of a translation, within the model's positions. */
export const maxSteps = (c: ModelConfig, sourceLength: number) => Math.min(c.max_len, 2 * sourceLength + 10);
