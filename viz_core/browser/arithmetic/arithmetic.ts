// The arithmetic below a figure: texts with places, and for each step, layer, token … what stands in them, all as Python wrote it.

import { type Patch, fill } from "../../web/src/payload";
import { below } from "../kit/below";
import { stateOf } from "../kit/states";
import { type Maps, type Worked, hasNumbers, workedOut } from "./worked";

interface About extends Worked {
  texts: Record<string, string>;
  sections: Record<"name" | "heading" | "template", string>[];
  shared: Patch;
  parts: { by: string[]; at: unknown[] }[];
}

// payload: of viz_core/app/arithmetic.py.
export const mountArithmetic = below<About>(({ about }, view, { given }) => {
  const values = { ...about.shared };
  const plot = given.plot as Maps | undefined;
  const place = { ...view, row: view.cell?.[0] ?? view.step, ...plot?.cell(view) };
  for (const part of about.parts) Object.assign(values, stateOf(part, place));
  if (Object.keys(about.worked).length) {
    if (!hasNumbers(plot, about)) return null;
    Object.assign(values, workedOut(about, plot, view));
  }
  return about.sections.map(({ name, heading, template }) => {
    const text = about.texts[fill(template, values)];
    return text ? { name, heading, text: fill(text, values) } : null;
  });
});
