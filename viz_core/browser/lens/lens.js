// The lens: one block in focus, in the middle and large; what stands around it stays, compressed. It opens out of the flow
// and closes into it in one movement.

import { el, perFrame, setAttributes } from "../kit/dom.js";
import { fill, grouped, numeral } from "../kit/numbers.js";
import { ATTENTION_OF } from "../kit/operations.js";
import { READABLE, canvasPen, sizeCanvas } from "../kit/pen.js";
import { svgPen } from "../kit/svg_pen.js";
import { spokenCell, stillThere } from "../attention_view/picture";
import { description, spokenOf } from "../attention_view/reading";
import { makeCode } from "./code.js";
import { makeCrumbs } from "./crumbs";
import { drawFormula, plain, wrapped } from "./ink.js";
import { motionOf, progress } from "./motion.js";
import { between, lensPlan } from "./plan.js";
import { followLens } from "./pointer.js";
import { drawScene, sceneOf, spotOf } from "./scene.js";
import { momentOf, travels } from "./travel.js";

const MOVE = 380; // ms of the camera's movement
const WAITS = 40; // at most, for its first picture: the first of all takes longer than a frame
const TIGHT = 1300; // px: below it the layer is left out where a cell is open
const NARROW = 1080; // px: below it the line of crumbs has room for the most needed alone
const LEAST = 760; // px of its picture's width
const CODE = { share: 0.3, most: 560, gap: 12 }; // px of the code beside it, or a share of the room
const BESIDE_CODE = 960; // px of the picture there, which is made smaller for them
const SMALLEST = 0.8; // of its size: below that, the code stands below
const READING = 56; // px below the picture in a file
let versions = 0;

// data: as readOverview reads it; flow: (block) => the plan of the cards where the flow has them; ribbons: (block) => those of an
// attention that the flow draws, and its tokens, or null; links: (block) => its pages;
// say(thing): what is pointed at, null at rest; tell(): the sentence may be another; covers(all): whether nothing of the
// flow is seen any more; closed(): it is gone.
export function makeLens(data, store, { flow, ribbons, links, say, tell, covers, closed }) {
  const version = ++versions;
  const canvas = el("canvas", { class: "lens-picture", role: "img", tabindex: 0 });
  const crumbs = makeCrumbs({
    data,
    store,
    links,
    choose: (...token) => pick(...token),
    // the page of an attention shows the same cell
    leave:
      store.send && ((page) => store.send?.("go", store.staged() ? { page, view: { ...store.view, open: "" } } : page)),
  });
  const code = makeCode(data);
  const node = el("div", { class: "lens", hidden: true }, canvas);
  const painting = perFrame(drawNow);
  let room = null; // for the picture and the code beside it, as `size`
  let size = { w: 0, h: 0, zoom: 1, risen: 0, beside: false };
  let block = "";
  let plan = null;
  let camera = null;
  let scene = null;
  let hover = null;
  let motion = null;
  let picked = null; // a token that was chosen: { side, index }

  const isOpen = () => Boolean(store.view.open);

  // risen: px that the line of crumbs stands above the picture.
  function place(w, h, zoom, risen) {
    room = { w, h, zoom, risen };
    spread(store.view);
    setAttributes(crumbs.node, { style: `top: ${-risen}px; width: 100%` });
    crumbs.node.classList.toggle("narrow", w < NARROW);
    crumbs.node.classList.toggle("tight", w < TIGHT);
  }

  // The picture, and the code beside it where there is room for both; else below it.
  function spread(view) {
    const { w, h, zoom, risen } = room;
    const aside = Math.floor(Math.min(CODE.most, w * CODE.share));
    const left = w - aside - CODE.gap;
    const fits = left >= BESIDE_CODE * SMALLEST;
    const beside = view.code && fits;
    const wide = beside ? left : Math.max(w, LEAST);
    const scale = beside ? Math.min(1, left / BESIDE_CODE) : 1;
    // a movement goes on to where the cards then stand
    size = { w: Math.floor(wide / scale), h: Math.floor(h / scale), zoom: zoom * scale, risen, beside };
    code.place(fits ? { w: aside, h } : null);
    setAttributes(node, { style: `width: ${size.w}px; height: ${size.h}px; zoom: ${scale}` });
  }

  // A cell that is locked in the row of the step stays in it.
  const goesAlong = (view, { step, cell }) =>
    view.open && view.cell && view.step !== step && view.cell === cell && cell[0] === step && view.open !== "encoder";
  const lastKey = (view) => (view.open === "masked" ? view.step : data.S - 1);

  const wantedPlan = (view) => {
    const { w: width, h: height, risen, beside: slim } = size;
    return lensPlan({ width, height, risen, slim, cell: isCell(view), S: data.S, T: data.T });
  };
  const isCell = (view) => Boolean(ATTENTION_OF[block] && view.cell && view.show === "one" && view.form === "matrix");

  // Returns whether the lens is there, or on its way.
  function paint(view, before, theme) {
    if (!size.w) return false;
    const closing = !view.open;
    if (closing && !block) return false;
    if (view.code !== before.code) spread(view);
    const opening = view.open && !block;
    if (goesAlong(view, before)) store.set({ cell: [view.step, Math.min(view.cell[1], lastKey(view))] });
    const isSame = closing || view.open === block;
    if (view.open) block = view.open;
    const wanted = closing ? flow(block) : wantedPlan(view);
    const name = `${closing} ${isCell(view)}`; // cards stand where they stand, whatever the block
    const changed = view !== before;
    if (opening) plan = changed ? flow(block) : null; // another sentence does not open it again
    const begins = camera?.name !== name;
    if (begins) {
      const moves = !theme.still && plan;
      const now = performance.now();
      // what is half open, or half closed, turns back
      const turns = moves && isSame && !opening && (closing ? camera.opening : camera.closing);
      const start = turns ? 2 * now - MOVE - camera.start : now;
      const from = turns ? camera.to : (plan ?? wanted);
      const opens = opening || (turns && !closing);
      camera = { name, from, to: wanted, start: moves ? start : -MOVE, opening: opens, closing };
      if (opening) hover = null;
    }
    camera.to = wanted;
    camera.ribbons = (camera.opening || closing) && travels(view) ? ribbons(block) : null;
    const isMatrix = ATTENTION_OF[block] && view.show === "one" && view.form === "matrix";
    const arrives = Math.max(0, camera.start + MOVE - performance.now());
    const isStill = (theme.still && view.scrub === null) || opening;
    if (changed) motion = isStill ? null : motionOf(view, before, isMatrix, arrives);
    node.hidden = crumbs.node.hidden = false;
    code.paint(view, block);
    const asked = performance.now();
    drawNow();
    if (begins) camera.start += Math.min(performance.now() - asked, WAITS);
    if (opening && node.getRootNode().activeElement?.matches?.(".opens, .vm-box")) crumbs.focus();
    return Boolean(block);
  }

  function drawNow() {
    const { view, theme } = store;
    if (!camera || !block || view.step >= data.T) return; // the next sentence is on its way
    const t = Math.min(1, (performance.now() - camera.start) / MOVE);
    // closing is opening backwards
    const [flowed, opened] = camera.closing ? [camera.to, camera.from] : [camera.from, camera.to];
    plan = between(flowed, opened, camera.closing ? 1 - t : t, Boolean(camera.ribbons));
    const forth = camera.opening ? t : camera.closing ? 1 - t : 1;
    const { seen, inside, ...way } = momentOf(forth, Boolean(camera.ribbons));
    const { focus, numbers } = opened;
    const travel =
      camera.ribbons && forth < 1 ? { ...camera.ribbons, ...way, plan: { focus, numbers }, end: focus } : null;
    covers(seen === 1);
    if (camera.closing && t === 1) {
      block = "";
      node.hidden = crumbs.node.hidden = true;
      closed();
      return;
    }
    for (const part of [canvas, crumbs.node]) part.style.opacity = seen;
    const wasMoving = motion?.stage;
    scene = sceneOf({ data, version, view, theme, plan, block, motion: movingNow(), inside, travel }, hover, picked);
    if (scene.attention) hover = stillThere(scene.attention.frame, hover);
    repaint(theme);
    const { frame } = scene.attention ?? {};
    const place = frame && spokenCell(frame, null);
    crumbs.paint({ view: view.open ? view : { ...view, open: block }, frame, place, token: scene.token });
    if (t === 1) camera.opening = false;
    if (wasMoving) tell();
    if (t < 1 || (motion && motion.held === undefined)) painting.soon();
  }

  function pick(side, index) {
    picked = { side, index };
    if (side === "source") store.set({ token: index }); // which the pages of the encoder show, too
    hover = null;
    if (!block) return;
    drawNow();
    tell();
  }

  function repaint(theme) {
    const context = sizeCanvas(canvas, size.w, size.h, size.zoom);
    canvas.pen ??= canvasPen(context);
    context.clearRect(0, 0, size.w, size.h);
    canvas.pen.box(0, 0, size.w, size.h, { fill: theme.surface });
    drawScene(canvas.pen, scene, panelNow());
  }

  // { stage, t } or { flies, t }; null once it has arrived.
  function movingNow() {
    if (!motion) return null;
    const t = progress(motion);
    if (t !== (motion.back ? 0 : 1)) return { ...motion, t };
    motion = null;
    return null;
  }

  const spoken = () => spokenOf(scene.attention.frame, hover ?? scene.pointed, store.exact);

  const panelNow = () => (scene.attention?.side ? spoken().panel : null);

  const hoverAt = (cell) => {
    if (JSON.stringify(cell) === JSON.stringify(hover)) return;
    hover = cell;
    painting.soon();
  };
  followLens(canvas, store, () => scene && { ...scene, zoom: size.zoom }, { hoverAt, say, pick });

  // The sentence of an attention at rest, or of what is under the pointer; of another block what it does; null
  // where there is nothing to say.
  function words() {
    if (!scene || !isOpen() || !block) return null;
    if (scene.attention) return (!hover && data.texts.lens.moves[scene.motion?.stage]) || spoken().words;
    const spot = spotOf(scene, hover); // not the one that is drawn: it may be older than the pointer
    if (!spot) return scene.hidden ? null : scene.content.title;
    const { row, term, at } = spot;
    const { name, values, exact } = scene.terms.rows[row].terms[term];
    const value = values[at] === 0 ? "0" : numeral(values[at], exact);
    return fill(data.texts.terms.reads, { name: plain(name), number: at + 1, count: grouped(values.length), value });
  }

  // For those who hear it; rest: what this step does.
  function describe(rest) {
    if (!scene || !block) return;
    const { attention, content, terms } = scene;
    const line = terms?.table ? rest : content?.line(content.dim ?? 0);
    const said = attention
      ? description(attention.frame, spoken().words)
      : plain(`${data.texts.name[block]}: ${content.title} ${line}`);
    setAttributes(canvas, { "aria-label": said });
  }

  // As an SVG that needs nothing else; null where none is open.
  function svg(reading) {
    if (!scene || !isOpen()) return null;
    const { theme } = store;
    const pen = svgPen(size.w, size.h + READING, { ground: theme.surface });
    drawScene(pen, { ...scene, motion: null }, panelNow());
    wrapped(reading, size.w - 20, READABLE).forEach((words, line) => {
      drawFormula(pen, words, 10, size.h + 16 + line * 24, { fill: theme.ink, max: size.w - 20 });
    });
    return pen.finish();
  }

  function destroy() {
    painting.cancel();
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
