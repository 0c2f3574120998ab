// The store (`kit/store.js`) as components know it, with types.

import { type makeStore, theStore as theOneStore } from "../../../browser/kit/store.js";
import type { Drawn } from "../address";
import type { Texts } from "./texts";

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
  stages: string;
  question: Question | null;
  picked_by: string[] | null;
}

// What Predict may ask on a page, and its answers, see `prediction.py`.
export interface Question {
  asked: string;
  answers: string[];
  reads: string[];
  tokens: string[];
  heads: number;
  strongest: number[][][]; // layer, head, step → source token
  steps: {
    choices: [label: string, share: number | null][];
    written: [token: string, share: number | null];
    right: number;
    looks: [token: string, share: number | null];
  }[];
}

// While a talk is given; at: the view that was asked for, shown: the one that is there, from 0.
export interface Talk {
  name: string;
  title: string;
  titles: string[];
  at: number;
  shown: number;
  page: string;
  note: string;
  hidden?: boolean[]; // a file hides nothing
  starts?: number[] | null; // minute at which each view is planned
  lesson: boolean;
  todo: string;
  mark: string;
  exercise: Exercise | null;
}

// See `exercise.tsx`; what stands here depends on its kind.
export interface Exercise {
  kind: string;
  asks: string;
  at: Partial<Record<"step" | "layer" | "head", number>>;
  value: number | null;
  tolerance: number;
  share: boolean;
  counted: boolean;
  slips: [value: number, words: string][];
  working: string[];
  shares: number[][];
  least: number;
  says: string;
  solved: boolean;
}

// The link of the view that Python knows.
export interface Share {
  code: string; // of the link, as a picture
  no_code: string; // or why there is none
  problem: string;
}

// Colours by name. still: nothing moves.
export type Theme = Texts<
  | "ink quiet surface panel line masked accent weight chip highlight encoder decoder"
  | "q k v output q_text k_text v_text output_text"
> & { dark?: boolean; still?: boolean; sequential: readonly string[]; diverging: readonly string[] };

export interface Store
  extends Omit<Made, "view" | "set" | "subscribe" | "limits" | "talk" | "share" | "drawn" | "theme" | Later> {
  readonly view: Readonly<View>;
  set(patch: Partial<View>, how?: { quiet?: boolean }): void;
  subscribe(act: (view: View, before: View) => void): () => void;
  limits: Limits;
  talk: Talk | null;
  share: Share | null;
  drawn: Drawn | null;
  theme: Theme;
  given: Record<string, unknown>; // what parts have read of their payloads, by their names
  exact: ExactCell | null;
  send: ((name: string, value: unknown) => void) | null;
  choose: ((index: number) => boolean) | null;
  openNotes: (() => void) | null;
  notesWindow: Window | null;
  notesPage: string;
  picture: Picture | null;
  player?: HTMLElement;
  alive?: boolean; // once there has been a player
  left?: number; // when the last one went, in ms
  typeSentence?: (() => void) | null; // opens the line in which a sentence is typed
}

type Later = "given" | "exact" | "send" | "choose" | "openNotes" | "notesWindow" | "notesPage" | "picture";

// The numbers of the locked cell of an attention as the trace has them.
export type ExactCell = { kind: string } & Record<"layer" | "head" | "query" | "key", number> &
  Record<"score" | "scaled" | "exp" | "total" | "weight", number | null>;

// What a part offers to save.
export interface Picture {
  svg(): unknown;
  name(): string;
}

// The one of this tab.
export const theStore = theOneStore as unknown as () => Store;

// The element of a part. send: absent in a file, which has no server.
export interface Root extends HTMLElement {
  send?: (name: string, value: unknown) => void;
  address?: string; // of what the part shows
}

// A table of texts: Words<"on back"> is { on: string; back: string }.
export type Words<Names extends string> = Record<Each<Names>, string>;
type Each<Names extends string> = Names extends `${infer First} ${infer Rest}` ? First | Each<Rest> : Names;
