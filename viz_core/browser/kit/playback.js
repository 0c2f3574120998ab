// Plays: one stage or one step after the other while the store says so.

import { STAGES } from "./store.js";

const PACE = { stages: 1600, steps: 1100 }; // ms at speed 1

export function installPlayer(store) {
  let timer = 0;
  const tick = () => {
    const { playing, stage, step } = store.view;
    if (playing === "stages") {
      const at = STAGES.indexOf(stage) + 1;
      store.set({ stage: STAGES[Math.min(at, STAGES.length - 1)], playing: at < STAGES.length - 1 ? playing : "" });
    } else if (playing === "steps") {
      store.set({ step: step + 1, playing: step + 2 < store.limits.steps ? playing : "" });
    }
  };
  const follow = (view, before) => {
    if (view.playing === before.playing && view.speed === before.speed) return;
    clearInterval(timer);
    if (view.playing) timer = setInterval(tick, PACE[view.playing] / view.speed);
  };
  const off = store.subscribe(follow);
  return () => {
    clearInterval(timer);
    off();
  };
}
