// The next-token distribution, step by step: the sentence so far, the temperature, the most probable tokens, and an
// overview of all steps.

import { barHeight, dress, el, setAttributes, setText, watchSize } from "../../../viz_core/browser/kit/dom.js";
import { fill, percent } from "../../../viz_core/browser/kit/numbers.js";
import { offerPicture } from "../../../viz_core/browser/kit/save.js";
import { guessedFrom } from "../../../viz_core/browser/kit/store.js";
import { makeBars } from "./bars.js";
import { makeControls, makeList } from "./controls.js";
import { readNextToken, readingOf, shownAt, temperatureText } from "./data.js";
import { drawn, makeSentence, makeSteps } from "./sentence.js";

const QUIET = 300; // ms until what is shown is also read aloud
const ON_STAGE = [930, 415]; // px, width and height of what lecture mode shows
const ABOVE = 11.5; // rem, at least, of the title and the strip above it
const NARROWEST = 280; // px: on a narrower screen one scrolls sideways

// payload: of viz_core/browser/output_payload.py. A picked candidate is `cell`: [step, index of the candidate].
// Returns { update(payload), destroy(), svg(), name() }.
export function mountNextToken(root, payload, store) {
  let nextToken = readNextToken(payload);
  let now = null;
  let hovered = null;
  let width = 0;
  let settling = 0;
  const pick = (index) => store.set({ cell: [store.view.step, index] });
  const hover = (what, index) => {
    if (hovered?.what === what && hovered.index === index) return;
    hovered = index === null ? null : { what, index };
    paint(store.view);
  };
  const sentence = makeSentence();
  const bars = makeBars({ pick, hover: (index) => hover("bar", index) });
  const steps = makeSteps({ go: (step) => store.set({ step }), hover: (step) => hover("step", step) });
  const list = makeList({ pick, hover: (index) => hover("bar", index) });
  const reading = el("p", { class: "reading" });
  const part = {
    update,
    destroy,
    name: () => fill(nextToken.about.texts.file, { step: now.step + 1, t: temperatureText(now.temperature) }),
    svg: () => drawn([sentence.svg, bars.svg, ...(store.view.lecture ? [] : [steps.svg])], now.entropy, store.theme),
  };
  let controls = null;
  const withdraw = offerPicture(part, store);

  const build = () => {
    const { texts } = nextToken.about;
    controls = makeControls(texts, store);
    store.give("next_token", nextToken);
    bars.clear();
    list.clear();
    root.replaceChildren(
      el("div", { class: "next-token" }, sentence.svg, controls.node, reading, bars.svg, list.node, steps.svg),
    );
    paint(store.view);
  };

  const paint = (view, before = view) => {
    // not laid out yet, or the next sentence's payload is on its way
    if (!width || view.step >= nextToken.steps) return;
    dress(root, store.theme);
    const { about } = nextToken;
    const { theme } = store;
    const scale = view.lecture ? enlargement(root, width) : 1;
    const wide = Math.max(NARROWEST, Math.floor(width / scale));
    now = shownAt(nextToken, view);
    root.style.setProperty("--scale", scale);
    sentence.paint(now.sentence, about.texts, theme, wide);
    controls.paint(view);
    bars.paint(now, theme, wide, {
      count: view.top,
      slides: !theme.still && view.step !== before.step,
      highlighted: hovered?.what === "bar" ? hovered.index : null,
    });
    const labels = about.tokens.map((_, step) =>
      step >= guessedFrom(view) ? about.texts.hidden : nextToken.label(nextToken.expected(step)),
    );
    steps.paint(nextToken.overview(view.temperature), labels, about, theme, wide, view.step);
    steps.svg.style.display = view.lecture ? "none" : ""; // one idea a screen, and the strip has the steps
    for (const { svg } of [sentence, bars, steps]) enlarge(svg, scale);
    setText(reading, readingNow(labels));
    clearTimeout(settling);
    settling = setTimeout(say, QUIET);
  };

  const readingNow = (labels) => {
    const { texts } = nextToken.about;
    const row = hovered?.what === "bar" && now.rows.find(({ index }) => index === hovered.index);
    if (row) return readingOf(row, nextToken, now);
    if (hovered?.what !== "step") return now.entropy;
    const step = hovered.index;
    const { p, best, same } = nextToken.overview(now.temperature)[step];
    const text = fill(texts.reading_step, { step: step + 1, token: labels[step], percent: percent(p) });
    if (same || step >= guessedFrom(store.view)) return text;
    const other = { best: nextToken.label(nextToken.ids(step)[0]), best_percent: percent(best) };
    return `${text} ${fill(texts.reading_best, other)}`;
  };

  // For those who hear the page: what is shown, once it stays.
  const say = () => {
    const { texts, given_target: given } = nextToken.about;
    const { before, token } = now.sentence;
    const label = (svg, words) => setAttributes(svg, { "aria-label": words });
    label(sentence.svg, fill(texts.sentence, { before: before || texts.nothing, token }));
    const picture = {
      step: now.step + 1,
      list: now.rows.map(({ label, p }) => `«${label}» ${percent(p)}`).join(", "),
      rest: now.restLabel,
      rest_percent: percent(now.rest.p),
      entropy: now.entropy,
    };
    label(bars.svg, fill(texts.picture, picture));
    label(steps.svg, texts[given ? "steps_typed" : "steps"]);
    list.paint(now, nextToken);
  };

  const resize = () => {
    const wide = Math.floor(root.getBoundingClientRect().width);
    if (wide === width) return;
    width = wide;
    paint(store.view);
  };
  build();
  resize();
  const unwatch = watchSize(root, resize, () => paint(store.view));
  const off = store.subscribe(paint);

  function update(next) {
    nextToken = readNextToken(next);
    hovered = null;
    build();
  }

  function destroy() {
    withdraw();
    store.takeBack("next_token", nextToken);
    off();
    unwatch();
    clearTimeout(settling);
  }

  return part;
}

// In lecture mode as large as the window allows.
function enlargement(root, width) {
  const style = getComputedStyle(document.documentElement);
  const [wide, high] = ON_STAGE;
  // also where one has scrolled
  const above = Math.max(root.getBoundingClientRect().top, ABOVE * parseFloat(style.fontSize));
  const room = innerHeight - above - barHeight();
  return Math.min(Math.max(Math.min(width / wide, room / high), 1), 3);
}

function enlarge(svg, scale) {
  const [, , wide, high] = svg.getAttribute("viewBox").split(" ").map(Number);
  svg.style.width = `${wide * scale}px`;
  svg.style.height = `${high * scale}px`;
}
