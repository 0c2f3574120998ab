// Keys while an input method composes text: Enter commits a candidate and Escape drops it, and neither is meant for the page. Every key
// listener is added through this module.

// Safari sends the key that ends a composition after `compositionend`, with the key code that marks keys of an input method.
const TAKEN = 229;

export function isComposing({ isComposing: composes, keyCode }: Pick<KeyboardEvent, "isComposing" | "keyCode">) {
  return composes || keyCode === TAKEN;
}

// Calls `act` for each key pressed in `target`, except those of an input method. Returns a function that removes the listener.
export function onKeys(target: EventTarget, act: (event: KeyboardEvent) => void, capture = false) {
  const press = (event: Event) => {
    if (!isComposing(event as KeyboardEvent)) act(event as KeyboardEvent);
  };
  target.addEventListener("keydown", press, capture);
  return () => target.removeEventListener("keydown", press, capture);
}

const SHIELDED: unique symbol = Symbol.for("viz_core.shielded"); // on a window

// Hides an input method's keys from other listeners in a window, such as Streamlit's, and keeps its Enter from submitting a form.
export function shieldComposing(target: Window & { [SHIELDED]?: boolean }) {
  if (target[SHIELDED]) return;
  target[SHIELDED] = true;
  const shield = (event: KeyboardEvent) => {
    if (!isComposing(event)) return;
    event.stopImmediatePropagation();
    if (event.key === "Enter") event.preventDefault();
  };
  target.addEventListener("keydown", shield, true);
}
