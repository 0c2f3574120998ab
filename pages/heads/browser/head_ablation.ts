// The importance of all heads by ablation: what is lost without each of them, coloured by its sign and size, with the head's role.

import { ladder, pixel } from "../../../viz_core/browser/kit/svg_pen";
import { grouped, number, signed } from "../../../viz_core/browser/kit/numbers";
import { type Figure, figure } from "../../../viz_core/web/src/figure";
import { type Heads, type Place, dropOf, placesOf, roleOf } from "./heads";
import { cellAt, headMap, mapScene, nameLines, type Shown } from "./head_map";

/** Whether an edit removes a head. */
const isOut = ({ out }: Heads, { layer, head }: Place) => out.some(([i, j]) => i === layer && j === head);

/** How much is lost without each head, as text. */
function writtenDrops(heads: Heads): string[] {
  const write = (drop: number) => (Number(drop.toFixed(6)) || !drop ? signed(drop) : number(drop).replace("-", "−"));
  return placesOf(heads).map((place) => (isOut(heads, place) ? heads.say("out") : write(dropOf(heads, place))));
}

const values = ({ attention, count, kind, whole }: Shown) => ({
  attention,
  kind,
  count: grouped(count),
  whole: whole.toFixed(1),
});

function reading(shown: Shown, place: Place) {
  const at = { layer: place.layer + 1, head: place.head + 1 };
  const drop = cellAt(shown, writtenDrops(shown), place);
  return isOut(shown, place) ? `${shown.say("place", at)}    ${drop}` : shown.say("hover", { ...at, drop });
}

export const headAblation: Figure<Heads, Shown, Place> = {
  ...headMap,
  heights: [200, 700],
  scene(shown, room) {
    const drops = Array.from(shown.tensors.drops.data);
    const limit = Math.max(1e-9, ...drops.map(Math.abs));
    const written = writtenDrops(shown);
    const cells = placesOf(shown).map((place) => {
      const role = roleOf(shown, place);
      const share = (dropOf(shown, place) / limit + 1) / 2;
      return {
        lines: [cellAt(shown, written, place), ...(role ? nameLines(role.label) : [])],
        colour: (theme: { diverging: readonly string[] }) => pixel(ladder(theme.diverging), share),
      };
    });
    return mapScene(shown, cells, room);
  },
  reading: (shown, place) => reading(shown, place ?? shown),
  values,
  spoken: (shown) => `${shown.say("lead", values(shown))}. ${reading(shown, shown)}`,
};

export const mountHeadAblation = figure(headAblation);
