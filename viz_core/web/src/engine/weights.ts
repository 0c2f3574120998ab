// The weights of a model by the names of viz_core's parameters, read from a safetensors file.

import { readTensors } from "../payload";
import type { Tensor } from "./tensor";

/** Weights below a prefix: `weights.at("encoder.norm").get("gamma")`. */
export class Weights {
  constructor(
    private readonly tensors: Readonly<Record<string, Tensor>>,
    private readonly prefix = "",
  ) {}

  at(part: string | number) {
    return new Weights(this.tensors, `${this.prefix}${part}.`);
  }

  get(name: string): Tensor {
    const found = this.tensors[this.prefix + name];
    if (!found) throw new Error(`the file of weights lacks ${this.prefix}${name}`);
    return found;
  }
}

/** float32, float16 and bfloat16 alike become float32. */
export function readWeights(content: Uint8Array) {
  const { tensors } = readTensors<object, string>(content);
  for (const [name, { data }] of Object.entries(tensors))
    if (!(data instanceof Float32Array)) throw new Error(`${name} is of another type than float32, float16 or bfloat16`);
  return new Weights(tensors as Record<string, Tensor>);
}
