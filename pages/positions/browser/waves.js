// The waves of the positional encoding: some dimensions along the positions, and the values at the picked one.

import { el, nameScroller, saySideways, setAttributes, setText, svgEl } from "../../../viz_core/browser/kit/dom.js";
import { keepDrawn } from "../../../viz_core/browser/kit/drawing.js";
import { forAudience } from "../../../viz_core/browser/kit/instructions.js";
import { FAMILY, READABLE, widestText } from "../../../viz_core/browser/kit/pen.js";
import { labelsOf, pickedPlace, pictureOf, readWaves, readingOf } from "./data.js";
import { drawLanes, drawPicked } from "./lanes.js";
import { layoutOf } from "./layout.js";

// payload: of pages/positions/waves.py. Returns { update(payload), destroy() }.
export function mountWaves(root, payload, store) {
  let waves = readWaves(payload);
  let layout = null;
  let drawn = ""; // for which size and theme the lanes are
  const [lanes, marked, labels] = [svgEl("g"), svgEl("g"), svgEl("g")];
  const svg = svgEl("svg", { role: "img", "font-family": FAMILY, "font-size": READABLE }, marked, lanes, labels);
  const scroller = el("div", { class: "scroll" }, svg);
  const reading = el("p", { class: "reading" });
  root.replaceChildren(scroller, reading);
  saySideways(scroller);

  const hint = () => forAudience(waves.about.texts.hint, store.view);
  const read = (found) => setText(reading, found ? readingOf(waves, found, store.view) : hint());
  svg.addEventListener("pointermove", (event) => read(under(event)));
  svg.addEventListener("pointerleave", () => read(null));
  svg.addEventListener("click", (event) => {
    const { side } = waves.about;
    const at = under(event)?.at ?? Infinity;
    if (side === "source" && at < store.limits.tokens) store.set({ token: at });
    else if (side === "target" && at < store.limits.steps) store.set({ step: at });
  });

  // The position and the lane under the pointer, or null.
  function under({ clientX, clientY }) {
    const box = svg.getBoundingClientRect();
    const x = ((clientX - box.left) / box.width) * layout.width;
    const y = ((clientY - box.top) / box.height) * layout.height;
    const [at, lane] = [layout.positionAt(x), layout.laneAt(y)];
    const isThere = at >= 0 && at < waves.count && lane >= 0 && lane < waves.names.length;
    return isThere ? { at, lane } : null;
  }

  const paint = (view, room) => {
    const words = labelsOf(waves, view);
    layout = layoutOf(waves, words, widestText(waves.names, false), room, view.lecture);
    const key = [layout.width, layout.height, layout.left, room.theme.dark].join();
    setAttributes(svg, { width: layout.width, height: layout.height, "aria-label": pictureOf(waves, view) });
    if (drawn !== key) lanes.replaceChildren(...drawLanes(waves, layout, room.theme));
    drawn = key;
    const picked = drawPicked(waves, pickedPlace(waves, view), words, layout, room.theme);
    marked.replaceChildren(picked.behind);
    labels.replaceChildren(...picked.above);
    nameScroller(scroller, layout.width > room.width, waves.about.texts.region);
    read(null);
  };
  const drawing = keepDrawn(root, store, paint);

  function update(next) {
    waves = readWaves(next);
    drawn = "";
    drawing.show();
  }
  return { update, destroy: drawing.destroy };
}
