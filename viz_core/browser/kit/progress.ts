// What a window stores in this browser: progress in the lessons and solved exercises. A preview in the notes window stores nothing.

export const FIRST_LESSON = "first-lesson"; // files of talks/
export const EXERCISES = "fifteen-exercises";
export const TOUR = "twelve-steps";
const KEPT = "viz-lesson"; // name of a lesson → its furthest card, from 0
const SOLVED = "viz-solved"; // name of a lesson → cards with a solved exercise, from 0

// A value stored in this browser, or only in this tab; null if there is none, no storage, or it is not ours.
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
  } catch {} // without storage it lasts as long as the page
}

const kept = (key: string) => Object(stored(key)) as Record<string, unknown>; // by name of a lesson

// The furthest card of a lesson seen in this browser, from 0; null if none.
export const furthest = (name: string) => (kept(KEPT)[name] ?? null) as number | null;

export function reach(name: string, at: number) {
  if (at > (furthest(name) ?? -1)) keep(KEPT, { ...kept(KEPT), [name]: at });
}

// A lesson was read to its end: it starts over next time.
export function finish(name: string) {
  const { [name]: _, ...rest } = kept(KEPT);
  keep(KEPT, rest);
}

// Cards of a lesson, from 0, whose exercise was solved in this browser.
export function solvedCards(name: string): number[] {
  const cards = kept(SOLVED)[name];
  return Array.isArray(cards) ? cards : [];
}

export function solve(name: string, at: number) {
  const cards = solvedCards(name);
  if (!cards.includes(at)) keep(SOLVED, { ...kept(SOLVED), [name]: [...cards, at] });
}

// Previews in the notes window: such a window shows what the projector shows, stores nothing and takes no keys.

export const PREVIEW = "viz-preview"; // class of the iframe

// `frameElement` is null if the frame around this window is of another origin.
export const isPreview = () => Boolean(globalThis.frameElement?.classList.contains(PREVIEW));
