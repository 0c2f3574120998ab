// What a key, a click or a link changes.

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
  top: string;
  open: string;
  drawing: string;
  predict: string;
  lecture: boolean;
  revealed: boolean;
  guess: number | null; // which choice was made of what is to be predicted
  playing: string;
  speed: number;
  help: boolean;
  over: string; // what lies over the page: "share", "black" or "end"
  notes: string; // "off" where they were closed
  code: boolean;
  scrub: number | null; // how far the operation is, 0 to 1, while it is held there
}

// Of this tab alone, neither in the address nor sent to Python.
export const HERE: Partial<View> = {
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
  lecture: false, // a switch, which an address writes as a word
  ...HERE,
} as unknown as View;

export const isHere = (name: string) => name in HERE;

export const localPart = (view: Readonly<View>) => part(view, HERE);

// What Python hears of.
export const syncedPart = (view: Readonly<View>) => part(view, params.view);

function part(view: Readonly<View>, names: object): Partial<View> {
  return Object.fromEntries(Object.keys(names).map((name) => [name, view[name as keyof View]]));
}

// The values that are not those of before.
export function changedFrom(before: Partial<View>, now: Partial<View>): Partial<View> {
  return Object.fromEntries(Object.entries(now).filter(([name, value]) => !same(value, before[name as keyof View])));
}

function same(one: unknown, other: unknown) {
  return one === other || (Array.isArray(one) && Array.isArray(other) && one.join() === other.join());
}

type Guesses = Pick<View, "predict" | "revealed">;

// The first step whose word is still to be guessed, while words are guessed at all. A key reveals one word, and no
// later one.
export function guessedFrom({ predict, revealed, step }: Guesses & Pick<View, "step">) {
  return predict === "word" ? step + Number(revealed) : Infinity;
}

// Whether something is hidden that the next key reveals.
export function hides({ predict, revealed }: Guesses) {
  return Boolean(predict) && !revealed;
}
