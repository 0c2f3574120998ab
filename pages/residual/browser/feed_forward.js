// The feed-forward network: which hidden units are active for each token, and the most active ones of the picked token. The payload is
// one stack's; another token, layer and unit are drawn here.

import { makeCanvasFigure } from "../../../viz_core/browser/kit/canvas_figure.js";
import { el, setText } from "../../../viz_core/browser/kit/dom.js";
import { forAudience } from "../../../viz_core/browser/kit/instructions.js";
import { fill, percent } from "../../../viz_core/browser/kit/numbers.js";
import { feedForwardAt, readFeedForward, unitReading, mapTitle } from "./feed_forward_data.js";
import { UNIT_LINE, drawHidden, layoutHidden, mapPicture, rowUnder } from "./hidden_map.js";
import { drawUnitBars, layoutUnitBars, leastUnitBars, unitUnder } from "./unit_bars.js";

const HEIGHTS = [400, 640]; // px
const LEAST_WIDTH = 640; // px; narrower, it scrolls
const WIDE = 1000; // px: from here on both stand side by side
const BESIDE = { least: 0.45, most: 0.57 }; // of that width has the map
const APART = 34; // px between the two

// payload: of pages/residual/feed_forward_payload.py. Returns { update(payload), svg(), destroy() }.
export function mountFeedForward(root, payload, store) {
  let ffn = readFeedForward(payload);
  let shown = null; // of the view that is painted
  const pictures = new Map();
  const lead = el("p", { class: "lead" });
  const reading = el("p", { class: "reading" });
  const figure = makeCanvasFigure(
    root,
    {
      above: [lead],
      below: [reading],
      heights: HEIGHTS,
      prepare,
      layout: (w, h, whole) => layoutBoth(ffn, shown, w, h, whole),
      draw,
      under: (layout, x, y) => rowUnder(ffn, shown, layout.map, x, y) ?? unitUnder(shown, layout.units, x, y),
      hover: (found) => setText(reading, found ? unitReading(ffn, shown, found) : readingHere()),
      clickable: () => true,
      click,
      slider: () => ({ at: shown.rank, count: Math.max(shown.units.length, 1), words: readingHere() }),
      move,
      spoken,
      region: () => ffn.about.texts.region,
      name: () => fill(ffn.about.texts.file, { layer: shown.layer + 1 }),
    },
    store,
  );
  store.give("feed_forward", ffn);

  function prepare(view) {
    shown = feedForwardAt(ffn, view);
    const { texts, tokens } = ffn.about;
    const values = { token: tokens[shown.token], share: percent(shown.share) };
    const runs = forAudience(texts.lead, view)
      .split("**")
      .map((run) => fill(run, values));
    lead.replaceChildren(...runs.map((run, at) => (at % 2 ? el("strong", {}, run) : run)));
    setText(reading, readingHere());
  }

  function draw(pen, layout, hovered) {
    const { theme } = store;
    const [row, rank] = [hovered?.row, hovered?.rank].map((at) => at !== undefined);
    drawHidden(pen, ffn, shown, picture(theme), layout.map, theme, row ? hovered : null);
    drawUnitBars(pen, ffn, shown, layout.units, theme, rank ? hovered : null);
  }

  function picture(theme) {
    const key = [shown.layer, theme.sequential].join();
    if (!pictures.has(key)) pictures.set(key, mapPicture(ffn, shown.layer, theme));
    return pictures.get(key);
  }

  const walks = () => (ffn.about.stack === "encoder" ? "token" : "step");

  function click({ row, rank }) {
    if (row !== undefined) store.set({ [walks()]: row });
    else pick(rank);
  }

  function pick(rank) {
    if (rank >= 0 && rank < shown.units.length) store.set({ cell: [shown.token, rank] });
  }

  // Across, to the next unit of the list; down, to the next token.
  function move(across, down) {
    if (across) pick(shown.rank + across);
    else store.set({ [walks()]: shown.token + down });
  }

  function readingHere() {
    const row = unitReading(ffn, shown, { row: shown.token });
    return shown.units.length ? `${row}    ${unitReading(ffn, shown, { rank: shown.rank })}` : row;
  }

  function spoken() {
    const { texts } = ffn.about;
    return fill(texts.picture, { title: mapTitle(ffn, shown), tokens: texts.tokens, reading: readingHere() });
  }

  function update(next) {
    ffn = readFeedForward(next);
    pictures.clear();
    store.give("feed_forward", ffn);
    figure.show();
  }

  function destroy() {
    store.takeBack("feed_forward", ffn);
    figure.destroy();
  }

  return { update, svg: figure.svg, destroy };
}

// Side by side where there is room, else the units below the map.
export function layoutBoth(ffn, shown, w, h, whole) {
  const width = Math.max(w, LEAST_WIDTH);
  if (width >= WIDE) {
    const room = width - APART;
    const wanted = room - leastUnitBars(ffn); // what the words beside the bars leave
    const left = Math.min(Math.max(wanted, BESIDE.least * room), BESIDE.most * room);
    const map = layoutHidden(ffn, shown, { x: 0, y: 0, w: left, h }, whole);
    const top = map.cells.y - 2 * UNIT_LINE; // both begin at one height
    const units = layoutUnitBars(ffn, shown, { x: left + APART, y: top, w: width - left - APART - 2, h: h - top });
    return { width, height: Math.max(map.foot, units.foot) + 4, map, units };
  }
  const map = layoutHidden(ffn, shown, { x: 0, y: 0, w: width, h }, false);
  const units = layoutUnitBars(ffn, shown, { x: 0, y: map.foot + APART / 2, w: width - 2, h: 0 });
  return { width, height: units.foot + 4, map, units };
}
