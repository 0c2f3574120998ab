// What an open block shows beside the overview's payload: a file of the server's, which comes when it is needed, once for a
// sentence, and a little earlier where it is about to be.

// data: as readOverview reads it. Returns bring(): a promise of "here"; of "gone" where the server has forgotten the sentence; of
// "away" where there is no server.
export function makeInside(data) {
  let coming = null;

  const fetched = async () => {
    const answer = await fetch(new URL(data.inside, location.origin));
    if (!answer.ok) return answer.status === 404 ? "gone" : "away";
    data.add(new Uint8Array(await answer.arrayBuffer()));
    return "here";
  };

  return async () => {
    if (data.isWhole) return "here";
    coming ??= fetched().catch(() => "away");
    const found = await coming;
    if (found !== "here") coming = null; // the next opening tries again
    return found;
  };
}

const OPENERS = ".name:not(.lane), .opens, .vm-box";

// Where the pointer or the focus comes upon what opens a block, or a mouse is pressed anywhere in the flow.
export function anticipate(figure, bring) {
  const near = (event) => event.target.closest?.(OPENERS) && bring();
  for (const name of ["pointerover", "focusin"]) figure.addEventListener(name, near);
  figure.addEventListener("pointerdown", ({ pointerType }) => pointerType === "mouse" && bring());
}
