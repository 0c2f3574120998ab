// The overview: the whole forward pass of one sentence in one screen, live.
//
// All drawn values come from the trace. Step, layer and head come from the store; one block at a time opens into the lens, which
// takes the flow's place. The strip at the bottom describes the hovered thing, so that no tooltip covers the data.

import { nth } from "../../web/src/payload";
import type { Root, Store, View } from "../../web/src/ui/store";
import { dress, el, saySideways, setAttributes, svgEl, topOf, watchSize } from "../kit/dom";
import { fill } from "../kit/numbers";
import { partOf } from "../kit/operations";
import { clipped, textWidth } from "../kit/pen";
import { offerPicture } from "../kit/save";
import { type Stack, type Thing, makeInside, readOverview } from "./data";
import { type Drawn, type Layout, type Wide, flowPlan, overviewLayout, aboveFigure, enlarged, heightOf } from "./layout";
import { drawingStyle, wholeDrawing, wholePaper } from "./file";
import { drawNames, wordsOf } from "./names";
import { linksOf, toggle, anticipate, followPinch, followPointer, readStep, readThing } from "./pointer";
import { drawOutput, makeFlight, drawStrip } from "./output";
import { makeLens } from "../lens/lens";
import { drawPaper } from "./paper";
import { flowRibbons, drawBack } from "./scene";
import { drawRows } from "./rows";

const QUIET = 250; // ms without a change until it is announced
const LEAST_PAPER = 900;
const LEAST_HIGH = 390; // px of the paper's figure and of the lens

export function mountOverview(root: Root, payload: Uint8Array, store: Store) {
  let data = readOverview(payload);
  let inside = makeInside(data, root.address);
  let theme = store.theme;
  let at: Layout;
  let zoom = 1;
  let pointed: Thing | null = null;
  let speakTimer: ReturnType<typeof setTimeout> | undefined;
  let sizes = "";
  let paperSize = { width: 0, height: 0 };
  let fresh = true; // whether nothing of the view is drawn yet
  let lens: ReturnType<typeof makeLens>;
  let opening: symbol | null = null; // a block's opening that waits for its data
  let covered = false; // by the lens
  let returnsTo: HTMLElement | SVGElement | null = null; // gets the focus once the lens has closed
  const wide: Wide = (text, px) => textWidth(text, px, true); // in semibold letters, generous for others
  const drawing = (name: string) => svgEl("svg", { class: `vm ${name}`, "aria-hidden": "true" });
  const [back, rows, output] = [drawing("back"), drawing("rows"), drawing("output")];
  const figure = svgEl("svg", { class: "vm paper", role: "group" });
  const scroller = el("div", { class: "scroller", role: "group" }, rows);
  const buttons = el("div", { class: "buttons" });
  const flow = el("div", { class: "flow", role: "figure" }, back, scroller, output, buttons);
  const wideFlow = el("div", { class: "wide" }, flow, figure);
  const style = el("style");
  const strip = el("div", { style: "display: contents" });
  const said = { words: "", inks: [] as string[], said: "" };
  const part = { update, destroy, svg, name };
  const withdraw = offerPicture(part, store, root);
  root.replaceChildren(style, wideFlow, strip);
  saySideways(wideFlow);
  const flight = makeFlight(flow);

  const isPaper = () => store.view.drawing === "paper";

  const go = (block: string, stack: Stack) => {
    if (stack === "encoder") lens.pick("source", store.view.token);
    else lens.pick("target", store.view.step);
    toggle(store, block);
  };

  const build = () => {
    pointed = null;
    opening = null;
    dress(root, theme);
    style.textContent = drawingStyle(theme);
    flight.stop();
    lens?.destroy();
    lens = makeLens(data, store, {
      links: (block) => linksOf(data.texts, block),
      flow: (block) => flowPlan(at, block, scroller.scrollTop),
      ribbons: (block) => (isPaper() ? null : flowRibbons(block, drawn())), // the paper's figure has none
      say: point,
      tell,
      closed() {
        replaceTitle(false);
        returnsTo?.focus({ preventScroll: true }); // now that it is visible again
        returnsTo = null;
      },
      covers: (all) => {
        for (const drawn of [flow, figure]) drawn.style.visibility = all ? "hidden" : "";
      },
    });
    wideFlow.append(lens.node);
    wideFlow.after(lens.code);
    root.append(lens.crumbs);
    setAttributes(figure, { "aria-label": data.texts.paper.title });
    setAttributes(scroller, { "aria-label": data.texts.scroll });
    sizes = "";
    resize();
  };

  const resize = () => {
    const { lecture } = store.view;
    const top = topOf(wideFlow);
    zoom = lecture ? enlarged(top, data) : 1;
    root.style.zoom = String(zoom);
    const width = Math.floor(wideFlow.getBoundingClientRect().width / zoom);
    const height = heightOf(top, zoom);
    const above = lecture && store.talk ? 0 : aboveFigure(wideFlow) / zoom; // may change where the height is the least or most one
    const wanted = `${width} ${height} ${lecture} ${zoom} ${isPaper()} ${Math.round(above)}`;
    if (!width || sizes === wanted) return;
    sizes = wanted;
    at = overviewLayout({ ...data, width, height, large: lecture, wide });
    flow.hidden = isPaper();
    figure.style.display = isPaper() ? "" : "none";
    paperSize = { width: Math.max(width, LEAST_PAPER), height: Math.max(height, LEAST_HIGH) };
    lens.place(width, paperSize.height, zoom, above);
    Object.assign(flow.style, { width: `${at.width}px`, height: `${at.height}px` });
    Object.assign(scroller.style, { top: `${at.head}px`, height: `${at.view}px`, width: `${at.width}px` });
    setAttributes(scroller, { tabindex: at.rows * at.pitch > at.view + 1 ? 0 : null });
    for (const svg of [back, output]) setAttributes(svg, { width: at.width, height: at.height });
    const high = at.rows * at.pitch;
    setAttributes(rows, { width: at.width, height: high, viewBox: `0 0 ${at.width} ${high}` });
    fresh = true;
    paint(store.view, store.view);
  };

  // Whether the figure is laid out and no other sentence is loading.
  const isThere = () => Boolean(sizes) && store.limits.steps === data.T && store.view.step < data.T;

  const drawn = (): Drawn => {
    const guess = hides("source");
    const isSecret = guess && !(pointed && "kind" in pointed && pointed.kind !== "cross");
    return { at, data, store, wide, top: scroller.scrollTop, hidden: hides("word"), guess, thing: isSecret ? null : pointed };
  };

  const draw = () => {
    if (!isThere() || covered) return; // what the lens covers is drawn once it is visible again
    if (isPaper()) return drawPaper(figure, drawn(), { ...paperSize, go, point });
    for (const [part, node] of [
      [drawBack, back],
      [drawRows, rows],
      [drawOutput, output],
      [drawNames, buttons],
    ] as const)
      part(node, drawn());
  };
  const writeStrip = () => drawStrip(strip, { store, texts: data.texts, ...said });

  const paint = (view: Readonly<View>, before: Readonly<View>) => {
    if (store.theme !== theme) {
      theme = store.theme;
      return build();
    }
    if (!isThere()) return;
    if (view.lecture !== before.lecture || view.drawing !== before.drawing) {
      const old = sizes;
      resize();
      if (old !== sizes) return; // resize has painted
    }
    const { step } = view;
    const closes = before.open && !view.open;
    const focused = (root.getRootNode() as Document | ShadowRoot).activeElement;
    const hadFocus = closes && [lens.node, lens.crumbs, lens.code].some((node) => node.contains(focused));
    if (hadFocus)
      returnsTo = isPaper() ? figure.querySelector(".vm-box") : buttons.querySelector(`[data-opens=${partOf(before.open)}]`);
    if (closes) reveal(step); // before the lens closes into it
    if (!view.open) opening = null;
    else if (!data.isWhole) awaitInside(view !== before && !before.open);
    const inLens = data.isWhole && lens.paint(view, before, theme);
    replaceTitle(inLens);
    tell();
    clearTimeout(speakTimer);
    speakTimer = setTimeout(speak, QUIET);
    const wasCovered = covered;
    covered = inLens && Boolean(view.open) && view.open === before.open && !fresh;
    if (covered) return;
    fresh ||= wasCovered;
    if (fresh || step !== before.step) reveal(step);
    draw();
    const flies = !fresh && !inLens && Math.abs(step - before.step) === 1;
    if (flies && !theme.still && !hides("word") && !isPaper()) fly(before.step, step);
    else if (step !== before.step) flight.stop();
    fresh = false;
  };

  // Opens the lens as soon as its data has come; until then the flow stays, and steps. moves: whether the lens opens in a movement,
  // as after a press, or at once.
  const awaitInside = async (moves: boolean) => {
    if (opening) return;
    const own = Symbol("opening");
    opening = own;
    const hasCome = await inside();
    if (opening !== own) return; // closed meanwhile, or drawn anew
    if (hasCome) paint(store.view, moves ? { ...store.view, open: "" } : store.view);
    else store.set({ open: "" });
  };

  // While the lens is open, its line of crumbs replaces the page's title.
  const replaceTitle = (inLens: boolean) => document.documentElement.toggleAttribute("data-lens", inLens && Boolean(lens.risen()));

  const hides = (what: "word" | "source") => store.view.predict === what && !store.view.revealed;

  // Scrolls the step's row into view, with one more below it; in a longer source, the row at the same relative place.
  const reveal = (step: number) => {
    const row = data.S > data.T && data.T > 1 ? (step * (data.S - 1)) / (data.T - 1) : step;
    const top = (row - 1) * at.pitch;
    const bottom = (row + 2) * at.pitch;
    if (top < scroller.scrollTop) scroller.scrollTop = top;
    else if (bottom > scroller.scrollTop + at.view) scroller.scrollTop = bottom - at.view;
  };

  const fly = (from: number, to: number) => {
    const row = Math.max(from, to);
    const words = clipped(nth(data.target, row), at.decoder.tokens.width, at.font, true);
    const { choice, decoder } = at;
    const box = { x: choice.x + choice.width / 2, y: choice.y + choice.height / 2 };
    const half = wide(words, at.font) / 2;
    const place = { x: decoder.tokens.end - half, y: at.head + at.middle(row) - at.scrolled(scroller.scrollTop).target };
    const [isOn, landing] = [to > from, to > from ? rows.querySelector(".highlighted") : output.querySelector(".chosen")];
    flight.fly(words, isOn ? box : place, isOn ? place : box, at.font, landing as Element);
  };

  const point = (thing: Thing | null) => {
    pointed = thing;
    if (!isPaper()) draw();
    tell();
  };

  // Writes the caption of the hovered thing, or of the view.
  const tell = () => {
    const { view } = store;
    const rest = () => lens.words() ?? readStep(data, view, hides("word"));
    const ofAttention = pointed ? "kind" in pointed : lens.isAttention();
    const inks = ofAttention ? ["q", "k"] : pointed && "inks" in pointed ? pointed.inks : [];
    const words = pointed ? readThing(data, pointed, view, hides("source")) : rest();
    Object.assign(said, { words, inks });
    writeStrip();
  };

  const speak = () => {
    resize(); // content above may have changed height
    const { step, layer, head } = store.view;
    const rest = readStep(data, store.view, hides("word"));
    const numbers = { step: step + 1, steps: data.T, layer: layer + 1, head: head + 1 };
    setAttributes(flow, { "aria-label": fill(data.texts.figure, { ...numbers, rest }) });
    lens.describe(rest);
    said.said = said.words;
    writeStrip();
  };

  followPointer(flow, () => ({ ...drawn(), zoom }), { point, pick: (side, index) => lens.pick(side, index) });
  scroller.addEventListener("scroll", draw, { passive: true });
  followPinch(wideFlow, store);
  anticipate(wideFlow, () => inside());

  const unwatch = watchSize(wideFlow, resize, () => {
    sizes = "";
    resize();
  });
  const off = store.subscribe(paint);
  build();

  function update(bytes: Uint8Array) {
    data = readOverview(bytes);
    inside = makeInside(data, root.address);
    build();
  }

  function destroy() {
    off();
    opening = null;
    unwatch();
    withdraw();
    document.documentElement.toggleAttribute("data-lens", false);
    clearTimeout(speakTimer);
    flight.stop();
    root.replaceChildren();
  }

  function svg() {
    const shown = { names: wordsOf(drawn()), css: style.textContent, reading: said.words, theme };
    const focused = lens.svg(said.words);
    if (focused) return focused;
    if (isPaper()) return wholePaper(figure, shown);
    return wholeDrawing({ back, rows, output, top: scroller.scrollTop, at, ...shown });
  }

  function name() {
    const { step, layer, head } = store.view;
    return `${store.view.open || (isPaper() ? "paper" : "overview")}-step-${step + 1}-layer-${layer + 1}-head-${head + 1}`;
  }

  return part;
}
