// The remote in Streamlit: it alone talks to Python, for all parts of the page.

import { installKeys } from "../shared/keys.js";
import { installPlayer } from "../shared/player.js";
import { theStore } from "../shared/store.js";
import { bareIsRight, oneEntryForEachView } from "./history.js";
import { watchServer } from "./online.js";
import { mountRemote } from "./remote.js";

export default function ({ data, parentElement, setTriggerValue }) {
  const store = theStore();
  const root = parentElement.querySelector(".viz-remote");
  store.tell = (name, value) => setTriggerValue(name, value);
  store.theme = { ...data.theme, still: matchMedia("(prefers-reduced-motion: reduce)").matches };
  oneEntryForEachView();
  if (data.bare) bareIsRight();
  store.adopt(data);
  if (!root.viz) {
    root.viz = mountRemote(root, data.texts, store);
    const ends = [installKeys(store), installPlayer(store), watchServer(store, data.health)];
    root.end = () => {
      ends.forEach((end) => end());
      root.viz.destroy();
      root.viz = null;
    };
  }
  // Streamlit calls this when the component leaves; after a rerun the next call takes up again what is still mounted.
  return () => { if (!root.isConnected) root.end?.(); };
}
