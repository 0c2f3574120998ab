// The lens: one block in focus, large in the middle, with its surroundings compressed around it. It opens out of the flow and closes
// into it in one movement.

import { textsOf } from "../../web/src/address";
import { nth } from "../../web/src/payload";
import type { Store, Theme, View } from "../../web/src/ui/store";
import { stillThere } from "../attention_view/picture";
import { description, spokenOf } from "../attention_view/reading";
import { el, perFrame, setAttributes } from "../kit/dom";
import { fill, grouped, numeral } from "../kit/numbers";
import { ATTENTION_OF } from "../kit/operations";
import { READABLE, canvasPen, contextOf, sizeCanvas } from "../kit/pen";
import { svgPen } from "../kit/svg_pen";
import { makeCode, makeCrumbs } from "./crumbs";
import type { Overview, Side, Thing, Token } from "../overview/data";
import { drawFormula, plain, wrapped } from "./ink";
import { type Motion, motionOf, progress } from "./motion";
import { type Plan, between, lensPlan } from "./stacks";
import { followLens } from "./pointer";
import { type AttentionScene, type Hover, type Scene, cellOf, drawScene, sceneOf, spotOf } from "./scene";
import { type Flow, momentOf, travels } from "./travel";
import { spokenCell } from "../attention_view/cell";

const MOVE = 380; // ms of the camera's movement
const WAITS = 40; // ms at most that a movement waits for its first picture, which may take longer than a frame
const TIGHT = 1300; // px: below it the layer is left out where a cell is open
const NARROW = 1080; // px: below it the line of crumbs has room for the essentials only
const LEAST = 760; // px of the picture's width
const CODE = { share: 0.3, most: 560, gap: 12 }; // px of the code beside the picture, and its share of the room
const BESIDE_CODE = 960; // px of the picture's width beside the code, scaled down to fit
const SMALLEST = 0.8; // of that scale: below it, the code goes under the picture
const READING = 56; // px for the reading below the picture in a file
let versions = 0;

interface Around {
  flow(block: string): Plan; // the cards' places in the flow
  ribbons(block: string): Flow | null; // an attention's ribbons in the flow
  links(block: string): [name: string, address: string][]; // the block's pages
  say(thing: Thing | null): void; // a new hovered thing, null at rest
  tell(): void; // the caption may have changed
  covers(all: boolean): void; // whether the lens hides all of the flow
  closed(): void;
}

/** The movement between two plans, or the final place. */
type Camera = { name: string; from: Plan; to: Plan; start: number; opening: boolean; closing: boolean; ribbons: Flow | null };

// Goes to a page, such as `qkv?kind=self`; an attention's page shows the same cell.
function leaveFor(store: Store, to: string) {
  const [page, own] = to.split("?");
  const shown = store.staged() ? textsOf({ ...store.view, open: "" }) : {};
  store.ask({ ...shown, ...Object.fromEntries(new URLSearchParams(own)) }, page);
}

// data: from readOverview.
export function makeLens(data: Overview, store: Store, { flow, ribbons, links, say, tell, covers, closed }: Around) {
  const version = ++versions;
  const canvas = el("canvas", { class: "lens-picture", role: "img", tabindex: 0 });
  const crumbs = makeCrumbs({
    data,
    store,
    links,
    choose: (side, index) => pick(side, index),
    leave: store.send && ((to) => leaveFor(store, to)),
  });
  const code = makeCode(data);
  const node = el("div", { class: "lens", hidden: true }, canvas);
  const pen = canvasPen(contextOf(canvas));
  const painting = perFrame(drawNow);
  let room = { w: 0, h: 0, zoom: 1, risen: 0 }; // for picture and code together; `size` is the picture's
  let size = { w: 0, h: 0, zoom: 1, risen: 0, beside: false };
  let block = "";
  let plan: Plan | null = null;
  let camera: Camera | null = null;
  let scene: Scene | null = null;
  let hover: Hover = null;
  let motion: Motion | null = null;
  let picked: Token | null = null;

  const isOpen = () => Boolean(store.view.open);

  // risen: px of the line of crumbs above the picture.
  function place(w: number, h: number, zoom: number, risen: number) {
    room = { w, h, zoom, risen };
    spread(store.view);
    setAttributes(crumbs.node, { style: `top: ${-risen}px; width: 100%` });
    crumbs.node.classList.toggle("narrow", w < NARROW);
    crumbs.node.classList.toggle("tight", w < TIGHT);
  }

  // Sizes the picture, with the code beside it if there is room for both, else below.
  function spread(view: View) {
    const { w, h, zoom, risen } = room;
    const aside = Math.floor(Math.min(CODE.most, w * CODE.share));
    const left = w - aside - CODE.gap;
    const fits = left >= BESIDE_CODE * SMALLEST;
    const beside = view.code && fits;
    const wide = beside ? left : Math.max(w, LEAST);
    const scale = beside ? Math.min(1, left / BESIDE_CODE) : 1;
    // a movement under way continues to the cards' new places
    size = { w: Math.floor(wide / scale), h: Math.floor(h / scale), zoom: zoom * scale, risen, beside };
    code.place(fits ? { w: aside, h } : null);
    setAttributes(node, { style: `width: ${size.w}px; height: ${size.h}px; zoom: ${scale}` });
  }

  // A locked cell in the step's row moves along with the step.
  const follow = (view: View, { step, cell }: View) => {
    const isLocked = cell !== null && view.cell === cell && cell[0] === step;
    if (!isLocked || view.step === step || !view.open || view.open === "encoder") return;
    const lastKey = view.open === "masked" ? view.step : data.S - 1;
    store.set({ cell: [view.step, Math.min(cell[1], lastKey)] });
  };

  const wantedPlan = (view: View) => {
    const { w: width, h: height, risen, beside: slim } = size;
    return lensPlan({ width, height, risen, slim, cell: isCell(view), S: data.S, T: data.T });
  };
  const isMatrix = (view: View) => Boolean(ATTENTION_OF[block] && view.show === "one" && view.form === "matrix");
  const isCell = (view: View) => view.cell !== null && isMatrix(view);

  // Returns whether the lens is open, or opening or closing.
  function paint(view: View, before: View, theme: Theme) {
    if (!size.w) return false;
    const closing = !view.open;
    if (closing && !block) return false;
    if (view.code !== before.code) spread(view);
    const opening = !closing && !block;
    follow(view, before);
    const isSame = closing || view.open === block;
    if (view.open && view.open !== block) {
      block = view.open;
      setAttributes(canvas, { "aria-label": data.texts.name[block] }); // until the description comes
    }
    const wanted = closing ? flow(block) : wantedPlan(view);
    const name = `${closing} ${isCell(view)}`; // the cards' places do not depend on the block
    const changed = view !== before;
    if (opening) plan = changed ? flow(block) : null; // a new sentence does not repeat the opening
    let now = camera?.name === name ? camera : null;
    const begins = !now;
    if (!now) {
      const moves = !theme.still && plan !== null;
      const time = performance.now();
      // a half-finished movement turns back
      const turning = moves && isSame && !opening && (closing ? camera?.opening : camera?.closing) ? camera : null;
      const start = turning ? 2 * time - MOVE - turning.start : time;
      const opens = opening || (turning !== null && !closing);
      const way = { name, from: turning?.to ?? plan ?? wanted, to: wanted, start: moves ? start : -MOVE };
      now = { ...way, opening: opens, closing, ribbons: null };
      if (opening) hover = null;
    }
    camera = now;
    now.to = wanted;
    now.ribbons = (now.opening || closing) && travels(view) ? ribbons(block) : null;
    const arrives = Math.max(0, now.start + MOVE - performance.now());
    const isStill = (theme.still && view.scrub === null) || opening;
    if (changed) motion = isStill ? null : motionOf(view, before, isMatrix(view), arrives);
    node.hidden = crumbs.node.hidden = false;
    code.paint(view, block);
    const beganDrawing = performance.now();
    drawNow();
    if (begins) now.start += Math.min(performance.now() - beganDrawing, WAITS);
    const { activeElement } = node.getRootNode() as Document;
    if (opening && activeElement?.matches(".opens, .vm-box")) crumbs.focus();
    return Boolean(block);
  }

  function drawNow() {
    const { view, theme } = store;
    if (!camera || !block || view.step >= data.T) return; // the next sentence is loading
    const t = Math.min(1, (performance.now() - camera.start) / MOVE);
    // closing is opening in reverse
    const [flowed, opened] = camera.closing ? [camera.to, camera.from] : [camera.from, camera.to];
    plan = between(flowed, opened, camera.closing ? 1 - t : t, Boolean(camera.ribbons));
    const forth = camera.opening ? t : camera.closing ? 1 - t : 1;
    const { seen, inside, ...way } = momentOf(forth, Boolean(camera.ribbons));
    const { focus, numbers } = opened;
    const travel = camera.ribbons && forth < 1 ? { ...camera.ribbons, ...way, plan: { focus, numbers }, end: focus } : null;
    covers(seen === 1);
    if (camera.closing && t === 1) {
      block = "";
      node.hidden = crumbs.node.hidden = true;
      closed();
      return;
    }
    for (const part of [canvas, crumbs.node]) part.style.opacity = String(seen);
    const wasMoving = motion?.stage;
    const given = { data, texts: data.texts, version, view, theme, plan, block, motion: movingNow(), inside, travel };
    scene = sceneOf(given, hover, picked);
    if (scene.attention) hover = stillThere(scene.attention.frame, cellOf(hover));
    repaint(scene);
    const shown = view.open ? view : { ...view, open: block };
    if (scene.attention) {
      const { frame } = scene.attention;
      crumbs.paint({ view: shown, frame, place: spokenCell(frame, null), token: null });
    } else crumbs.paint({ view: shown, frame: null, place: [-1, -1], token: scene.token });
    if (t === 1) camera.opening = false;
    if (wasMoving) tell();
    if (t < 1 || (motion && motion.held === undefined)) painting.soon();
  }

  function pick(side: Side, index: number) {
    picked = { side, index };
    if (side === "source") store.set({ token: index }); // so that the encoder's pages show it, too
    hover = null;
    if (!block) return;
    drawNow();
    tell();
  }

  function repaint(now: Scene) {
    const context = sizeCanvas(canvas, size.w, size.h, size.zoom);
    context.clearRect(0, 0, size.w, size.h);
    pen.box(0, 0, size.w, size.h, { fill: now.theme.surface });
    drawScene(pen, now, panelOf(now));
  }

  // The motion at this moment; null once finished.
  function movingNow() {
    if (!motion) return null;
    const t = progress(motion);
    if (t !== (motion.back ? 0 : 1)) return { ...motion, t };
    motion = null;
    return null;
  }

  const spoken = ({ attention, pointed }: AttentionScene) => spokenOf(attention.frame, cellOf(hover) ?? pointed, store.exact);

  const panelOf = (now: Scene) => (now.attention?.side ? spoken(now).panel : null);

  const hoverAt = (cell: Hover) => {
    if (JSON.stringify(cell) === JSON.stringify(hover)) return;
    hover = cell;
    painting.soon();
  };
  followLens(canvas, store, () => scene && { scene, zoom: size.zoom }, { hoverAt, say, pick });

  // The caption: of the hovered cell or number, else of the attention at rest, else of the block; null if there is none.
  function words() {
    if (!scene || !isOpen() || !block) return null;
    if (scene.attention) return (!hover && data.texts.lens.moves[scene.motion?.stage ?? ""]) || spoken(scene).words;
    const spot = spotOf(scene.terms, hover); // computed anew: the drawn one may lag behind the pointer
    if (!spot) return scene.hidden ? null : scene.content.title;
    const { row, term, at } = spot;
    const { name, values, exact } = nth(nth(scene.terms.rows, row).terms, term);
    const value = values[at] === 0 ? "0" : numeral(nth(values, at), exact);
    return fill(data.texts.terms.reads ?? "", { name: plain(name), number: at + 1, count: grouped(values.length), value });
  }

  // Sets the description for screen readers; rest: of the step.
  function describe(rest: string) {
    if (scene && block) setAttributes(canvas, { "aria-label": spokenWhole(scene, rest) });
  }

  function spokenWhole(now: Scene, rest: string) {
    if (now.attention) return description(now.attention.frame, spoken(now).words);
    const { content, terms } = now;
    return plain(`${data.texts.name[block]}: ${content.title} ${terms.table ? rest : content.line(content.dim ?? 0)}`);
  }

  // A self-contained SVG; null while no block is open.
  function svg(reading: string) {
    if (!scene || !isOpen()) return null;
    const { theme } = store;
    const drawing = svgPen(size.w, size.h + READING, { ground: theme.surface });
    drawScene(drawing, { ...scene, motion: null }, panelOf(scene));
    wrapped(reading, size.w - 20, READABLE).forEach((words, line) => {
      drawFormula(drawing, words, 10, size.h + 16 + line * 24, { fill: theme.ink, max: size.w - 20 });
    });
    return drawing.finish();
  }

  function destroy() {
    painting.cancel();
    covers(false);
    for (const part of [node, crumbs.node, code.node]) part.remove();
  }

  return {
    node,
    crumbs: crumbs.node,
    code: code.node,
    risen: () => size.risen,
    place,
    paint,
    pick,
    words,
    isAttention: () => Boolean(scene?.attention && isOpen()),
    describe,
    svg,
    destroy,
  };
}
