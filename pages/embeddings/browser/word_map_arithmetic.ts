// What the map keeps of the variance, from the numbers of the figure above.

import { below } from "../../../viz_core/browser/kit/below";
import type { WordMap } from "./word_map";

/** payload: from pages/embeddings/views.py, only texts. */
export const mountWordMapArithmetic = below<{ side: string; d_model: number }>(({ about, say }, _, { given }) => {
  const map = given.word_map as WordMap | undefined;
  if (map?.side !== about.side) return null; // the numbers are on their way
  const [first, second] = map.shares.map((share) => `\\text{${share.replace("%", "\\%")}}`);
  const values = { d_model: about.d_model, tokens: map.points.length, first_share: first, second_share: second };
  return [{ name: "arithmetic", heading: say("heading"), text: say("text", values) }];
});
