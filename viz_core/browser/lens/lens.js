// The lens: one block in focus, in the middle and large; what stands around it stays, compressed. It opens out of the flow
// and closes into it in one movement.

import { el, perFrame, setAttributes } from "../kit/dom.js";
import { canvasPen, sizeCanvas } from "../kit/pen.js";
import { OPENS } from "../kit/operations.js";
import { svgPen } from "../kit/save.js";
import { marksOf } from "../attention_view/marks.js";
import { spokenCell, stillThere } from "../attention_view/picture.js";
import { description, spokenOf, tipOf } from "../attention_view/reading.js";
import { drawAfter, drawFlight, drawMixWay, drawOutput, drawWays } from "./after.js";
import { askedRow, attentionPlan, drawAttention, stacksOf } from "./attention.js";
import { makeCode } from "./code.js";
import { makeCrumbs } from "./crumbs.js";
import { rounded } from "./ink.js";
import { motionOf, progress } from "./motion.js";
import { between, isEncoders, lensPlan } from "./plan.js";
import { followLens } from "./pointer.js";
import { drawLane, stackPlan } from "./stacks.js";

const MOVE = 380; // ms of the camera's movement
const OPAQUE = 0.45; // of the movement, until it is fully seen
const NARROW = 1080; // px: below it the line of crumbs has room for the most needed alone
const READING = 40; // px below the picture in a file
let versions = 0;

const KIND = Object.fromEntries(Object.entries(OPENS).map(([kind, block]) => [block, kind]));
const ease = (t) => 1 - (1 - t) ** 3;

// data: as readOverview reads it; flow: (block) => the plan of the cards where the flow has them; opened: draws a block that
// is no attention into an element; links: (block) => its pages; say(thing): what is pointed at, null at rest; moved(seen): how
// much of the lens is seen, 0 to 1, so that the flow fades.
export function makeLens(data, store, { flow, opened, links, say, moved }) {
  const version = ++versions;
  const canvas = el("canvas", { class: "lens-picture", role: "img", tabindex: 0 });
  const body = el("div", { class: "opened" });
  const pick = (query, key) => store.set({ cell: [query, key] });
  const crumbs = makeCrumbs(data, store, { pick, links, leave: store.send && ((page) => store.send("go", page)) });
  const code = makeCode(data);
  const node = el("div", { class: "lens", hidden: true }, canvas, crumbs.node, body, code.node);
  const painting = perFrame(drawNow);
  let size = { w: 0, h: 0, zoom: 1 };
  let block = "";
  let plan = null;
  let camera = null;
  let scene = null;
  let hover = null;
  let motion = null;

  const isOpen = () => Boolean(store.view.open);

  function place(w, h, zoom) {
    size = { w, h, zoom }; // a movement goes on to where the cards then stand
    setAttributes(node, { style: `width: ${w}px; height: ${h}px` });
    node.classList.toggle("narrow", w < NARROW);
  }

  const wantedPlan = (view) =>
    lensPlan({ width: size.w, height: size.h, block, cell: isCell(view), S: data.S, T: data.T });
  const isCell = (view) => Boolean(KIND[block] && view.cell && view.show === "one" && view.form === "matrix");

  // Returns whether the lens is there, or on its way.
  function paint(view, before, theme) {
    if (!size.w) return false;
    const closing = !view.open;
    if (closing && !block) return false;
    const opening = view.open && !block;
    if (view.open) block = view.open;
    const wanted = closing ? flow(block) : wantedPlan(view);
    const name = `${closing} ${block} ${isCell(view)}`;
    const changed = view !== before;
    if (opening) plan = changed ? flow(block) : null; // another sentence does not open it again
    if (camera?.name !== name) {
      const moves = !theme.still && plan;
      camera = { name, from: plan ?? wanted, to: wanted, start: moves ? performance.now() : -MOVE, opening, closing };
      if (opening) hover = null;
    }
    camera.to = wanted;
    const isMatrix = KIND[block] && view.show === "one" && view.form === "matrix";
    const arrives = Math.max(0, camera.start + MOVE - performance.now());
    if (changed) motion = theme.still || opening ? null : motionOf(view, before, isMatrix, arrives);
    node.hidden = false;
    drawNow();
    if (opening && node.getRootNode().activeElement?.matches?.(".opens")) crumbs.focus();
    return Boolean(block);
  }

  function drawNow() {
    const { view, theme } = store;
    if (!camera || !block || view.step >= data.T) return; // the next sentence is on its way
    const t = Math.min(1, (performance.now() - camera.start) / MOVE);
    plan = between(camera.from, camera.to, ease(t));
    const seen = camera.opening ? Math.min(1, t / OPAQUE) : camera.closing ? Math.max(0, 1 - t / (1 - OPAQUE)) : 1;
    moved(seen);
    if (camera.closing && seen === 0) {
      block = "";
      node.hidden = true;
      body.replaceChildren();
      return;
    }
    node.style.opacity = seen;
    scene = compose(view, theme);
    const context = sizeCanvas(canvas, size.w, size.h, size.zoom);
    canvas.pen ??= canvasPen(context);
    context.clearRect(0, 0, size.w, size.h);
    canvas.pen.box(0, 0, size.w, size.h, { fill: theme.surface });
    draw(canvas.pen, scene);
    const { frame } = scene.attention ?? {};
    crumbs.paint(view.open ? view : { ...view, open: block }, frame, frame && spokenCell(frame, null));
    code.paint(view, block);
    drawBody(view);
    if (t === 1) camera.opening = false;
    if (t < 1 || motion) painting.soon();
  }

  function compose(view, theme) {
    const kind = KIND[block];
    const moving = movingNow();
    const attention = kind ? attentionPlan({ plan, data, view, theme, version, kind, motion: moving }) : null;
    const current = { encoder: null, decoder: view.step };
    const found = {
      data,
      view,
      theme,
      plan,
      block,
      kind,
      version,
      texts: data.texts,
      attention,
      current,
      motion: moving,
    };
    found.stacks = { encoder: stackPlan(found, "encoder"), decoder: stackPlan(found, "decoder") };
    found.hidden = view.predict === "word" && !view.revealed;
    if (!attention) {
      if (isEncoders(block)) current.encoder = opened.row?.(view) ?? 0;
      return found;
    }
    const { frame } = attention;
    hover = stillThere(frame, hover);
    frame.marks = frame.grid ? { thumb: hover, tip: tipOf(frame, hover) } : marksOf(frame, hover);
    if (!frame.grid) {
      const asked = Math.max(askedRow(attention), 0);
      const { query, key } = stacksOf(kind);
      current[query] = frame.selection.rows[asked].tokens.at(-1);
      found.weights = { [key]: data.weights(kind, view.layer, view.head, current[query]) };
      const column = frame.marks.hover?.[1] ?? -1;
      if (column >= 0) found.hot = { [key]: frame.selection.columns[column].tokens[0] };
    }
    return found;
  }

  // { stage, t } or { flies, t }; null once it has arrived.
  function movingNow() {
    if (!motion) return null;
    const t = progress(motion);
    if (t !== (motion.back ? 0 : 1)) return { ...motion, t };
    motion = null;
    return null;
  }

  const spoken = () => spokenOf(scene.attention.frame, hover, store.exact);

  function draw(pen, of) {
    drawWays(pen, of);
    for (const stack of ["encoder", "decoder"]) drawLane(pen, of, stack);
    drawAfter(pen, of);
    drawOutput(pen, of);
    if (of.attention) drawAttention(pen, of, { panel: of.attention.side && spoken().panel });
    else pen.path(rounded(of.plan.focus, 12), { fill: of.theme.surface, stroke: of.theme.accent, width: 2 });
    if (of.attention?.isMatrix) drawMixWay(pen, of, of.attention.mix);
    if (of.motion?.flies) drawFlight(pen, of);
  }

  // Blocks without an attention are written as a page is.
  let written = "";
  function drawBody(view) {
    body.hidden = Boolean(KIND[block]);
    const { focus } = plan;
    for (const [side, px] of Object.entries({ left: focus.x, top: focus.y, width: focus.w, height: focus.h }))
      body.style[side] = `${px}px`;
    if (body.hidden || !view.open) return;
    const wanted = [block, view.step, view.layer, view.revealed, view.predict, opened.row?.(view)].join();
    if (wanted === written && body.children.length) return;
    written = wanted;
    opened.draw(body, block, view);
    const label = data.texts.name[block];
    setAttributes(body, { tabindex: 0, role: "region", "aria-label": label }); // a small window scrolls it
  }

  const hoverAt = (cell) => {
    if (JSON.stringify(cell) === JSON.stringify(hover)) return;
    hover = cell;
    painting.soon();
  };
  followLens(canvas, store, () => scene && { ...scene, zoom: size.zoom }, { hoverAt, say });

  // The sentence of an attention at rest, or under the pointer; null of other blocks.
  function words() {
    return scene?.attention && isOpen() && block ? spoken().words : null;
  }

  // For those who hear it; name: of the block.
  function describe(name) {
    const said = scene?.attention ? description(scene.attention.frame, spoken().words) : name;
    setAttributes(canvas, { "aria-label": said });
  }

  // As an SVG that needs nothing else; null where a block is no drawing.
  function svg() {
    if (!scene?.attention) return null;
    const { theme } = store;
    const pen = svgPen(size.w, size.h + READING, { ground: theme.surface });
    draw(pen, { ...scene, motion: null });
    pen.text(words(), 10, size.h + READING / 2, { fill: theme.ink, max: size.w - 20 });
    return pen.finish();
  }

  function destroy() {
    painting.cancel();
    node.remove();
  }

  return { node, place, paint, words, describe, svg, destroy };
}
