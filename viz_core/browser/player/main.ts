// The player's entry for Streamlit: the one part that talks to Python for all parts of the page, and what it does for the page around it.

import type { Store, Counterpart, Shown, Theme } from "../../web/src/ui/store";
import { onKeys } from "../kit/composing";
import { closeDialogs } from "../kit/streamlit";
import type { ComponentProps } from "preact";
import { theStore } from "../../web/src/state";
import { installKeys, installPlayer } from "../kit/keys";
import type { Called } from "../kit/payload";
import { isPreview, keep, stored } from "../kit/progress";
import { type Kept, keepTalks } from "./menu";
import { mountPlayer, type Player } from "./player";

// The player's effects on the page: it scales figures in lecture mode and watches the server.

const WIDTH = 1280; // px of the window that figures are designed for
const HEIGHT = 720;
// Sets --viz-scale to how much larger the window is.
export function growFigures() {
  const scale = () => {
    const times = Math.max(1, Math.min(innerWidth / WIDTH, innerHeight / HEIGHT));
    document.documentElement.style.setProperty("--viz-scale", times.toFixed(3));
  };
  addEventListener("resize", scale);
  scale();
}

const EVERY = 2500; // ms between checks
const BUSY = 10_000; // ms within which even a busy server answers

// Keeps store.online up to date. alive: address that returns the server's process; known: the process of this session.
export function watchServer(store: Store, alive: string, known: string) {
  const ask = async () => {
    const process = await fetch(alive, { cache: "no-store", signal: AbortSignal.timeout(BUSY) })
      .then((answer) => (answer.ok ? answer.text() : ""))
      .catch(() => ""); // refused or timed out
    const online = process !== "";
    if (online !== store.online) {
      store.online = online;
      store.repaint();
      if (online) store.askAgain();
    }
    if (online && process !== known) store.beginAnew();
    known = process || known;
    laid();
    setTimeout(ask, EVERY);
  };
  // Closes the dialog that Streamlit opens when the server is gone, since the player already says so in a line.
  const laid = () => store.online || closeDialogs();
  new MutationObserver(laid).observe(document.body, { childList: true });
  setTimeout(ask, EVERY);
}

const CONTROL = "button, input, select, textarea, label, summary, [role=slider], [role=option], [role=radio], [role=tab]";

// Tells Python the current view before one of Streamlit's own controls triggers a run.
export function tellBeforeControls(store: Store) {
  const tell = (event: Event) => {
    const path = event.composedPath().filter((node) => node instanceof Element);
    const isOurs = path.some((node) => node.matches(".viz-part")); // which say it along with what they ask for
    if (isOurs || !path[0]?.closest(CONTROL)) return;
    if (event instanceof KeyboardEvent && !isMoved(path[0], event.key)) return;
    store.sync();
  };
  for (const name of ["pointerdown", "input", "change"]) addEventListener(name, tell, true);
  onKeys(window, tell, true);
}

// Whether a key presses or moves the focused control.
const isMoved = (control: Element, key: string) =>
  key === "Enter" || key === " " || (control.matches("[role=slider]") && /^(Arrow|Home|End|Page)/.test(key));

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

// Of the reader's system, which may ask for less motion at any time.
const calm = matchMedia("(prefers-reduced-motion: reduce)");

// Installed for the life of the tab: between two pages there is no player for a moment, and no key may be lost then.
function live(store: Store, { alive, process }: Data) {
  if (!isPreview()) {
    installKeys(store, window, () => store.player?.isConnected || performance.now() - (store.left ?? 0) < LEFT);
    installPlayer(store);
    if (alive) watchServer(store, alive, process);
  }
  calm.addEventListener("change", ({ matches: still }) => {
    store.theme = { ...store.theme, still };
  });
  growFigures();
  tellBeforeControls(store);
}

export default function ({ data: [data], parentElement, setTriggerValue }: Called<[Data]>) {
  const store = theStore();
  const root = parentElement.querySelector<Part>(".viz-player");
  if (!root) return;
  store.send = setTriggerValue;
  const theme = { ...data.theme, still: calm.matches };
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
