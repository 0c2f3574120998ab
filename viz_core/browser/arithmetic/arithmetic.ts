// The arithmetic below a figure: Python's texts with placeholders, and their values from the figure.

import { type Patch, type Say, fill } from "../../web/src/payload";
import { below } from "../kit/below";
import type { View } from "../../web/src/figure";

type About = {
  texts: Record<string, string>;
  sections: Record<"name" | "heading" | "template", string>[];
  shared: Patch;
  by: string; // the field of the view whose value chooses among the texts; or none
  figure: string;
  where: Patch;
};

/** Data that a figure shares. below: values of the texts below it, as they are written there; write: those texts by name. */
type Derived = Patch & { below(view: View, write: Say): Patch | null };

// payload: from viz_core/app/arithmetic.py.
export const mountArithmetic = below<About>(({ about, say }, view, { given }) => {
  const values = { ...about.shared };
  if (about.by) values.at = Math.min(Number(view[about.by]), Object.keys(about.texts).length - 1);
  if (about.figure) {
    const figure = given[about.figure] as Derived | undefined;
    if (!figure || Object.entries(about.where).some(([name, value]) => figure[name] !== value)) return null; // on its way
    const own = figure.below(view, say);
    if (!own) return [];
    Object.assign(values, own);
  }
  return about.sections.map(({ name, heading, template }) => {
    const text = about.texts[fill(template, values)];
    return text ? { name, heading, text: fill(text, values) } : null;
  });
});
