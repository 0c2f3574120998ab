// How many words each head aligns as erasure does.

import { figure } from "../../../viz_core/web/src/figure";
import { headFigure } from "../../../viz_core/web/src/marks/heads";
import type { Say } from "../../../viz_core/web/src/payload";
import { type Aligned, readAlignment } from "./alignment";

export const agreement = headFigure({
  shared: "agreement",
  read: readAlignment,
  at({ agreed, counted, layers, heads, say }: Aligned, view) {
    const held = { layer: Math.min(view.layer, layers - 1), head: Math.min(view.head, heads - 1) };
    const domain = [0, Math.max(counted, 1)] as const;
    const grid = { values: agreed, rows: layers, columns: heads, scale: { colours: "sequential" as const, domain } };
    const ofMap: Say = (name, values) => say(`agreement.${name}`, values);
    return { say: ofMap, held, grid, write: String, counted };
  },
  values: ({ counted }) => ({ counted }),
});

export const mountAgreement = figure(agreement);
