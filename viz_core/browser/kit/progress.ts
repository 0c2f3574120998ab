// How far one has come in the lessons, and which exercises are solved, kept in this browser.

export const FIRST_LESSON = "first-lesson"; // files of talks/
export const EXERCISES = "fifteen-exercises";
export const TOUR = "twelve-steps";
const KEPT = "viz-lesson"; // name of a lesson → the furthest card, from 0
const SOLVED = "viz-solved"; // name of a lesson → the cards whose exercise is solved, from 0

// What this browser keeps under a name, or this tab alone; null where there is nothing, or no storage, or not what we wrote.
export function stored(key: string, isOfTab = false): unknown {
  try {
    return JSON.parse((isOfTab ? sessionStorage : localStorage).getItem(key) ?? "null");
  } catch {
    return null;
  }
}

export function keep(key: string, value: unknown, isOfTab = false) {
  try {
    (isOfTab ? sessionStorage : localStorage).setItem(key, JSON.stringify(value));
  } catch {} // no storage here: it lasts as long as the page
}

const kept = (key: string) => Object(stored(key)) as Record<string, unknown>; // by the name of a lesson

// The furthest card of a lesson that was seen in this browser, from 0; null where none was.
export const furthest = (name: string) => (kept(KEPT)[name] ?? null) as number | null;

// A card is seen.
export function reach(name: string, at: number) {
  if (at > (furthest(name) ?? -1)) keep(KEPT, { ...kept(KEPT), [name]: at });
}

// A lesson was read to its end: the next time it begins again.
export function finish(name: string) {
  const { [name]: _, ...rest } = kept(KEPT);
  keep(KEPT, rest);
}

// The cards of a lesson, from 0, whose exercise was solved in this browser.
export function solvedCards(name: string): number[] {
  const found = kept(SOLVED)[name];
  return Array.isArray(found) ? found : [];
}

export function solve(name: string, at: number) {
  const found = solvedCards(name);
  if (!found.includes(at)) keep(SOLVED, { ...kept(SOLVED), [name]: [...found, at] });
}
