// Size of the attention view: as high as fits the window if that is enough, and scaled with the page's letters if there
// is room.

import { barHeight, lettersScale, topOf } from "../kit/dom.js";

// px of the picture in lecture mode, and of what stands below it, where others decide with a view how it looks
export const SHARED_PLACE = { least: 200, around: 84 };
const LEAST_HEIGHT = 300;
const GOOD_HEIGHT = 340;
const MOST_HEIGHT = 386;
const USUAL_HEIGHT = 404; // px of the picture
const ROUND_ABOUT = 116;
const OPTIONS = 41; // px of what stands around it; of these the row that is off in lecture mode

// Sizes are { w, h, zoom }: px of the view's width and of the picture's height, and how many times larger they are
// shown.
export function makeSize(root, store, { least, around } = { least: LEAST_HEIGHT, around: 0 }) {
  let good = GOOD_HEIGHT; // from this height on, letters grow
  const viewSize = { now: { w: 0, h: 0, zoom: 1 }, fit, shrink, reset };

  // Returns whether it is another one than before.
  function fit() {
    const others = around || ROUND_ABOUT - (store.view.lecture ? OPTIONS : 0);
    const room = innerHeight - topOf(root) - barHeight();
    const before = viewSize.now;
    const zoom = Math.max(1, Math.min(lettersScale(), room / (good + others)));
    const h = Math.round(room / zoom - others);
    const low = store.view.lecture ? least : LEAST_HEIGHT;
    const usual = store.limits.stages === "open" ? LEAST_HEIGHT : USUAL_HEIGHT;
    root.style.zoom = zoom;
    viewSize.now = { w: Math.floor(root.getBoundingClientRect().width / zoom), h: h >= low ? h : usual, zoom };
    return ["w", "h", "zoom"].some((name) => viewSize.now[name] !== before[name]);
  }

  // Letters become smaller where all rows, so many px, can then be seen: for a few rows more nothing scrolls. Until
  // another sentence comes they stay so. Returns whether they did.
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
