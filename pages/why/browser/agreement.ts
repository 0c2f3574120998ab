// How many words each head aligns as erasure does.

import { type Figure, figure, type View } from "../../../viz_core/web/src/figure";
import { type Head, headMap, walkHeads } from "../../../viz_core/web/src/marks/heads";
import { hides } from "../../../viz_core/web/src/view";
import { type Aligned, readAlignment } from "./aligned";

function agreementAt({ agreed, counted, layers, heads, say: all }: Aligned, view: View) {
  const say: typeof all = (name, values) => all(`agreement.${name}`, values);
  const held = { layer: Math.min(view.layer, layers - 1), head: Math.min(view.head, heads - 1) };
  const domain = [0, Math.max(counted, 1)] as const;
  const grid = { values: agreed, rows: layers, columns: heads, scale: { colours: "sequential" as const, domain } };
  return { say, held, grid, counted };
}

type Shown = ReturnType<typeof agreementAt>;

function reading({ say, held, grid, counted }: Shown, spot: Head | null) {
  const { layer, head } = spot ?? held;
  return say("hover", { layer: layer + 1, head: head + 1, agreed: grid.values[layer * grid.columns + head], counted });
}

export const agreement: Figure<Aligned, Shown, Head> = {
  heights: [200, 560],
  shared: "agreement",
  isCovered: hides,
  tells: true,
  read: readAlignment,
  at: agreementAt,
  scene: ({ say, held, grid }, room, hovered) =>
    headMap({ grid, write: String, axes: [say("layers"), say("heads")] }, held, room, hovered),
  reading,
  values: ({ counted }) => ({ counted }),
  spoken: (shown) => [shown.say("lead", { counted: shown.counted }), reading(shown, null)].join(". "),
  pick: (_, head) => head,
  keys: ({ held, grid }) => walkHeads(held, grid),
};

export const mountAgreement = figure(agreement);
