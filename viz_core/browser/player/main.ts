// The player's entry for Streamlit: the one part that talks to Python for all parts of the page.

import type { ComponentProps } from "preact";
import type { Counterpart, Shown, Store, Theme } from "../../web/src/ui/store";
import { theStore } from "../../web/src/state";
import { installKeys, installPlayer } from "../kit/keys";
import type { Called } from "../kit/payload";
import { isPreview } from "../kit/preview";
import { keep, stored } from "../kit/progress";
import { type Kept, keepTalks } from "./kept_talks";
import { growFigures, tellBeforeControls, watchServer } from "./page_around";
import { mountPlayer, type Player } from "./player";

const LEFT = 1500; // ms that keys keep working without a player

interface Data extends ComponentProps<typeof Player>, Kept, Omit<Shown, "run"> {
  theme: Theme;
  notes_page: string;
  formulas: string;
  plotly: string;
  counterpart?: Counterpart | null;
  alive: string; // an address of the server; empty for a page without one
  process: string; // of the server
  trains: boolean; // whether this session is training a model
}

interface Part extends HTMLElement {
  viz?: ReturnType<typeof mountPlayer> | null;
}

// Leaves lecture mode on a page without a sentence, which has no player and so no way out.
function leaveLectureMode(store: Store, root: Part) {
  if (store.player !== root || root.viz) return;
  for (const name of ["data-lecture", "data-asleep", "data-predict", "data-lesson", "data-step"])
    document.documentElement.removeAttribute(name);
}

// Installed for the life of the tab: between two pages there is no player for a moment, and no key may be lost then.
function live(store: Store, { alive, process }: Data) {
  if (!isPreview()) {
    installKeys(store, window, () => store.player?.isConnected || performance.now() - (store.left ?? 0) < LEFT);
    installPlayer(store);
    if (alive) watchServer(store, alive, process);
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
  // replaced only if it differs: a new theme object redraws the overview
  if (JSON.stringify(theme) !== JSON.stringify(store.theme)) store.theme = theme;
  store.notesPage = data.notes_page;
  store.formulas = data.formulas;
  store.plotly = data.plotly;
  store.counterpart = data.counterpart ?? null;
  store.adopt(data);
  keepTalks(data, setTriggerValue);
  if (!isPreview()) missTraining(data, setTriggerValue);
  if (!root.viz) {
    root.viz = mountPlayer(root, data, store);
    store.player = root;
    if (!store.alive) live(store, data);
    store.alive = true;
  }
  // Streamlit calls this cleanup when the component leaves, also before a rerun, after which a part that is still mounted carries on.
  return () => {
    if (root.isConnected || !root.viz) return;
    root.viz.destroy();
    root.viz = null;
    store.left = performance.now();
    setTimeout(leaveLectureMode, LEFT, store, root);
  };
}

const TRAINING = "viz-training"; // key in this tab's storage: the session that started a training run

// A training run lives in one process of the server, for one session; the tab that started it is told when it is lost.
function missTraining({ trains, session, limits }: Data, send: Called["setTriggerValue"]) {
  const began = stored(TRAINING, true);
  const isLost = !trains && began && began !== session && limits.page === "training";
  if (isLost) send("lost", "training");
  if (trains || isLost) keep(TRAINING, trains ? session : null, true);
}
