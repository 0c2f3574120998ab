// The arithmetic of one addition to the residual stream, from the numbers of the figure above.

import { below } from "../../../viz_core/browser/kit/below";
import { grouped, number, percent } from "../../../viz_core/browser/kit/numbers";
import { escaped } from "../../../viz_core/browser/kit/prose";
import { nth, sliceOf } from "../../../viz_core/web/src/payload";
import { type Stream, streamAt } from "./residual_stream";

type About = { sublayer: string; texts: Record<"name" | "along" | "against", string> };

/** payload: from pages/residual/stream.py, only texts. */
export const mountResidualStreamArithmetic = below<About>(({ about, say }, view, { given }) => {
  const stream = given.residual_stream as Stream | undefined;
  if (stream?.sublayer !== about.sublayer) return null; // the numbers are on their way
  const { own, at } = streamAt(stream, { ...view, sublayer: about.sublayer });
  const layer = stream.stops[at]?.layer ?? 0;
  const [dim = 0, x = 0, brings = 0, total = 0, directed = 0] = sliceOf(stream.largest, layer, own.index);
  const cosine = Math.min(Math.max(directed, -1), 1);
  const text = say("text", {
    token: escaped(own.label),
    layer: layer + 1,
    name: about.texts.name,
    dim: grouped(dim + 1),
    x: number(x),
    brings: number(brings),
    total: number(total),
    before: number(nth(own.lengths, at - 1)),
    added: number(nth(own.added, at)),
    after: number(nth(own.lengths, at)),
    cosine: number(cosine),
    angle: ((Math.acos(cosine) * 180) / Math.PI).toFixed(0),
    new: percent(Math.sqrt(1 - cosine ** 2)),
    old: percent(Math.abs(cosine)),
    direction: about.texts[cosine >= 0 ? "along" : "against"],
  });
  return [{ name: "arithmetic", heading: say("heading"), text }];
});
