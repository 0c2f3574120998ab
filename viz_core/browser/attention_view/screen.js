// The picture on the screen: the room in which it scrolls, and the stage before, which fades out.

import { el, nameScroller } from "../kit/dom.js";
import { follow, spokenCell } from "./picture.js";
import { placeOf } from "./selection.js";

const FADE = 300; // ms
const FOLLOWED = ["step", "cell", "layer", "head", "revealed"];

// role: of what scrolls; repaint: called when it has been scrolled. Returns { element, lay, reset }.
export function mountScroller(canvas, label, role, repaint) {
  let frame = null;
  let scroll = [0, 0];
  let fresh = true;
  const spacer = el("div", { class: "spacer" }, canvas);
  const element = el("div", { class: "scroll" }, spacer);
  element.addEventListener("scroll", () => {
    const { axes } = frame.layout;
    scroll = [Math.min(element.scrollLeft, axes[0].over), Math.min(element.scrollTop, axes[1].over)];
    frame.scroll = scroll;
    repaint();
  });

  // A new frame in a room of w × h px; in sight the locked cell, else the current row and what it looks at most.
  const lay = (next, old, { w, h }, scrolls) => {
    frame = next;
    const { box } = frame.layout;
    const [overX, overY] = frame.layout.axes.map((axis) => axis.over);
    const isMoved =
      fresh ||
      !old ||
      FOLLOWED.some((field) => old.view[field] !== frame.view[field]) ||
      old.layout.axes.some((axis, i) => axis.over !== frame.layout.axes[i].over);
    Object.assign(element.style, { width: `${w}px`, height: `${h}px` });
    // what scrolls has enough to scroll where scrollbars take no room; what does not, none
    const [width, height] = [overX ? w + overX : box.w, overY ? h + overY : box.h];
    Object.assign(spacer.style, { width: `${width}px`, height: `${height}px` });
    nameScroller(element, scrolls, label, role);
    if (!scrolls) scroll = [0, 0];
    else if (isMoved) {
      scroll = follow(frame, scroll, ...followedCell(frame));
      element.scrollTo(...scroll);
    }
    frame.scroll = scroll;
    fresh = false;
  };

  const reset = () => {
    scroll = [0, 0];
    fresh = true;
  };
  return { element, lay, reset };
}

function followedCell(frame) {
  const { row, covered } = frame.selection;
  const strongest = row >= 0 && !covered ? spokenCell(frame, null)[1] : -1;
  return placeOf(frame.selection, frame.view.cell) ?? [row, strongest];
}

// What a canvas shows now, fading out over what it is to show. draw returns whether it goes on.
export function fadeOf(canvas) {
  let from = null;
  let start = 0;
  return {
    begin() {
      from = el("canvas", { width: canvas.width, height: canvas.height });
      start = performance.now();
      if (canvas.width && canvas.height) from.getContext("2d").drawImage(canvas, 0, 0);
    },
    end() {
      from = null;
    },
    draw(context, w, h) {
      const left = from ? 1 - (performance.now() - start) / FADE : 0;
      if (left <= 0) from = null;
      else {
        context.globalAlpha = left;
        context.drawImage(from, 0, 0, w, h);
        context.globalAlpha = 1;
      }
      return left > 0;
    },
  };
}
