// How far one has come in the lessons, kept in this browser.

export const FIRST_LESSON = "first-lesson"; // a file of talks/
const KEPT = "viz-lesson"; // name of a lesson → the furthest card, from 0

function kept() {
  try {
    const found = JSON.parse(localStorage.getItem(KEPT));
    return found && typeof found === "object" ? found : {};
  } catch {
    return {}; // no storage here, or not what we wrote
  }
}

// The furthest card of a lesson that was seen in this browser, from 0; null where none was.
export const furthest = (name) => kept()[name] ?? null;

// A card is seen.
export function reach(name, at) {
  const found = kept();
  if (at <= (found[name] ?? -1)) return;
  try {
    localStorage.setItem(KEPT, JSON.stringify({ ...found, [name]: at }));
  } catch {} // no storage here: nothing is kept
}
