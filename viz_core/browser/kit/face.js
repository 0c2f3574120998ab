// Life of a part in Streamlit, which calls it on every rerun: mount it once the player has set the store, pass on a
// changed payload, destroy it when it has left the page.

import { theStore } from "./store.js";

// data: bytes, or [an object]. mount: (root, payload, store) => { update, destroy }. root.send(name, value) reaches
// Python.
export function face({ data: sent, parentElement, setTriggerValue }, mount) {
  const store = theStore();
  const root = parentElement.querySelector(".viz-part");
  const data = Array.isArray(sent) ? sent[0] : sent;
  root.send = setTriggerValue;
  root.asked = data;
  store.ready(() => {
    if (root.asked !== data) return; // a later call has brought something newer
    if (!root.viz) root.viz = mount(root, data, store);
    else if (!alike(root.shown, data)) root.viz.update(data);
    root.shown = data;
  });
  return () => {
    if (root.isConnected) return;
    root.asked = null;
    root.viz?.destroy();
    root.viz = null;
  };
}

function alike(one, other) {
  if (!(one instanceof Uint8Array && other instanceof Uint8Array)) return JSON.stringify(one) === JSON.stringify(other);
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}
