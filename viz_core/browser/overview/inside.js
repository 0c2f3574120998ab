// What an open block shows beside the overview's payload: a file of the server's, which comes when it is needed, once for a
// sentence, and a little earlier where it is about to be.

import { fetched } from "../kit/fetched.js";

// data: as readOverview reads it. Returns bring(): a promise of "here", or of why it has not come, as `fetched` says.
export function makeInside(data) {
  return async () => {
    if (data.isWhole) return "here";
    const found = await fetched(data.inside);
    if (typeof found === "string") return found;
    if (!data.isWhole) data.add(found);
    return "here";
  };
}

const OPENERS = ".name:not(.lane), .opens, .vm-box";

// Where the pointer or the focus comes upon what opens a block, or a mouse is pressed anywhere in the flow.
export function anticipate(figure, bring) {
  const near = (event) => event.target.closest?.(OPENERS) && bring();
  for (const name of ["pointerover", "focusin"]) figure.addEventListener(name, near);
  figure.addEventListener("pointerdown", ({ pointerType }) => pointerType === "mouse" && bring());
}
