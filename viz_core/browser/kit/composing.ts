// Keys while an input method composes: Enter commits a candidate there, Escape drops it, and neither is meant for the page. Every
// listener for keys comes from here.

// Safari sends the key that ends a composition after its end, with the code of all keys that an input method takes.
const TAKEN = 229;

export function isComposing({ isComposing: composes, keyCode }: Pick<KeyboardEvent, "isComposing" | "keyCode">) {
  return composes || keyCode === TAKEN;
}

// Calls act with each key that is pressed in target and is no input method's. Returns what ends it.
export function onKeys(target: EventTarget, act: (event: KeyboardEvent) => void, capture = false) {
  const press = (event: Event) => {
    if (!isComposing(event as KeyboardEvent)) act(event as KeyboardEvent);
  };
  target.addEventListener("keydown", press, capture);
  return () => target.removeEventListener("keydown", press, capture);
}

const SHIELDED: unique symbol = Symbol.for("viz_core.shielded"); // on a window

// Keeps an input method's keys from all that others, such as Streamlit, listen with in a window; Enter sends no form either.
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
