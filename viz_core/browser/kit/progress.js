// How far one has come in the lessons, kept in this browser.

export const FIRST_LESSON = "first-lesson"; // a file of talks/
const KEPT = "viz-lesson"; // name of a lesson → the furthest card, from 0

// The furthest card of a lesson that was seen in this browser; null where none was. at: one that is seen now.
export function furthest(name, at = null) {
  try {
    const found = JSON.parse(localStorage.getItem(KEPT)) ?? {};
    const far = Math.max(found[name] ?? -1, at ?? -1);
    if (at !== null) localStorage.setItem(KEPT, JSON.stringify({ ...found, [name]: far }));
    return far >= 0 ? far : null;
  } catch {
    return null; // no storage here, or not what we wrote
  }
}
