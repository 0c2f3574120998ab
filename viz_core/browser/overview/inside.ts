// What an open block shows beside the overview's payload: an answer of its own, which comes when it is needed, once for a
// sentence, and a little earlier where it is about to be.

import { fetched, siblingOf } from "../kit/data";
import type { Overview } from "./data";

// address: where the data was. Returns bring(): a promise of whether it has come.
export function makeInside(data: Overview, address = "") {
  return async () => {
    if (data.isWhole) return true;
    const found = await fetched(siblingOf(address, data.inside));
    const isHere = found instanceof Uint8Array;
    if (isHere && !data.isWhole) data.add(found);
    return isHere;
  };
}

const OPENERS = ".name:not(.lane), .opens, .vm-box";

// Where the pointer or the focus comes upon what opens a block, or a mouse is pressed anywhere in the flow.
export function anticipate(figure: HTMLElement, bring: () => void) {
  const near = ({ target }: Event) => target instanceof Element && target.closest(OPENERS) && bring();
  for (const name of ["pointerover", "focusin"]) figure.addEventListener(name, near);
  figure.addEventListener("pointerdown", ({ pointerType }) => pointerType === "mouse" && bring());
}
