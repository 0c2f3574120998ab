// What is pointed at, in words.

import { fill, percent } from "../kit/numbers.js";
import { grouped, lengthOf, strongestOf } from "./data.js";

const rounded = (value) => (value < 100 ? value.toPrecision(3) : value.toFixed(0));

// At rest: what this step does.
export function readStep(data, { step }, hidden) {
  const { bars, written } = data.steps[step];
  const { texts } = data;
  const ends = data.output[step] === data.source.at(-1) && step === data.T - 1; // the source ends by the same sign
  const template = hidden ? texts.rest_hidden : data.forced ? texts.rest_typed : ends ? texts.rest_end : texts.rest;
  return fill(template, { read: data.target[step], next: data.output[step], share: percent(bars[written][1]) });
}

// thing: {kind, query, key} of an attention, {region, index} of a vector or a feed-forward, {bar}, {layer, head} of the
// map, or {block}.
export function readThing(data, thing, view, hideCross) {
  const { texts } = data;
  const { layer, head, step } = view;
  const say = (name, values) => fill(texts.reads[name], values);
  const numbers = {
    layer: layer + 1,
    head: head + 1,
    dims: data.dims,
    units: grouped(data.units),
    vocabulary: grouped(data.vocabulary),
  };
  if (thing.kind) {
    const { kind, query } = thing;
    const row = data.weights(kind, layer, head).subarray(query * data.columns[kind], (query + 1) * data.columns[kind]);
    const key = thing.key ?? strongestOf(row);
    const words = { ...numbers, query: data.queries[kind][query], key: data.keys[kind][key] };
    if (kind === "cross" && hideCross && query === step) return say("hidden_source", words);
    if (!data.allowed(kind, query, key)) return say("not_yet", words);
    return say(thing.key === null || thing.key === undefined ? "row" : "looks", { ...words, share: percent(row[key]) });
  }
  if (thing.bar !== undefined) {
    const [token, share, before] = data.steps[step].bars[thing.bar];
    return say(before === null ? "bar_first" : "bar", {
      token,
      share: percent(share),
      before: before === null ? "" : percent(before),
    });
  }
  if (thing.layer !== undefined) return fill(texts.map_reads, { layer: thing.layer + 1, head: thing.head + 1 });
  if (thing.block)
    return say(
      { memory: "memory_block", ffn: "ffn_block", encoder_ffn: "ffn_block" }[thing.block] ?? thing.block,
      numbers,
    );
  const { region, index } = thing;
  const decoder = region === "ffn" || region.startsWith("target") || region.startsWith("decoder");
  const token = (decoder ? data.target : data.source)[index];
  if (region.endsWith("ffn"))
    return say("ffn", { ...numbers, token, firing: data.firing(decoder ? "decoder" : "encoder", layer, index) });
  if (region.endsWith("stream"))
    return say("stream", { ...numbers, token, length: rounded(lengthOf(data.vector(region, layer, index))) });
  if (region === "memory" || region === "keys")
    return say("memory", { ...numbers, token, length: rounded(lengthOf(data.vector("memory", index))) });
  return say("token", {
    ...numbers,
    token,
    length: rounded(lengthOf(data.vector(`${decoder ? "target" : "source"}_input`, index))),
  });
}
