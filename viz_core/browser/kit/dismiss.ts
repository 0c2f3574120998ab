// The one way in which what lies over the page for a moment goes: Escape, a press or the focus elsewhere, or another view.

import type { Store } from "../../web/src/ui/store";

// node: what is opened, with what opens it; close(): closes it. Returns a function that is told whether it is open.
export function dismissible(node: Element, store: Store, close: () => void) {
  let off: (() => void) | null = null;
  const elsewhere = (event: Event) => {
    if (!event.composedPath().includes(node)) end();
  };
  const stop = () => {
    off?.();
    off = null;
    if (store.dismiss === end) store.dismiss = null;
    for (const name of ["pointerdown", "focusin"]) document.removeEventListener(name, elsewhere, true);
  };
  const end = () => {
    stop();
    close();
  };
  return (isOpen: boolean) => {
    stop();
    if (!isOpen) return;
    store.dismiss?.(); // one at a time
    store.dismiss = end;
    off = store.subscribe((view, before) => {
      if (view !== before) end();
    });
    for (const name of ["pointerdown", "focusin"]) document.addEventListener(name, elsewhere, true);
  };
}
