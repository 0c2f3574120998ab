// The overview's payload, and what an open block shows beside it. Of that, what each sub-layer writes is sent; the residual
// stream between them is added up here, in float32 as in the model, so that its numbers are the very ones of the trace.

import { attentionOf } from "../attention_view/data";
import { fill, grouped } from "../kit/numbers";
import { readTensors, slice } from "../kit/payload";

export const KINDS = ["self", "masked", "cross"];
const SUBLAYERS = { encoder: ["self_attn", "ffn"], decoder: ["self_attn", "cross_attn", "ffn"] };

export function readOverview(bytes) {
  const { about, tensors } = readTensors(bytes);
  const { source, target } = about;
  const depth = { encoder: tensors.self_weights.shape[0], decoder: tensors.masked_weights.shape[0] };
  const keys = { self: source, masked: target, cross: source };
  const data = {
    ...about,
    isWhole: false, // what an open block shows is still to be added, by `add`
    layers: Math.min(depth.encoder, depth.decoder), // those that can be chosen here
    depth,
    heads: tensors.self_weights.shape[1],
    S: source.length,
    T: target.length,
    queries: { self: source, masked: target, cross: target },
    keys,
    // of a layer and a head (Tq, Tk), row by row; of a query, too, (Tk,)
    weights: (kind, ...at) => slice(tensors[`${kind}_weights`], ...at),
    allowed: (kind, query, key) => tensors[`${kind}_mask`].data[query * keys[kind].length + key] === 1,
    print: (name, ...at) => slice(tensors[`${name}_print`], ...at), // the first numbers of each vector
    length: (name, ...at) => slice(tensors[`${name}_length`], ...at)[0], // ‖x‖₂; derived
    firing: (stack, layer, row) => slice(tensors[`firing_${stack}`], layer, row)[0],
  };
  if (tensors.inside) addInside(data, tensors.inside.data, tensors);
  else data.add = (inside) => addInside(data, inside, tensors);
  return data;
}

// The most probable tokens of a step, [label, probability, …] each, and behind them all others together, if there are any.
export function withOthers({ steps, texts }, step) {
  const {
    bars,
    others: [count, share],
  } = steps[step];
  return count ? [...bars, [fill(texts.others, { count: grouped(count) }), share]] : bars;
}

// What an open block shows. sent: the tensors of the overview's own payload.
function addInside(data, bytes, sent) {
  const { about, tensors } = readTensors(bytes);
  addStreams(tensors, "encoder", tensors.source_input, data.norm === "pre");
  addStreams(tensors, "decoder", tensors.target_input, data.norm === "pre");
  const attention = (kind) => {
    const { texts, ...said } = data.attentions[kind];
    const own = Object.entries({ ...sent, ...tensors }).filter(([name]) => name.startsWith(`${kind}_`));
    return attentionOf({
      about: { ...said, texts: { ...data.attention_texts, ...texts } },
      tensors: Object.fromEntries(own.map(([name, tensor]) => [name.slice(kind.length + 1), tensor])),
    });
  };
  Object.assign(data, {
    isWhole: true,
    code: about.code,
    limits: { ...data.limits, ...about.limits },
    attention: Object.fromEntries(KINDS.map((kind) => [kind, attention(kind)])), // as the attention view reads it
    vector: (name, ...at) => slice(tensors[name], ...at),
    exact: (name) => tensors[name].exact,
    summed: "source_summed" in tensors, // a LayerNorm follows the sum of embedding and position
    edited: (block) => `${block}_edited` in tensors, // an edit of the model made the sum something else
  });
}

// Of each sub-layer, {stack}_{block}_…: before, what it finds in the stream; sum, that plus what it writes; after, what it
// leaves there. And what leaves the layer, {stack}_stream. (L, T, D) each.
function addStreams(tensors, stack, input, isPre) {
  const { shape } = tensors[`${stack}_ffn_out`];
  const size = shape[1] * shape[2];
  const blocks = SUBLAYERS[stack].map((block) => `${stack}_${block}`);
  const exact = input.exact && blocks.every((block) => tensors[`${block}_out`].exact);
  const edited = new Set(blocks.filter((block) => tensors[`${block}_sum`]));
  const write = (name, layer, values) => {
    tensors[name] ??= { shape, data: new Float32Array(shape[0] * size), exact };
    tensors[name].data.set(values, layer * size);
  };
  let x = input.data;
  for (let layer = 0; layer < shape[0]; layer += 1) {
    for (const block of blocks) {
      const out = slice(tensors[`${block}_out`], layer);
      write(`${block}_before`, layer, x);
      if (!edited.has(block)) {
        const stream = x;
        write(
          `${block}_sum`,
          layer,
          out.map((value, at) => stream[at] + value),
        );
      }
      x = slice(tensors[isPre ? `${block}_sum` : `${block}_norm`], layer);
      write(`${block}_after`, layer, x);
    }
  }
  for (const block of edited) tensors[`${block}_edited`] = true;
  tensors[`${stack}_stream`] = tensors[`${stack}_ffn_after`];
}
