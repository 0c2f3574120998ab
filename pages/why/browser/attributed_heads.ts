// What each head of one attention adds to a logit, or to its lead.

import { signed } from "../../../viz_core/browser/kit/numbers";
import { figure } from "../../../viz_core/web/src/figure";
import { headFigure } from "../../../viz_core/web/src/marks/heads";
import type { Say } from "../../../viz_core/web/src/payload";
import { type Summed, readSummed } from "./logit_sums";

export const attributedHeads = headFigure({
  read: readSummed,
  at({ at }: Summed, view) {
    const { say, heads, ...shown } = at(view);
    const limit = Math.max(1e-9, ...Array.from(heads.values, Math.abs));
    const ofMap: Say = (name, values) => say(`heads.${name}`, values);
    const grid = { ...heads, scale: { colours: "diverging" as const, domain: [-limit, limit] as const } };
    return { ...shown, say: ofMap, grid, write: (value: number) => signed(value) };
  },
  values: ({ word, rival, step, say }) => ({ word, rival, step: step + 1, attention: say("attention") }),
});

export const mountAttributedHeads = figure(attributedHeads);
