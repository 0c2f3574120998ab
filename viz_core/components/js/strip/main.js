// The strip in Streamlit.

import { theStore } from "../shared/store.js";
import { mountStrip } from "./strip.js";

export default function ({ data, parentElement }) {
  const root = parentElement.querySelector(".viz-strip");
  root.viz ??= mountStrip(root, data, theStore());
  root.viz.update(data);
  return () => {
    if (root.isConnected) return;
    root.viz?.destroy();
    root.viz = null;
  };
}
