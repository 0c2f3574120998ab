// The weights of a model by the names of viz_core's parameters, read from a safetensors file.

import { entriesOf } from "../payload";
import { countOf, kept } from "./product";
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

  /** How many numbers the model has. */
  get count() {
    return Object.values(this.tensors).reduce((sum, { data }) => sum + data.length, 0);
  }

  get(name: string): Tensor {
    const found = this.tensors[this.prefix + name];
    if (!found) throw new Error(`the file of weights lacks ${this.prefix}${name}`);
    return found;
  }
}

/** float32, float16 and bfloat16 alike become float32. */
export function readWeights(content: Uint8Array) {
  const entries = entriesOf(content).entries.map(({ name, shape, read }) => ({
    name,
    shape,
    read() {
      const { data } = read();
      if (!(data instanceof Float32Array)) throw new Error(`${name} is of another type than float32, float16 or bfloat16`);
      if (data.length !== countOf(shape)) throw new Error(`the file of weights ends before ${name} does`);
      return data;
    },
  }));
  return new Weights(kept(entries));
}

/** Throws if a file is not the one that its bundle names: cut on the way, or of another model. On pages that came by http, for which
 * browsers compute no digest, `readWeights` notices a file that was cut. */
export async function verified(name: string, content: Uint8Array | string, sha256 = "") {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : (content as Uint8Array<ArrayBuffer>);
  const digest = new Uint8Array((await globalThis.crypto.subtle?.digest("SHA-256", bytes)) ?? []);
  const found = Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
  if (found && found !== sha256)
    throw new Error(`${name}: its ${bytes.length} bytes are not those of this model; the copy is incomplete or was changed`);
}
