// The payloads of the overview and of open blocks. For the latter, only the output of each sub-layer is sent; the residual stream
// is summed up here, in float32 as in the model, so that its numbers equal the trace.

import { type Tensor, nth, readPayload, sliceOf } from "../../web/src/payload";
import { hasFinalNorm, type ModelConfig } from "../../web/src/engine/config";
import { textsIn } from "../../web/src/texts";
import { type Attention, attentionOf } from "../attention_view/data";
import { fill, grouped } from "../kit/numbers";
import { fetched, siblingOf } from "../kit/data";

export const KINDS = ["self", "masked", "cross"] as const;
export const SIDES = ["source", "target"] as const;
export const STACKS = ["encoder", "decoder"] as const;
const SUBLAYERS = { encoder: ["self_attn", "ffn"], decoder: ["self_attn", "cross_attn", "ffn"] };

export type Kind = (typeof KINDS)[number];
export type Side = (typeof SIDES)[number];
export type Stack = (typeof STACKS)[number];
export type Overview = ReturnType<typeof readOverview>;

/** See viz_core/browser/overview_payload.py. */
type About = Record<Side | "output", string[]> & {
  inside: string;
  given_target: boolean;
  config: ModelConfig;
  limits: Record<string, number>;
  steps: { bars: Bar[]; others: [count: number, share: number]; written: number; log_sum: number }[];
  attentions: Record<Kind, Parameters<typeof attentionOf>[0]["about"]>;
};
/** See viz_core/browser/inside_payload.py. */
type Inside = Pick<About, "limits"> & {
  code: Record<string, { place: string; numbers: number[]; lines: string[]; highlight: Record<string, number> }>;
};
type Bar = [label: string, share: number, before: number | null, logit: number];
type Others = [label: string, share: number, before?: null];

/** A token whose numbers are shown; key: in cross attention, the source token whose key and value are shown. */
export type Token = { side: Side; index: number; key?: number; guessed?: boolean };

/** The hovered thing: a row or cell of an attention, a vector or feed-forward, a bar, a block; or a ready caption. */
export type Thing =
  | { kind: Kind; query: number; key?: number }
  | { region: string; index: number; layer?: number | undefined }
  | { bar: number }
  | { block: string }
  | { said: string; inks: string[] };

const OF_TARGET = new Set(["target", "target_input", "masked", "cross", "ffn", "decoder_stream"]);
/** The side whose tokens are the rows of a region, also of the lens. */
export const sideOf = (region: string): Side => (OF_TARGET.has(region) ? "target" : "source");

const texts = textsIn("browser.overview");

// Where the activation function is smooth, hardly any unit is 0.
function textsOf({ activation }: ModelConfig) {
  const { for_model: others, ...own } = texts;
  const { paper, lens, reads } = activation === "relu" ? own : others.smooth;
  return { ...own, paper: { ...own.paper, ...paper }, lens: { ...own.lens, ...lens }, reads: { ...own.reads, ...reads } };
}

export function readOverview(bytes: Uint8Array) {
  const { about, tensors } = readPayload<About, string>(bytes);
  const { source, target, config } = about;
  const { tied_embeddings: tied, tied_generator: own } = config;
  const of = (name: string) => tensors[name] as Tensor;
  const part = (name: string, ...at: number[]) => sliceOf(of(name), ...at) as Float32Array;
  const one = (name: string, ...at: number[]) => nth(part(name, ...at), 0);
  const [layers = 0, heads = 0] = of("self_weights").shape;
  const depth = { encoder: layers, decoder: nth(of("masked_weights").shape, 0) };
  const keys = { self: source, masked: target, cross: source };
  const edited = new Set<string>();
  const data = {
    ...about,
    texts: textsOf(config),
    dims: config.d_model,
    units: config.d_ff,
    vocabulary: config.target_vocab,
    norm: config.norm,
    scaled: config.scaled_embeddings,
    bias: config.output_bias,
    matrix: (own ?? tied) ? (tied || own !== "source" ? "tied" : "source") : "own",
    final_norm: { encoder: hasFinalNorm(config, "encoder"), decoder: hasFinalNorm(config, "decoder") },
    layers: Math.min(depth.encoder, depth.decoder), // that can be chosen
    depth,
    heads,
    S: source.length,
    T: target.length,
    bars: Math.max(...about.steps.map(({ bars }) => bars.length)) + 1, // at most per step, including "all others"
    queries: { self: source, masked: target, cross: target },
    keys,
    // for a layer and head (Tq, Tk), row by row; with a query (Tk,)
    weights: (kind: Kind, ...at: number[]) => part(`${kind}_weights`, ...at),
    allowed: (kind: Kind, query: number, key: number) => of(`${kind}_mask`).data[query * keys[kind].length + key] === 1,
    print: (name: string, ...at: number[]) => part(`${name}_print`, ...at), // the first numbers of each vector
    length: (name: string, ...at: number[]) => one(`${name}_length`, ...at), // ‖x‖₂
    firing: (stack: Stack, layer: number, row: number) => one(`firing_${stack}`, layer, row),
    // for an open block, filled in by `add`
    isWhole: false,
    code: {} as Inside["code"],
    attention: {} as Record<Kind, Attention>, // as the attention view reads it
    vector: part,
    exact: (name: string) => of(name).exact,
    summed: false, // whether a LayerNorm follows the sum of embedding and position
    edited: (block: string) => edited.has(`${block}_sum`), // whether an edit of the model changed the sum
    add(sent: Uint8Array): void {
      const inside = readPayload<Inside, string>(sent);
      Object.assign(tensors, inside.tensors);
      for (const name of Object.keys(inside.tensors)) if (name.endsWith("_sum")) edited.add(name);
      addStreams(tensors, edited, "encoder", of("source_input"), config.norm === "pre");
      addStreams(tensors, edited, "decoder", of("target_input"), config.norm === "pre");
      Object.assign(data.limits, inside.about.limits);
      data.code = inside.about.code;
      for (const kind of KINDS) data.attention[kind] = attention(kind);
      data.summed = "source_summed" in tensors;
      data.isWhole = true;
    },
  };
  const attention = (kind: Kind) => {
    const own = Object.entries(tensors).filter(([name]) => name.startsWith(`${kind}_`));
    return attentionOf({
      about: about.attentions[kind],
      tensors: Object.fromEntries(own.map(([name, tensor]) => [name.slice(kind.length + 1), tensor])),
    });
  };
  if (tensors.inside) data.add(tensors.inside.data as Uint8Array);
  return data;
}

// A step's prediction; the last step's while a sentence with more steps is loading.
export const stepOf = ({ steps }: Pick<About, "steps">, step: number) => nth(steps, Math.min(step, steps.length - 1));

// A step's most probable tokens, then all others together, if any.
export function withOthers({ steps, texts }: Pick<Overview, "steps" | "texts">, step: number): (Bar | Others)[] {
  const {
    bars,
    others: [count, share],
  } = stepOf({ steps }, step);
  return count ? [...bars, [fill(texts.others, { count: grouped(count) }), share]] : bars;
}

// Adds tensors (L, T, D): for each sub-layer {stack}_{block}_…: before, its stream; sum, the stream plus its output; after, the
// resulting stream; and {stack}_stream, the layer's output. edited: sums that were sent.
function addStreams(tensors: Record<string, Tensor>, edited: Set<string>, stack: Stack, input: Tensor, isPre: boolean) {
  const of = (name: string) => tensors[name] as Tensor;
  const { shape } = of(`${stack}_ffn_out`);
  const [layers = 0, rows = 0, dims = 0] = shape;
  const size = rows * dims;
  const blocks = SUBLAYERS[stack].map((block) => `${stack}_${block}`);
  const exact = input.exact && blocks.every((block) => of(`${block}_out`).exact);
  const write = (name: string, layer: number, values: ArrayLike<number>) => {
    tensors[name] ??= { shape, data: new Float32Array(layers * size), exact };
    tensors[name].data.set(values, layer * size);
  };
  let x = input.data;
  for (let layer = 0; layer < layers; layer += 1) {
    for (const block of blocks) {
      const out = sliceOf(of(`${block}_out`), layer) as Float32Array;
      write(`${block}_before`, layer, x);
      const stream = x;
      const sum = out.map((value, at) => nth(stream, at) + value);
      if (!edited.has(`${block}_sum`)) write(`${block}_sum`, layer, sum);
      x = sliceOf(of(isPre ? `${block}_sum` : `${block}_norm`), layer);
      write(`${block}_after`, layer, x);
    }
  }
  tensors[`${stack}_stream`] = of(`${stack}_ffn_after`);
}

// Fetches the data of open blocks when first needed, once per sentence. address: of the overview's data. Returns a function whose
// promise tells whether the data has come.
export function makeInside(data: Overview, address = "") {
  return async () => {
    const bytes = data.isWhole || (await fetched(siblingOf(address, data.inside)));
    if (bytes instanceof Uint8Array && !data.isWhole) data.add(bytes);
    return data.isWhole;
  };
}
