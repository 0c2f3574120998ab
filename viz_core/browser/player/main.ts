// The player in Streamlit: the only part that talks to Python, on behalf of all parts of the page.

import type { ComponentProps } from "preact";
import type { Shown, Store, Theme } from "../../web/src/ui/store";
import { theStore } from "../../web/src/state";
import { installKeys, installPlayer } from "../kit/keys";
import type { Called } from "../kit/payload";
import { isPreview } from "../kit/preview";
import { keep, stored } from "../kit/progress";
import { type Kept, keepTalks } from "./kept_talks";
import { growFigures, tellBeforeControls, watchServer } from "./page_around";
import { mountPlayer, type Player } from "./player";

const LEFT = 1500; // ms

interface Data extends ComponentProps<typeof Player>, Kept, Omit<Shown, "run"> {
  theme: Theme;
  notes_page: string;
  formulas: string;
  plotly: string;
  alive: string;
  process: string; // of the server
  trains: boolean; // whether this session has begun to train a model
}

interface Part extends HTMLElement {
  viz?: ReturnType<typeof mountPlayer> | null;
}

// A page without a sentence has no player, so nobody could leave lecture mode there.
function leaveLectureMode(store: Store, root: Part) {
  if (store.player !== root || root.viz) return;
  for (const name of ["data-lecture", "data-predict", "data-lesson"]) document.documentElement.removeAttribute(name);
}

// For the whole life of the tab: from one page to the next there is a moment without a player, and no key may be lost in it.
function live(store: Store, { alive, process }: Data) {
  if (!isPreview()) {
    installKeys(store, window, () => store.player?.isConnected || performance.now() - (store.left ?? 0) < LEFT);
    installPlayer(store);
    watchServer(store, alive, process);
  }
  growFigures();
  tellBeforeControls(store);
}

export default function ({ data: [data], parentElement, setTriggerValue }: Called<[Data]>) {
  const store = theStore();
  const root = parentElement.querySelector<Part>(".viz-player");
  if (!root) return;
  store.send = setTriggerValue;
  const theme = { ...data.theme, still: matchMedia("(prefers-reduced-motion: reduce)").matches };
  // another one makes the overview draw itself anew
  if (JSON.stringify(theme) !== JSON.stringify(store.theme)) store.theme = theme;
  store.notesPage = data.notes_page;
  store.formulas = data.formulas;
  store.plotly = data.plotly;
  store.adopt(data);
  keepTalks(data, setTriggerValue);
  if (!isPreview()) missTraining(data, setTriggerValue);
  if (!root.viz) {
    root.viz = mountPlayer(root, data, store);
    store.player = root;
    if (!store.alive) live(store, data);
    store.alive = true;
  }
  // Streamlit calls this when the component leaves; after a rerun the next call takes up again what is still mounted.
  return () => {
    if (root.isConnected || !root.viz) return;
    root.viz.destroy();
    root.viz = null;
    store.left = performance.now();
    setTimeout(leaveLectureMode, LEFT, store, root);
  };
}

const TRAINING = "viz-training"; // in this tab's storage: the session that has begun to train a model

// A run of training lives in one process of the server, for one session; that it is gone is said where it was begun.
function missTraining({ trains, session, limits }: Data, send: Called["setTriggerValue"]) {
  const began = stored(TRAINING, true);
  const isLost = !trains && began && began !== session && limits.page === "training";
  if (isLost) send("lost", "training");
  if (trains || isLost) keep(TRAINING, trains ? session : null, true);
}
