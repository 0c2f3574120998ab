// A part that is a figure on one canvas: as large as its place allows, and scrolling inside itself where that is too narrow; with
// what the pointer is on, words for those who hear the page, and a drawing of its own for a file.

import { onKeys } from "./composing.js";
import { el, lettersScale, nameScroller, saySideways, setAttributes, windowScale } from "./dom.js";
import { keepDrawn } from "./drawing.js";
import { READABLE, canvasPen, linesOf, sizeCanvas, textWidth } from "./pen.js";
import { offerPicture } from "./save.js";
import { svgPen } from "./svg_pen.js";

const QUIET = 300; // ms until what is shown is also read aloud
const SLACK = 16; // px: their heights are rounded
const LEAST_ON_STAGE = 240; // px of height
const LINE = 1.4 * READABLE; // px
const IN_A_FILE = [1100, 520]; // px
const ARROWS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };

// In lecture mode the letters are as large as the page's.
const stageScale = () => Math.max(windowScale(), lettersScale());

// root: of the part. of: {
//   above, below: nodes around the figure;
//   heights: px, at least and at most, outside lecture mode, where it fills what is left of the window;
//   prepare(view): called before all is painted;
//   layout(w, h, whole): where all stands, in `width` × `height` px, which may be more, unless the whole is to be seen;
//   draw(pen, layout, hovered);
//   sight(layout): from where to where, in px across, is to be seen when that changes; may be left out
//   under(layout, x, y): what is at a point, as an object, or null;
//   hover(found or null), click(found), clickable(found);
//   slider(): where the choice stands that the arrow keys move once the keyboard is on the figure, as { at (from 0), count,
//     words }, and move(across, down), which moves it by 1 or −1; both may be left out
//   covered(): what is written in its place while it would give away what is to be guessed, else nothing; may be left out
//   spoken(): the figure in words;   region(): its name where it scrolls;   name(): that of its file
// }
// Returns { show, svg, destroy }.
export function makeCanvasFigure(root, of, store) {
  const canvas = el("canvas", { role: "img" });
  const node = el("div", { class: "scroll" }, canvas);
  const around = [...(of.above ?? []), ...(of.below ?? [])];
  const pen = canvasPen(canvas.getContext("2d"));
  let layout = null;
  let zoom = 1;
  let hovered = null;
  let telling = 0;
  let seen = "";
  saySideways(node);
  root.replaceChildren(...(of.above ?? []), node, ...(of.below ?? []));

  function draw() {
    sizeCanvas(canvas, layout.width, layout.height, zoom);
    pen.box(0, 0, layout.width, layout.height, { fill: store.theme.surface });
    drawWith(pen, layout, hovered);
  }

  function drawWith(onePen, place, found) {
    const words = of.covered?.();
    if (!words) return of.draw(onePen, place, found);
    const lines = linesOf(words, (line) => textWidth(line, READABLE) <= Math.min(place.width, root.clientWidth));
    lines.forEach((line, at) => onePen.text(line, 0, (at + 0.7) * LINE, { fill: store.theme.quiet }));
  }

  function paint(view, room) {
    zoom = room.zoom;
    hovered = null;
    of.prepare(view);
    const others = around.reduce((sum, other) => sum + other.offsetHeight, SLACK);
    const [least, most] = view.lecture ? [LEAST_ON_STAGE, Infinity] : of.heights;
    const height = Math.min(Math.max(Math.floor(room.height - others), least), most);
    layout = of.layout(room.width, height, view.lecture);
    nameScroller(node, layout.width > room.width, of.region());
    draw();
    if (of.sight) bringIntoSight(of.sight(layout));
    if (of.slider) nameSlider(of.slider());
    clearTimeout(telling);
    telling = setTimeout(() => setAttributes(canvas, { "aria-label": of.covered?.() || of.spoken() }), QUIET);
  }

  function bringIntoSight(place) {
    if (seen === place.join()) return;
    seen = place.join();
    const [from, to] = place.map((x) => x * zoom);
    const { scrollLeft, clientWidth } = node;
    if (from < scrollLeft || to > scrollLeft + clientWidth) node.scrollLeft = (from + to - clientWidth) / 2;
  }

  function nameSlider({ at, count, words }) {
    setAttributes(canvas, {
      role: "slider",
      tabindex: 0,
      "aria-valuemin": 1,
      "aria-valuemax": count,
      "aria-valuenow": at + 1,
      "aria-valuetext": words,
    });
  }

  const pointed = ({ clientX, clientY }) => {
    const { left, top } = canvas.getBoundingClientRect();
    if (of.covered?.()) return null;
    return layout && of.under(layout, (clientX - left) / zoom, (clientY - top) / zoom);
  };
  const hover = (found) => {
    if (JSON.stringify(found) === JSON.stringify(hovered)) return;
    hovered = found;
    of.hover(found);
    draw();
  };
  canvas.addEventListener("pointermove", (event) => {
    const found = pointed(event);
    canvas.style.cursor = found && of.clickable(found) ? "pointer" : "";
    hover(found);
  });
  canvas.addEventListener("pointerleave", () => hover(null));
  canvas.addEventListener("click", (event) => {
    const found = pointed(event);
    if (found && of.clickable(found)) of.click(found);
  });

  onKeys(canvas, (event) => {
    const arrow = of.move && ARROWS[event.key];
    if (!arrow || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    of.move(...arrow);
  });

  function svg() {
    const scale = store.view.lecture ? lettersScale() : 1; // letters of the wall: in a smaller file they are larger
    const whole = of.layout(...IN_A_FILE.map((px) => px / scale), false);
    const drawing = svgPen(whole.width, whole.height, { ground: store.theme.surface });
    drawWith(drawing, whole, null);
    return drawing.finish();
  }

  const withdraw = offerPicture({ svg, name: of.name }, store);
  const drawing = keepDrawn(root, store, paint, stageScale);
  return {
    show: drawing.show,
    svg,
    destroy() {
      withdraw();
      clearTimeout(telling);
      drawing.destroy();
    },
  };
}
