// What keys and buttons do: step on, play, lecture mode, notes, full screen; and playing itself, one stage or one step
// after the other while the store says so.

import { STAGES, hides } from "./store.js";

const PLAYED = new Set(["softmax", "mix"]); // from the weights on, play begins anew
const PACE = { stages: 1600, steps: 1100 }; // ms at speed 1

export function installPlayer(store) {
  let timer = 0;
  const tick = () => {
    const { playing, stage, step } = store.view;
    if (playing === "stages") {
      const at = STAGES.indexOf(stage) + 1;
      store.set({ stage: STAGES[Math.min(at, STAGES.length - 1)], playing: at < STAGES.length - 1 ? playing : "" });
    } else store.set({ step: step + 1, playing: step + 2 < store.limits.steps ? playing : "" });
  };
  store.subscribe((view, before) => {
    if (view.playing === before.playing && view.speed === before.speed) return;
    clearInterval(timer);
    if (view.playing) timer = setInterval(tick, PACE[view.playing] / view.speed);
  });
}

// Plays the computation where there is one to play, else the steps; at the end, from the start.
export function play(store, what = store.staged() ? "stages" : "steps") {
  const { playing, stage, step } = store.view;
  if (playing) store.set({ playing: "" });
  else if (what === "stages") store.set({ playing: what, stage: PLAYED.has(stage) ? STAGES[0] : stage });
  else store.set({ playing: what, step: step === store.limits.steps - 1 ? 0 : step });
}

// Lecture mode begins and ends without notes on the wall.
export function switchLecture(store) {
  store.set({ lecture: !store.view.lecture, notes: "" });
}

// Outside lecture mode they are seen unless one closes them, in lecture mode not unless one asks for them.
export function notesShown({ notes, lecture }) {
  return notes ? notes === "on" : !lecture;
}

export function switchNotes(store) {
  if (store.talk) store.set({ notes: notesShown(store.view) ? "off" : "on" });
}

export function fullScreen() {
  const done = document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen?.();
  done?.catch(() => {}); // the browser may forbid it; the page is the same without
}

export function cover(store, what) {
  store.set({ over: store.view.over === what ? "" : what });
}

// The key →, and the button of that name: reveals what is hidden, else one step on.
export function stepOn(store) {
  if (hides(store.view)) store.set({ revealed: true });
  else store.set({ step: store.view.step + 1 });
}
