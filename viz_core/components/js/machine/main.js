// The machine in Streamlit.

import { theStore } from "../shared/store.js";
import { mountMachine } from "./machine.js";

export default function ({ data, parentElement }) {
  const root = parentElement.querySelector(".viz-machine");
  if (!root.viz) root.viz = mountMachine(root, data, theStore());
  else if (!alike(root.payload, data)) root.viz.update(data);
  root.payload = data;
  return () => {
    if (root.isConnected) return;
    root.viz?.destroy();
    root.viz = null;
  };
}

// The same bytes: Streamlit calls again on every rerun.
function alike(one, other) {
  return one === other || (one.length === other.length && one.every((byte, index) => byte === other[index]));
}
