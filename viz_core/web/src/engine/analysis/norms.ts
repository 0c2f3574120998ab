// The lengths of the vectors that attention weights, as in viz_core/analysis/attention.py (Kobayashi et al. 2020).

import { attentionAt, BLOCK, type Kind } from "../config";
import type { Trace } from "../taps";
import { dot, norm, row, size, type Tensor, tensor } from "../tensor";
import type { Model } from "../transformer";
import { slice } from "./logits";

/** ‖α f(x)‖ of each head, (h, Tq, Tk), and ‖Σ α f(x)‖ of all heads together, (Tq, Tk), in one layer. */
export function normWeighted(model: Model, trace: Trace, kind: Kind, layer: number) {
  const inside = attentionAt(kind, layer);
  const [weights, v] = [trace.get(`${inside}.weights`), trace.get(`${inside}.v`)] as [Tensor, Tensor];
  const moved = transformedValues(model, v, kind, layer);
  const [heads, queries, keys] = weights.shape as [number, number, number];
  const [norms, together] = [tensor(weights.shape), tensor([queries, keys])];
  for (let key = 0; key < keys; key += 1) {
    const vectors = moved.map((each) => each[key] as Float64Array);
    const lengths = vectors.map(norm);
    for (let query = 0; query < queries; query += 1) {
      const sum = new Float64Array(vectors[0]?.length ?? 0);
      for (let head = 0; head < heads; head += 1) {
        const at = (head * queries + query) * keys + key;
        const [weight, vector] = [weights.data[at] as number, vectors[head] as Float64Array];
        norms.data[at] = weight * (lengths[head] as number);
        for (let i = 0; i < sum.length; i += 1) sum[i] = (sum[i] as number) + weight * (vector[i] as number);
      }
      together.data[query * keys + key] = norm(sum);
    }
  }
  return { norms, together };
}

/** f(x) = (x W^V + b^V) W^O of every key, for each head with its rows of W^O (§2.2, eq. 4), (h, Tk, D). */
function transformedValues({ weights }: Model, v: Tensor, kind: Kind, layer: number) {
  const [stack, block] = BLOCK[kind];
  const [output, width] = [weights.get(`${stack}.layers.${layer}.${block}.w_o.weight`), size(v, 2)];
  return Array.from({ length: size(v, 0) }, (_, head) => {
    const ofHead = Array.from({ length: size(output, 0) }, (_, at) => row(output, at).subarray(head * width, (head + 1) * width));
    const values = slice(v, head);
    return Array.from({ length: size(values, 0) }, (_, key) => Float64Array.from(ofHead, (each) => dot(each, row(values, key))));
  });
}
