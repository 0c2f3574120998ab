// The cosine of the focused token and its nearest neighbour, from the numbers of the figure above.

import { below } from "../../../viz_core/browser/kit/below";
import { number } from "../../../viz_core/browser/kit/numbers";
import { escaped } from "../../../viz_core/browser/kit/prose";
import { entryAt, sliceOf } from "../../../viz_core/web/src/payload";
import { type Neighbours, neighboursAt } from "./neighbours";

/** payload: from pages/embeddings/views.py, only texts. */
export const mountNeighboursArithmetic = below<{ side: string }>(({ about, say }, view, { given }) => {
  const neighbours = given.neighbours as Neighbours | undefined;
  if (neighbours?.side !== about.side) return null; // the numbers are on their way
  const { token, index, rows, nearest } = neighboursAt(neighbours, view);
  const [dot = "", a = "", b = ""] = Array.from(sliceOf(nearest, index), number);
  const { label, cosine } = entryAt(rows, 0);
  const text = say("text", { token: escaped(token), near: escaped(label), dot, a, b, cosine: number(cosine) });
  return [{ name: "arithmetic", heading: say("heading"), text }];
});
