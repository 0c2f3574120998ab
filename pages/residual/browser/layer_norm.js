// LayerNorm: all numbers of one token before it, standardized, and after gain and bias. The payload is of one sub-layer in all layers;
// another token, layer and dimension are drawn here.

import { makeCanvasFigure } from "../../../viz_core/browser/kit/canvas_figure.js";
import { el, setText } from "../../../viz_core/browser/kit/dom.js";
import { forAudience } from "../../../viz_core/browser/kit/instructions.js";
import { fill } from "../../../viz_core/browser/kit/numbers.js";
import { NORM_STAGES, normAt, readNorm, normReading, stageTitle } from "./layer_norm_data.js";
import { barOf, dimensionUnder, drawNorm, layoutNorm } from "./layer_norm_picture.js";

const HEIGHTS = [440, 640]; // px

// payload: of pages/residual/layer_norm.py. Returns { update(payload), svg(), destroy() }.
export function mountLayerNorm(root, payload, store) {
  let norm = readNorm(payload);
  let shown = null; // of the view that is painted
  const lead = el("p", { class: "lead" });
  const reading = el("p", { class: "reading" });
  const figure = makeCanvasFigure(
    root,
    {
      above: [lead],
      below: [reading],
      heights: HEIGHTS,
      prepare,
      layout: (w, h) => layoutNorm(norm, shown, w, h),
      draw: (pen, layout, hovered) => drawNorm(pen, norm, shown, layout, store.theme, hovered?.dim),
      sight: (layout) => barOf(layout, shown.dim),
      under: dimensionUnder,
      hover: read,
      clickable: () => true,
      click: ({ dim }) => store.set({ dim: dim === store.view.dim ? null : dim }), // once more lets it go
      slider: () => ({ at: shown.dim, count: norm.size, words: normReading(norm, shown, shown.dim) }),
      move,
      spoken,
      region: () => norm.about.texts.region,
      name: () => fill(norm.about.texts.file, { token: norm.about.tokens[shown.token] }),
    },
    store,
  );
  store.give("layer_norm", norm);

  function prepare(view) {
    shown = normAt(norm, view);
    const { texts, tokens } = norm.about;
    const values = { token: tokens[shown.token], name: texts.name, layer: shown.layer + 1 };
    const runs = forAudience(texts.lead, view)
      .split("**")
      .map((run) => fill(run, values));
    lead.replaceChildren(...runs.map((run, at) => (at % 2 ? el("strong", {}, run) : run)));
    read(null);
  }

  function read(found) {
    setText(reading, normReading(norm, shown, found?.dim ?? shown.dim));
  }

  // Across, to the next dimension; down, to the next token.
  function move(across, down) {
    const dim = Math.min(Math.max(shown.dim + across, 0), norm.size - 1);
    store.set(across ? { dim } : { [norm.about.stack === "encoder" ? "token" : "step"]: shown.token + down });
  }

  function spoken() {
    const { texts, tokens } = norm.about;
    return fill(texts.picture, {
      token: tokens[shown.token],
      layer: shown.layer + 1,
      stages: NORM_STAGES.map((name) => stageTitle(norm, shown, name)).join(". "),
      reading: normReading(norm, shown, shown.dim),
    });
  }

  function update(next) {
    norm = readNorm(next);
    store.give("layer_norm", norm);
    figure.show();
  }

  function destroy() {
    store.takeBack("layer_norm", norm);
    figure.destroy();
  }

  return { update, svg: figure.svg, destroy };
}
