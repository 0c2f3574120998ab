// The stage in Streamlit.

import { theStore } from "../shared/store.js";
import { mountStage } from "./stage.js";

export default function ({ data, parentElement }) {
  const root = parentElement.querySelector(".viz-stage");
  if (!root.viz) {
    root.viz = mountStage(root, data, theStore());
    root.shown = data;
  } else if (!sameBytes(root.shown, data)) {
    root.shown = data;
    root.viz.update(data);
  }
  return () => {
    if (root.isConnected) return;
    root.viz?.destroy();
    root.viz = null;
  };
}

function sameBytes(one, other) {
  return one === other || (one.length === other.length && one.every((byte, at) => byte === other[at]));
}
