// Inside a step: its operations, one after the other; a line of the player's own. On the overview they stand under the
// names of their blocks.

import { button, el, select, setAttributes, toolbar } from "../kit/dom.js";
import { isLast, namedPart, operationsOf, partOf } from "../kit/operations.js";
import { isAtEnd } from "../kit/walk.js";

const SPEEDS = [0.25, 0.5, 1, 2, 4];

// Returns { node, paint, destroy }. texts: of the stages.
export function mountStages(texts, store) {
  const goTo = (operation) => {
    const isElsewhere = operation.open && operation.open !== store.view.open;
    store.set({ ...operation, playing: "", ...(isElsewhere ? { cell: null } : {}) });
  };
  const arrow = (name, by) =>
    button(
      texts[name],
      () => {
        store.set({ playing: "" });
        store.operate(by);
      },
      { class: "arrow", title: texts[`long_${name}`], "aria-label": texts[`long_${name}`] },
    );
  const back = arrow("stage_back", -1);
  const on = arrow("stage_on", 1);
  const speeds = SPEEDS.map((value) => [value, `${value} ×`]);
  const speed = select(texts.speed, speeds, (value) => store.set({ speed: Number(value) }));
  setAttributes(speed, { class: "speed", title: texts.speed });
  const track = el("div", { class: "track", role: "group", "aria-label": texts.stages });
  let shown = null;
  let last = null; // the block of the operation that was shown before
  let places = []; // a button for each operation

  // A finger or a pressed mouse moves along the operations, and through the inside of each; let go, it goes on from there.
  let isHeld = false;
  track.addEventListener("pointerdown", ({ button: pressed }) => {
    isHeld = pressed === 0;
  });
  const letGo = () => {
    isHeld = false;
    store.set({ scrub: null });
  };
  for (const name of ["pointerup", "pointercancel"]) window.addEventListener(name, letGo);
  track.addEventListener("pointermove", ({ buttons, clientX }) => {
    if (isHeld && !buttons) letGo(); // outside the window
    if (!isHeld) return;
    const boxes = places.map((place) => place.getBoundingClientRect());
    const found = boxes.findIndex(({ left, right }) => clientX >= left && clientX < right);
    if (found < 0) return;
    const { left, width } = boxes[found];
    goTo({ ...shown[found], scrub: (clientX - left) / width });
  });
  const node = toolbar(texts.stages, { class: "stages" }, back, track, on, speed);

  const drawPlaces = (list) => {
    shown = list;
    const isWhole = list.some(({ open }) => open);
    places = list.map((operation, at) => {
      const { open, stage = namedPart(open) } = operation;
      const title = stage ? texts[`long_${stage}`] : texts.blocks[open];
      const place = button(stage ? texts[stage] : texts.blocks[open], () => goTo(operation), { title });
      if (!isWhole) place.prepend(el("i", { "aria-hidden": true }, String(at + 1)));
      return place;
    });
    if (!isWhole) return track.replaceChildren(...places);
    // those of one block together, with its name
    const opens = [...new Set(list.map(({ open }) => partOf(open)))];
    track.replaceChildren(
      ...opens.map((open) => {
        const own = places.filter((_, at) => partOf(list[at].open) === open);
        const name = own.length > 1 ? [el("b", { "aria-hidden": true }, texts.blocks[open])] : [];
        return el("span", { class: "block", role: "group", "aria-label": texts.blocks[open] }, ...name, ...own);
      }),
    );
  };

  const paint = (view) => {
    const { list, at } = operationsOf(store.limits.stages, view);
    // on the overview they come with the block that one opens
    node.hidden = !list.length || (at < 0 && (view.lecture || Boolean(list[0].open)));
    if (list !== shown && list.length) drawPlaces(list);
    places.forEach((place, index) => {
      setAttributes(place, { "aria-pressed": index === at });
      place.classList.toggle("passed", index < at);
    });
    const now = places[at]?.parentElement;
    if (now && now !== last && view.scrub === null && track.scrollWidth > track.clientWidth)
      track.scrollLeft = now.offsetLeft - track.offsetLeft - 8;
    last = now;
    back.disabled = at <= 0;
    on.disabled = isLast({ list, at }) && (!list[0]?.open || isAtEnd(store));
    speed.value = String(view.speed);
  };
  const destroy = () => {
    for (const name of ["pointerup", "pointercancel"]) window.removeEventListener(name, letGo);
  };
  return { node, paint, destroy };
}
