// The store (`state.ts`) as components know it, with types.

import type { Drawn, Leads } from "../address";
import type { View } from "../view";

export type { View };

// Of the sentence and the page.
export interface Limits {
  page: string;
  text: string;
  steps: number;
  layers: number;
  heads: number;
  tokens: number;
  walks: string;
  stages: string; // the kind of attention whose stages are on the page; "open": the open block's; "": none
  cell_of_step: boolean;
  question: Question | null;
  picked_by: string[] | null; // of layer and head, what chooses something; null: see `drawn`
  source?: string; // the sentence; without it there is none
  written?: string[]; // what each step has written
  edited?: string; // the edits of the model in words
  fixed: Partial<View> | null; // what no key changes: what is on the page would not follow
  snapshot: { at: string; steps: string[] } | null;
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
  paths: string[]; // of the page of each view
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
export type Theme = Words<
  | "ink quiet surface panel line masked accent weight chip highlight encoder decoder"
  | "q k v output q_text k_text v_text output_text"
> & { dark?: boolean; still?: boolean; sequential: readonly string[]; diverging: readonly string[] };

export interface Store extends Visits {
  readonly view: Readonly<View>;
  set(patch: Partial<View>, how?: { quiet?: boolean }): void;
  subscribe(act: (view: View, before: View) => void): () => void; // called once for each frame, after all of its changes
  repaint(): void;
  staged(): string | undefined; // the kind of attention whose stages are on the page, or in the open block
  give(name: string, read: unknown): void; // what a part has read of its payload, for others
  takeBack(name: string, read: unknown): void;
  // One press of a clicker: reveals what is hidden, else the next view of the talk, else the next operation where a block of the
  // overview is open, else the next step.
  advance(by: number): void;
  turn(to: number): void; // to a view of the talk, from 0; past the last one it has ended
  stepSnapshot(by: number): void; // the model so many snapshots further in its training, or earlier
  operate(by: number): void; // one operation on, or back; behind the last one of a step comes the next step
  limits: Limits;
  theme: Theme;
  online: boolean;
  talk: Talk | null;
  given: Record<string, unknown>; // what parts have read of their payloads, by their names
  picture: Picture | null; // the part of the page that can be saved, see offerPicture
  share: Share | null;
  drawn: Drawn | null;
  exact: ExactCell | null; // once Python has sent it
  guessedRight: boolean; // whether the last answer to what Predict asks was right
  formulas: string; // where what sets formulas is; a file has none
  plotly: string; // where what draws figures of plotly's is; a file has its own
  notesPage: string; // where the page of the notes window is; a file has none
  notesWindow: Window | null;
  openNotes: (() => void) | null; // opens that window, or says that the browser forbids it; set by the bar
  dismiss: (() => void) | null; // closes what lies over the page for a moment, while something does
  choose: ((index: number) => boolean) | null; // answers what Predict asks, if it asks; set by the player
  send: ((name: string, value: unknown) => void) | null; // to Python, set by the player
  bring: ((at: number) => void) | null; // adopts this view of the talk; set by a file that holds all of them
  player?: HTMLElement;
  early?: boolean; // whether keys are heard that are pressed before there is a player
  alive?: boolean; // once there has been a player
  left?: number; // when the last one went, in ms
  typeSentence?: (() => void) | null; // opens the line in which a sentence is typed
}

// Changes of the address; null for a parameter that goes out of it.
export type Changes = Record<string, string | null>;

// The address that is shown, see `visits.ts`.
export interface Visits {
  ask(changes: Changes, page?: string): void; // another address of this page, or of another one
  link(path: string, parameters: Record<string, string>): void; // what a link shows: nothing of what is chosen stays
  pending(name: string): string | null; // a parameter that was asked for and is not shown yet
  now(): Record<string, string>; // the parameters of what is shown, or asked for
  adopt(from: Shown): void;
  hear(said: Drawn | Leads, by: ((event: string, value: unknown) => void) | null): void; // what Python says of the address
  ready(act: () => void): void; // as soon as the view is known: parts of a page may be mounted in any order
  session(): string | null;
  isKnown(): boolean; // whether Python knows, and the page has, what is shown
  sync(): void; // Python hears of what it does not know yet
  settle(): void; // at the end of a run: the address of what it has shown
  later(): void; // the address follows once nothing changes any more
  beginAnew(): void; // another server has taken over
  askAgain(): void; // the server is there again
  install(): void;
}

// What Python shows in a run, as the player brings it.
export interface Shown {
  session: string;
  path: string;
  visited: number; // the last visit that it has heard of
  brought: number; // how often it has led to another address by itself
  run?: number;
  limits: Limits;
  view: Partial<View>;
  talk: Omit<Talk, "shown"> | null;
  exact?: ExactCell | null;
}

// The numbers of the locked cell of an attention as the trace has them.
export type ExactCell = { kind: string } & Record<"layer" | "head" | "query" | "key", number> &
  Record<"score" | "scaled" | "exp" | "total" | "weight", number | null>;

// What a part offers to save.
export type Picture = { svg(): string; name(): string };

// The element of a part. send: absent in a file, which has no server.
export interface Root extends HTMLElement {
  send?: (name: string, value: unknown) => void;
  address?: string; // of what the part shows
}

// Texts that Python sends along with what they stand at, by their names: Words<"heading unknown"> has `heading` and `unknown`.
export type Words<Names extends string> = Record<Split<Names>, string>;

type Split<Names extends string, Found = never> = Names extends `${infer Name} ${infer Rest}`
  ? Split<Rest, Found | Name>
  : Found | Names;
