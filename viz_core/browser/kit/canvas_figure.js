// A figure on one canvas: as large as its place allows, and scrolling inside itself where that is too narrow; with what the
// pointer is on, words for those who hear the page, and a drawing of its own for a file.

import { barHeight, el, lettersScale, nameScroller, saySideways, setAttributes, topOf, windowScale } from "./dom.js";
import { canvasPen, sizeCanvas } from "./pen.js";
import { svgPen } from "./save.js";

const QUIET = 300; // ms until what is shown is also read aloud
const SLACK = 16; // px: their heights are rounded
const LEAST_ON_STAGE = 240; // px of height
const IN_A_FILE = [1100, 520]; // px

// root: of the part, in which the figure's `node` stands beside other things. of: {
//   layout(w, h, whole): where all stands, in `width` × `height` px, which may be more, unless the whole is to be seen;
//   draw(pen, layout, hovered);
//   under(layout, x, y): what is at a point, as an object, or null;
//   hover(found or null), click(found), clickable(found);
//   spoken(): the figure in words;   region(): its name where it scrolls
// }
export function makeCanvasFigure(root, of, store) {
  const canvas = el("canvas", { role: "img" });
  const node = el("div", { class: "scroll" }, canvas);
  const pen = canvasPen(canvas.getContext("2d"));
  let layout = null;
  let zoom = 1;
  let hovered = null;
  let telling = 0;
  saySideways(node);

  function draw() {
    sizeCanvas(canvas, layout.width, layout.height, zoom);
    pen.box(0, 0, layout.width, layout.height, { fill: store.theme.surface });
    of.draw(pen, layout, hovered);
  }

  // others: what stands above and below the figure in its part; heights: px, at least and at most, outside lecture mode. In
  // lecture mode the letters are as large as the page's, and the figure fills what is left of the window.
  function paint({ lecture }, others, heights) {
    zoom = lecture ? Math.max(windowScale(), lettersScale()) : 1;
    root.style.zoom = zoom;
    hovered = null;
    const around = others.reduce((sum, other) => sum + other.offsetHeight, SLACK);
    const room = Math.floor((innerHeight - topOf(root) - barHeight()) / zoom - around);
    const [least, most] = lecture ? [LEAST_ON_STAGE, Infinity] : heights;
    const { clientWidth } = root;
    layout = of.layout(clientWidth, Math.min(Math.max(room, least), most), lecture);
    nameScroller(node, layout.width > clientWidth, of.region());
    draw();
    clearTimeout(telling);
    telling = setTimeout(() => setAttributes(canvas, { "aria-label": of.spoken() }), QUIET);
  }

  const pointed = ({ clientX, clientY }) => {
    const { left, top } = canvas.getBoundingClientRect();
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

  return {
    node,
    paint,
    // Scrolls so far that what lies between from and to, in px, can be seen.
    bringIntoSight(place) {
      const [from, to] = place(layout).map((x) => x * zoom);
      const { scrollLeft, clientWidth } = node;
      if (from < scrollLeft || to > scrollLeft + clientWidth) node.scrollLeft = (from + to - clientWidth) / 2;
    },
    svg() {
      const whole = of.layout(...IN_A_FILE, false);
      const drawing = svgPen(whole.width, whole.height, { ground: store.theme.surface });
      of.draw(drawing, whole, null);
      return drawing.finish();
    },
    destroy: () => clearTimeout(telling),
  };
}
