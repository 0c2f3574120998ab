// Words in context: notes on the focused token, and its cosine with the one in the least similar sentence, from the figure's numbers.

import { below } from "../../../viz_core/browser/kit/below";
import { number } from "../../../viz_core/browser/kit/numbers";
import { escaped } from "../../../viz_core/browser/kit/prose";
import { entryAt, nth, sliceOf } from "../../../viz_core/web/src/payload";
import { type Contexts, contextAt } from "./in_context";

export const mountInContextArithmetic = below((_, view, { given }) => {
  const contexts = given.in_context as Contexts | undefined;
  if (!contexts) return null; // the numbers are on their way
  const { say, second, d_model: last, ...shown } = contextAt(contexts, view);
  const { place, average, others, missing, tensors, at } = shown;
  const token = escaped(shown.token);
  const other = others.at(-1);
  const notes = [
    missing ? { name: "missing", text: say("without", { typed: escaped(second), piece: escaped(missing) }) } : null,
    other ? null : { name: "none", text: say("none", { token }) },
    { name: "near", text: say("near", { token }) },
  ];
  if (!other) return notes;
  const [a, c, b, d] = Array.from(sliceOf(tensors.start, at, place), number);
  const text = say("arithmetic", {
    token,
    ...{ a, b, c, d, last },
    layer: place,
    layers: average.length - 1,
    other: escaped(other.words),
    cosine: number(nth(other.cosines, place)),
    average: number(nth(average, place)),
    first: number(nth(other.cosines, 0)),
    end: number(entryAt(other.cosines, average.length - 1)),
  });
  return [...notes, { name: "arithmetic", heading: say("heading"), text }];
});
