// The residual stream: how long the vector of each token is after each sub-layer, and what each sub-layer adds to the picked
// one. The payload is one stack's; another token and another layer are drawn here.

import { makeCanvasFigure } from "../../../viz_core/browser/kit/canvas_figure.js";
import { el, setText } from "../../../viz_core/browser/kit/dom.js";
import { forAudience } from "../../../viz_core/browser/kit/instructions.js";
import { fill } from "../../../viz_core/browser/kit/numbers.js";
import { readStream, readingAt, streamAt } from "./stream_data.js";
import { columnOf, drawStream, layoutStream, underPoint } from "./stream_picture.js";

const HEIGHTS = [400, 560]; // px

// payload: of pages/residual/stream.py. Returns { update(payload), svg(), destroy() }.
export function mountResidualStream(root, payload, store) {
  let stream = readStream(payload);
  let { sublayer } = stream.about; // Python's control, which hears of a click
  const now = () => streamAt(stream, store.view, sublayer);
  const layerAt = (place) => stream.about.stops[place].layer;
  const lead = el("p", { class: "lead" });
  const reading = el("p", { class: "reading" });
  const figure = makeCanvasFigure(
    root,
    {
      above: [lead],
      below: [reading],
      heights: HEIGHTS,
      prepare,
      layout: (w, h) => layoutStream(stream, w, h),
      draw: (pen, layout, hovered) => drawStream(pen, stream, now(), layout, store.theme, hovered),
      sight: (layout) => columnOf(layout, now().place),
      under: (layout, x, y) => underPoint(stream, now(), layout, x, y),
      hover: read,
      clickable: ({ place }) => layerAt(place) !== null,
      click: ({ place }) => pick(place),
      slider: () => ({ at: places().indexOf(now().place), count: places().length, words: readingHere() }),
      move,
      spoken,
      region: () => stream.about.texts.region,
      name: () => fill(stream.about.texts.file, { token: stream.about.tokens[now().token] }),
    },
    store,
  );

  function prepare() {
    const { about } = stream;
    const runs = forAudience(about.texts.lead, store.view)
      .split("**")
      .map((run) => fill(run, { token: about.tokens[now().token] }));
    lead.replaceChildren(...runs.map((run, at) => (at % 2 ? el("strong", {}, run) : run)));
    read(null);
  }

  function pick(place) {
    const picked = stream.about.sublayers[place];
    store.set({ layer: layerAt(place) });
    if (picked === sublayer) return;
    sublayer = picked;
    root.send?.("sublayer", picked);
    store.repaint();
  }

  // All that can be picked: the first place of each sub-layer, behind which with post-norm its LayerNorm follows.
  function places() {
    const { stops, sublayers } = stream.about;
    const isFirst = (place) =>
      stops[place].layer !== stops[place - 1]?.layer || sublayers[place] !== sublayers[place - 1];
    return [...stops.keys()].filter((place) => layerAt(place) !== null && isFirst(place));
  }

  // Across, to the next sub-layer; down, to the next token.
  function move(across, down) {
    const all = places();
    const next = all[all.indexOf(now().place) + across];
    if (down) store.set({ [stream.about.stack === "encoder" ? "token" : "step"]: now().token + down });
    else if (next !== undefined) pick(next);
  }

  function readingHere() {
    const { token, place } = now();
    return readingAt(stream, token, place);
  }

  function read(found) {
    const shown = now();
    const { token, place } = found ?? shown;
    setText(reading, readingAt(stream, token, place, token !== shown.token));
  }

  function spoken() {
    const { texts } = stream.about;
    const { token, place, beyond } = now();
    const layer = fill(texts.layer, { layer: layerAt(place) + 1 });
    return fill(texts.picture, { reading: readingAt(stream, token, place), layer, beyond }).trim();
  }

  function update(next) {
    stream = readStream(next);
    sublayer = stream.about.sublayer;
    figure.show();
  }

  return { update, svg: figure.svg, destroy: figure.destroy };
}
