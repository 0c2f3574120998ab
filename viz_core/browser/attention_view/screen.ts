// The picture on the screen: its size, as high as fits the window and scaled with the page's letters; its scrolling; and the fade from
// one stage to the next.

import type { Root, Store, View } from "../../web/src/ui/store";
import { barHeight, el, lettersScale, nameScroller, topOf } from "../kit/dom";
import { placeOf } from "./selection";
import type { Place } from "./data";
import { type Frame, follow } from "./picture";
import { spokenCell } from "./cell";

// px of height in lecture mode, at least and around the picture, for a view that shares its picture's state with others
export const SHARED_PLACE = { least: 200, around: 84 };
const LEAST_HEIGHT = 300;
const GOOD_HEIGHT = 340;
const MOST_HEIGHT = 386;
const USUAL_HEIGHT = 404; // px of the picture
const ROUND_ABOUT = 116; // px around the picture
const OPTIONS = 41; // px of these, the row of controls, which lecture mode hides

/** Px of the view's width and the picture's height, and the scale at which they are shown. */
export type Size = { w: number; h: number; zoom: number };

export function makeSize(root: Root, store: Store, { least, around } = { least: LEAST_HEIGHT, around: 0 }) {
  let good = GOOD_HEIGHT; // the height from which on letters are enlarged
  const viewSize = { now: { w: 0, h: 0, zoom: 1 } as Size, fit, shrink, reset };

  // Fits the window; returns whether the size has changed.
  function fit() {
    const others = around || ROUND_ABOUT - (store.view.lecture ? OPTIONS : 0);
    const room = innerHeight - topOf(root) - barHeight();
    const before = viewSize.now;
    const zoom = Math.max(1, Math.min(lettersScale(), room / (good + others)));
    const h = Math.round(room / zoom - others);
    const low = store.view.lecture ? least : LEAST_HEIGHT;
    root.style.zoom = String(zoom);
    viewSize.now = { w: Math.floor(root.getBoundingClientRect().width / zoom), h: h >= low ? h : USUAL_HEIGHT, zoom };
    return (["w", "h", "zoom"] as const).some((name) => viewSize.now[name] !== before[name]);
  }

  // Shrinks the letters so that all rows, `least` px high, are visible, if only a few more px are needed. Stays so until another
  // sentence. Returns whether it did.
  function shrink(least = 0) {
    if (least <= viewSize.now.h || least <= good || least > MOST_HEIGHT) return false;
    const before = good;
    good = Math.ceil(least);
    fit();
    if (viewSize.now.h >= least) return true;
    good = before;
    fit();
    return false;
  }

  function reset() {
    if (good === GOOD_HEIGHT) return;
    good = GOOD_HEIGHT;
    fit();
  }

  return viewSize;
}

const FADE = 300; // ms
const FOLLOWED: (keyof View)[] = ["step", "cell", "layer", "head", "revealed"];

// role: of the scroller; repaint: called after scrolling.
export function mountScroller(canvas: HTMLCanvasElement, label: string, role: string, repaint: () => void) {
  let frame: Frame;
  let scroll: [number, number] = [0, 0];
  let fresh = true;
  const spacer = el("div", { class: "spacer" }, canvas);
  const element = el("div", { class: "scroll" }, spacer);
  element.addEventListener("scroll", () => {
    const [across, down] = frame.layout.axes;
    scroll = [Math.min(element.scrollLeft, across.over), Math.min(element.scrollTop, down.over)];
    frame.scroll = scroll;
    repaint();
  });

  // Lays out a new frame in w × h px, and scrolls to the locked cell, or to the current row's strongest.
  const lay = (next: Frame, old: Frame | undefined, { w, h }: { w: number; h: number }, scrolls: boolean) => {
    frame = next;
    const { box, axes } = frame.layout;
    const [overX, overY] = [axes[0].over, axes[1].over];
    const isMoved =
      fresh ||
      !old ||
      FOLLOWED.some((field) => old.view[field] !== frame.view[field]) ||
      old.layout.axes.some(({ over }, i) => over !== axes[i]?.over);
    Object.assign(element.style, { width: `${w}px`, height: `${h}px` });
    // a scroller has room to scroll even if its scrollbars take none; anything else has no extra room
    const [width, height] = [overX ? w + overX : box.w, overY ? h + overY : box.h];
    Object.assign(spacer.style, { width: `${width}px`, height: `${height}px` });
    nameScroller(element, scrolls, label, role);
    if (!scrolls) scroll = [0, 0];
    else if (isMoved) {
      scroll = follow(frame, scroll, followedCell(frame));
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

function followedCell(frame: Frame): Place {
  const { row, covered } = frame.selection;
  const strongest = row >= 0 && !covered ? spokenCell(frame, null)[1] : -1;
  return placeOf(frame.selection, frame.view.cell) ?? [row, strongest];
}

// Fades out what a canvas shows over what it will show. draw returns whether the fade goes on.
export function fadeOf(canvas: HTMLCanvasElement) {
  let from: HTMLCanvasElement | null = null;
  let start = 0;
  return {
    begin() {
      from = el("canvas", { width: canvas.width, height: canvas.height });
      start = performance.now();
      if (canvas.width && canvas.height) from.getContext("2d")?.drawImage(canvas, 0, 0);
    },
    end() {
      from = null;
    },
    draw(context: CanvasRenderingContext2D, w: number, h: number) {
      const left = from ? 1 - (performance.now() - start) / FADE : 0;
      if (!from || left <= 0) from = null;
      else {
        context.globalAlpha = left;
        context.drawImage(from, 0, 0, w, h);
        context.globalAlpha = 1;
      }
      return left > 0;
    },
  };
}
