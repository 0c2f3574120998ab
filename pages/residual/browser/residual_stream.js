// The residual stream: how long the vector of each token is after each sub-layer, and what each sub-layer adds to the picked
// one. The payload is one stack's; another token and another layer are drawn here.

import { makeCanvasFigure } from "../../../viz_core/browser/kit/canvas_figure.js";
import { dress, el, setText, watchSize } from "../../../viz_core/browser/kit/dom.js";
import { fill } from "../../../viz_core/browser/kit/numbers.js";
import { offerPicture } from "../../../viz_core/browser/kit/save.js";
import { readStream, readingAt, streamAt } from "./stream_data.js";
import { columnOf, drawStream, layoutStream, underPoint } from "./stream_picture.js";

const HEIGHTS = [400, 560]; // px

// payload: of pages/residual/stream.py. Returns { update(payload), destroy(), svg(), name() }.
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
      layout: (w, h) => layoutStream(stream, w, h),
      draw: (pen, layout, hovered) => drawStream(pen, stream, now(), layout, store.theme, hovered),
      under: (layout, x, y) => underPoint(stream, now(), layout, x, y),
      hover: read,
      clickable: ({ place }) => layerAt(place) !== null,
      click: ({ place }) => pick(place),
      spoken,
      region: () => stream.about.texts.region,
    },
    store,
  );
  root.replaceChildren(lead, figure.node, reading);
  const part = {
    update,
    destroy,
    svg: figure.svg,
    name: () => fill(stream.about.texts.file, { token: stream.about.tokens[now().token] }),
  };
  const withdraw = offerPicture(part, store);

  function pick(place) {
    const picked = stream.about.sublayers[place];
    store.set({ layer: layerAt(place) });
    if (picked === sublayer) return;
    sublayer = picked;
    root.send?.("sublayer", picked);
    store.repaint();
  }

  function paint(view, before = view) {
    if (!root.getBoundingClientRect().width) return; // not laid out yet
    dress(root, store.theme);
    const { about } = stream;
    const { token, place } = now();
    const runs = about.texts.lead.split("**").map((run) => fill(run, { token: about.tokens[token] }));
    lead.replaceChildren(...runs.map((run, at) => (at % 2 ? el("strong", {}, run) : run)));
    read(null);
    figure.paint(view, [lead, reading], HEIGHTS);
    if (view === before || view.layer !== before.layer) figure.bringIntoSight((layout) => columnOf(layout, place));
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

  paint(store.view);
  const unwatch = watchSize(root, () => paint(store.view));
  const off = store.subscribe(paint);

  function update(next) {
    stream = readStream(next);
    sublayer = stream.about.sublayer;
    paint(store.view);
  }

  function destroy() {
    withdraw();
    off();
    unwatch();
    figure.destroy();
  }

  return part;
}
