// A part that one function draws: again with another view, another theme and another size of its room.

import type { Store, Theme, View } from "../../web/src/ui/store";
import { barHeight, dress, topOf, watchSize, windowScale } from "./dom";

type Place = Record<"width" | "height" | "zoom", number> & { theme: Theme };
type Paint = (view: Readonly<View>, place: Place) => void;

// paint(view, { width, height, zoom, theme }): px of the room that the window has for it. In lecture mode everything is as
// many times larger as scale() says. Returns { show, destroy }.
export function keepDrawn(root: HTMLElement, store: Store, paint: Paint, scale = windowScale) {
  const show = () => {
    const { view, theme } = store;
    const zoom = view.lecture ? scale() : 1;
    root.style.zoom = String(zoom);
    root.toggleAttribute("data-lecture", view.lecture);
    const width = Math.floor(root.getBoundingClientRect().width / zoom);
    if (!width) return; // not laid out yet
    dress(root, theme);
    paint(view, { width, height: (innerHeight - topOf(root) - barHeight()) / zoom, zoom, theme });
  };
  show();
  const unwatch = watchSize(root, show);
  const off = store.subscribe(show);
  return {
    show,
    destroy() {
      unwatch();
      off();
    },
  };
}

// The place on one side of the sentence that is looked at: of the source the token, of the target the one that this
// step reads.
export function placeOn(side: string, { token, step }: Pick<View, "token" | "step">) {
  return side === "source" ? token : step;
}
