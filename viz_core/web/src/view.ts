// The view: everything that a key, a click or a link can change.

import params from "viz:params";

export interface View {
  step: number;
  layer: number;
  head: number;
  token: number;
  stage: string;
  show: string;
  form: string;
  unit: string;
  scale: string;
  axis: string;
  order: string;
  specials: string;
  cell: [query: number, key: number] | null;
  temperature: number;
  dim: number | null;
  place: number | null;
  top: string;
  open: string;
  drawing: string;
  predict: string;
  lecture: boolean;
  revealed: boolean;
  guess: number | null; // index of the choice picked in Predict
  playing: string;
  speed: number;
  help: boolean;
  over: string; // what covers the page: "share", "black" or "end"
  notes: string; // "off" once closed
  code: boolean;
  scrub: number | null; // progress of the animated operation, 0 to 1, while the reader holds it
}

// Kept in this tab only: neither in the address nor sent to Python.
const HERE: Partial<View> = {
  revealed: false,
  guess: null,
  playing: "",
  speed: 1,
  help: false,
  over: "",
  notes: "",
  code: false,
  scrub: null,
};

export const START = {
  ...Object.fromEntries(Object.values(params.view).map(({ name, default: usual }) => [name, usual])),
  lecture: false, // a switch, which the address writes as a word
  ...HERE,
} as unknown as View;

export const isHere = (name: string) => name in HERE;

export const localPart = (view: Readonly<View>) => part(view, HERE);

// The part that Python knows.
export const syncedPart = (view: Readonly<View>) => part(view, params.view);

function part(view: Readonly<View>, names: object): Partial<View> {
  return Object.fromEntries(Object.keys(names).map((name) => [name, view[name as keyof View]]));
}

// The entries of `now` that differ from `before`.
export function changedFrom(before: Partial<View>, now: Partial<View>): Partial<View> {
  return Object.fromEntries(Object.entries(now).filter(([name, value]) => !same(value, before[name as keyof View])));
}

function same(one: unknown, other: unknown) {
  return one === other || (Array.isArray(one) && Array.isArray(other) && one.join() === other.join());
}

type Guesses = Pick<View, "predict" | "revealed">;

// Predict asks for words: the first step whose word is still hidden; Infinity if none is. One key reveals one word.
export function guessedFrom({ predict, revealed, step }: Guesses & Pick<View, "step">) {
  return predict === "word" ? step + Number(revealed) : Infinity;
}

// Whether the next key reveals something hidden.
export function hides({ predict, revealed }: Guesses) {
  return Boolean(predict) && !revealed;
}
