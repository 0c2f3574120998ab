// How far one has come in the lessons, and which exercises are solved, kept in this browser.

export const FIRST_LESSON = "first-lesson"; // files of talks/
export const EXERCISES = "fifteen-exercises";
export const TOUR = "twelve-steps";
const KEPT = "viz-lesson"; // name of a lesson → the furthest card, from 0
const SOLVED = "viz-solved"; // name of a lesson → the cards whose exercise is solved, from 0

function kept(key) {
  try {
    const found = JSON.parse(localStorage.getItem(key));
    return found && typeof found === "object" ? found : {};
  } catch {
    return {}; // no storage here, or not what we wrote
  }
}

// The furthest card of a lesson that was seen in this browser, from 0; null where none was.
export const furthest = (name) => kept(KEPT)[name] ?? null;

// A card is seen.
export function reach(name, at) {
  const found = kept(KEPT);
  if (at > (found[name] ?? -1)) keep(KEPT, { ...found, [name]: at });
}

// A lesson was read to its end: the next time it begins again.
export function finish(name) {
  const { [name]: _, ...rest } = kept(KEPT);
  keep(KEPT, rest);
}

// The cards of a lesson, from 0, whose exercise was solved in this browser.
export function solvedCards(name) {
  const found = kept(SOLVED)[name];
  return Array.isArray(found) ? found : [];
}

export function solve(name, at) {
  const found = solvedCards(name);
  if (!found.includes(at)) keep(SOLVED, { ...kept(SOLVED), [name]: [...found, at] });
}

function keep(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {} // no storage here: nothing is kept
}
