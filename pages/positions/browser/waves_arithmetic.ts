// The formulas of the waves at the focused position, from the numbers of the figure above.

import { below } from "../../../viz_core/browser/kit/below";
import { grouped, number } from "../../../viz_core/browser/kit/numbers";
import { escaped } from "../../../viz_core/browser/kit/prose";
import { entryAt, nth } from "../../../viz_core/web/src/payload";
import { type Waves, wavesAt } from "./waves";

/** payload: from pages/positions/waves.py, only texts. */
export const mountWavesArithmetic = below<{ d_model: number }>(({ about, say }, view, { given }) => {
  const all = given.waves as Waves | undefined;
  if (!all) return null; // the numbers are on their way
  const { waves, lanes, tokens, picked: at } = wavesAt(all, view);
  const lines = waves.map(({ dim, name, even, divisor }, lane) =>
    say("line", {
      at,
      name,
      dim: dim - 1,
      even,
      d_model: about.d_model,
      divisor: number(divisor),
      angle: number(at / divisor),
      value: number(nth(entryAt(lanes, lane).points, at)),
      length: number(2 * Math.PI * divisor),
    }),
  );
  const values = {
    at,
    place: escaped(nth(tokens, at)),
    lines: lines.join(""),
    count: grouped(tokens.length),
    d_model: about.d_model,
  };
  return [{ name: "arithmetic", heading: say("heading"), text: say("text", values) }];
});
