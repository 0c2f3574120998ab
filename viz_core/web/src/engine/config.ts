// The shape of a model, as in viz_core/config.py, read from the "model" of a config.json; and its weights.

import { entriesOf } from "../payload";
import { countOf, kept } from "./product";
import type { Tensor } from "./tensor";

export type Stack = "encoder" | "decoder";
export type Block = "self_attn" | "cross_attn" | "ffn";
export type Kind = "self" | "masked" | "cross";

/** Kind of attention → its stack and block. */
export const BLOCK: Record<Kind, readonly [Stack, Exclude<Block, "ffn">]> = {
  self: ["encoder", "self_attn"],
  masked: ["decoder", "self_attn"],
  cross: ["decoder", "cross_attn"],
};
export const BLOCKS: Record<Stack, readonly Block[]> = {
  encoder: ["self_attn", "ffn"],
  decoder: ["self_attn", "cross_attn", "ffn"],
};

export const attentionAt = (kind: Kind, layer: number) => `${BLOCK[kind][0]}.${layer}.${BLOCK[kind][1]}` as const;

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

export const layersOf = (config: Pick<ModelConfig, "n_layers" | "n_decoder_layers">, stack: Stack) =>
  stack === "decoder" ? config.n_decoder_layers || config.n_layers : config.n_layers;

/** Whether a LayerNorm ends the stack. */
export function hasFinalNorm(config: Pick<ModelConfig, "norm" | "final_norm" | "decoder_final_norm">, stack: Stack) {
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

// The weights of a model by the names of viz_core's parameters, read from a safetensors file.

/** Weights below a prefix: `weights.at("encoder.norm").get("gamma")`. */
export class Weights {
  constructor(
    private readonly tensors: Readonly<Record<string, Tensor>>,
    private readonly prefix = "",
  ) {}

  at(part: string | number) {
    return new Weights(this.tensors, `${this.prefix}${part}.`);
  }

  /** How many numbers the model has. */
  get count() {
    return Object.values(this.tensors).reduce((sum, { shape }) => sum + countOf(shape), 0);
  }

  get(name: string): Tensor {
    const found = this.tensors[this.prefix + name];
    if (!found) throw new Error(`the file of weights lacks ${this.prefix}${name}`);
    return found;
  }
}

/** float32, float16 and bfloat16 alike are read as float32. */
export function readWeights(content: Uint8Array) {
  const entries = entriesOf(content).entries.map(({ name, shape, halves, read }) => ({
    name,
    shape,
    halves: halves?.length === 2 * countOf(shape) ? halves : null,
    read() {
      const { data } = read();
      if (!(data instanceof Float32Array)) throw new Error(`${name} is of another type than float32, float16 or bfloat16`);
      if (data.length !== countOf(shape)) throw new Error(`the file of weights ends before ${name} does`);
      return data;
    },
  }));
  return new Weights(kept(entries));
}

/** Throws if a file is not the one that its bundle names: an incomplete copy, or of another model. sum: see `sumOf`; checked instead on
 * pages that came by http, for which browsers compute no digest. */
export async function verified(name: string, content: Uint8Array | string, sha256 = "", sum?: number) {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : (content as Uint8Array<ArrayBuffer>);
  const { subtle } = globalThis.crypto as Partial<Crypto>;
  const digest = new Uint8Array((await subtle?.digest("SHA-256", bytes)) ?? []);
  const found = Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
  if (subtle ? found !== sha256 : sum !== undefined && sum !== sumOf(bytes))
    throw new Error(`${name}: its ${bytes.length} bytes are not those of this model; the copy is incomplete or was changed`);
}

/** The sum of the whole 32-bit words, modulo 2³². */
export function sumOf(bytes: Uint8Array) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let sum = 0;
  for (let at = 0; at + 4 <= bytes.length; at += 4) sum = (sum + view.getUint32(at, true)) >>> 0;
  return sum;
}
