// The lookup of the focused token as a product, from the numbers of the figure above.

import { below } from "../../../viz_core/browser/kit/below";
import { grouped, number } from "../../../viz_core/browser/kit/numbers";
import { escaped } from "../../../viz_core/browser/kit/prose";
import { entryAt, nth } from "../../../viz_core/web/src/payload";
import { type Lookup, lookupAt } from "./lookup";

/** payload: from pages/embeddings/views.py, only texts. */
export const mountLookupArithmetic = below<{ side: string }>(({ about, say }, view, { given }) => {
  const lookup = given.lookup as Lookup | undefined;
  if (lookup?.side !== about.side) return null; // the numbers are on their way
  const { tokens, index, picked, entries, d_model: size } = lookupAt(lookup, view);
  const text = say("text", {
    token: escaped(nth(tokens, index)),
    id: String(picked.id),
    first: number(nth(picked.values, 0)),
    second: number(nth(picked.values, 1)),
    last: number(entryAt(picked.values, picked.values.length - 1)),
    entries: grouped(entries),
    final: String(entries - 1),
    products: grouped(entries * size),
    d_model: size,
  });
  return [{ name: "arithmetic", heading: say("heading"), text }];
});
