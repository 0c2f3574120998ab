// What each head of one attention adds to a logit, or to its lead.

import { signed } from "../../../viz_core/browser/kit/numbers";
import { type Figure, figure, type View } from "../../../viz_core/web/src/figure";
import { type Head, headMap, walkHeads } from "../../../viz_core/web/src/marks/heads";
import { nth } from "../../../viz_core/web/src/payload";
import { hides } from "../../../viz_core/web/src/view";
import { type Summed, readSummed } from "./summed";

function headsAt({ at }: Summed, view: View) {
  const { say: all, heads, ...shown } = at(view);
  const say: typeof all = (name, values) => all(`heads.${name}`, values);
  const limit = Math.max(1e-9, ...Array.from(heads.values, Math.abs));
  return { ...shown, say, grid: { ...heads, scale: { colours: "diverging" as const, domain: [-limit, limit] as const } } };
}

type Shown = ReturnType<typeof headsAt>;

function reading({ say, held, grid }: Shown, spot: Head | null) {
  const { layer, head } = spot ?? held;
  const value = signed(nth(grid.values, layer * grid.columns + head));
  return say("hover", { layer: layer + 1, head: head + 1, value });
}

const values = ({ word, rival, step, say }: Shown) => ({ word, rival, step: step + 1, attention: say("attention") });

export const attributedHeads: Figure<Summed, Shown, Head> = {
  heights: [200, 560],
  isCovered: hides,
  tells: true,
  read: readSummed,
  at: headsAt,
  scene: ({ say, held, grid }, room, hovered) =>
    headMap({ grid, write: signed, axes: [say("layers"), say("heads")] }, held, room, hovered),
  reading,
  values,
  spoken: (shown) => [shown.say("lead", values(shown)), reading(shown, null)].join(". "),
  pick: (_, head) => head,
  keys: ({ held, grid }) => walkHeads(held, grid),
};

export const mountAttributedHeads = figure(attributedHeads);
