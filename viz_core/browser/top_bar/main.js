// The top bar in Streamlit. It does not wait for the store: where there is no sentence yet, one is typed here.

import { theStore } from "../kit/store.js";
import { mountTopBar } from "./top_bar.js";

export default function ({ data: [data], parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".viz-top-bar");
  if (root.viz) root.viz.update(data, setTriggerValue);
  else root.viz = mountTopBar(root, data, theStore(), setTriggerValue);
  return () => {
    if (root.isConnected) return;
    root.viz?.destroy();
    root.viz = null;
  };
}
