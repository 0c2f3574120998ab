// The store (`kit/store.js`) as components know it, with types.

import { type makeStore, theStore as theOneStore } from "../../../browser/kit/store.js";

type Made = ReturnType<typeof makeStore>;

// What a key, a click or a link changes; what each is, see START in `kit/store.js`.
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
  guess: number | null;
  playing: string;
  speed: number;
  help: boolean;
  over: string;
  notes: string;
  code: boolean;
  scrub: number | null;
}

// Of the sentence and the page.
export interface Limits {
  page: string;
  text: string;
  steps: number;
  layers: number;
  heads: number;
  tokens: number;
  picked_by: string[] | null;
}

// While a talk is given; at: the view that was asked for, shown: the one that is there, from 0.
export interface Talk {
  name: string;
  title: string;
  titles: string[];
  at: number;
  shown: number;
  note: string;
}

// What Python has drawn from, and what links are made of.
export interface Share {
  picked_by: string[] | null;
  picked_below: boolean;
}

// Colours by name, such as ink and accent.
export interface Theme {
  dark?: boolean;
  still?: boolean;
  [colour: string]: string | boolean | undefined;
}

export interface Store extends Omit<Made, "view" | "set" | "subscribe" | "limits" | "talk" | "share" | "theme"> {
  readonly view: Readonly<View>;
  set(patch: Partial<View>, how?: { quiet?: boolean }): void;
  subscribe(act: (view: View, before: View) => void): () => void;
  limits: Limits;
  talk: Talk | null;
  share: Share | null;
  theme: Theme;
  typeSentence?: (() => void) | null; // opens the line in which a sentence is typed
}

// The one of this tab.
export const theStore = theOneStore as unknown as () => Store;

// The element of a part. send: absent in a file, which has no server.
export interface Root extends HTMLElement {
  send?: (name: string, value: unknown) => void;
}

// A table of texts: Words<"on back"> is { on: string; back: string }.
export type Words<Names extends string> = Record<Each<Names>, string>;
type Each<Names extends string> = Names extends `${infer First} ${infer Rest}` ? First | Each<Rest> : Names;
