// The types of the store (`state.ts`).

import type { Drawn, Leads } from "../address";
import type { View } from "../view";

export type { View };

// Limits and facts of the sentence and the page.
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
  picked_by: string[] | null; // those of layer and head that affect something; null: see `drawn`
  source?: string; // absent without a sentence
  written?: string[]; // the output of each step
  edited?: string; // the edits of the model in words
  fixed: Partial<View> | null; // fields that no key may change, since the page would not follow
  snapshot: { at: string; steps: string[] } | null;
}

// Predict's questions on a page, and their answers, see `prediction.py`.
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

// The current talk; at: the requested view, shown: the one on display, from 0.
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

// See `exercise.tsx`; which fields are set depends on the kind.
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

// The link of the view that Python has drawn.
export interface Share {
  code: string; // a picture of the QR code
  no_code: string; // or the reason why there is none
  problem: string;
}

/** The same view below another address. words: for the menu; model: the usual one here. */
export type Counterpart = Words<"from to words model">;

// Colours by name. still: nothing moves.
export type Theme = Words<
  | "ink quiet surface panel line masked accent weight chip highlight encoder decoder"
  | "q k v output q_text k_text v_text output_text"
> & { dark?: boolean; still?: boolean; sequential: readonly string[]; diverging: readonly string[] };

export interface Store extends Visits {
  readonly view: Readonly<View>;
  set(patch: Partial<View>, how?: { quiet?: boolean }): void;
  subscribe(act: (view: View, before: View) => void): () => void; // called once per frame, after all its changes
  repaint(): void;
  staged(): string | undefined; // the kind of attention whose stages are on the page, or in the open block
  give(name: string, read: unknown): void; // shares a part's parsed payload with others
  takeBack(name: string, read: unknown): void;
  // One press of a clicker: reveals the answer, else goes to the next view of the talk, else to the next operation of an open block,
  // else to the next step.
  advance(by: number): void;
  turn(to: number): void; // goes to a view of the talk, from 0; past the last one the talk has ended
  stepSnapshot(by: number): void; // goes so many snapshots on in the model's training, or back
  operate(by: number): void; // one operation on or back; the last one of a step is followed by the next step
  limits: Limits;
  theme: Theme;
  online: boolean;
  talk: Talk | null;
  given: Record<string, unknown>; // shared payloads by name
  picture: Picture | null; // of the page, for saving, see offerPicture
  share: Share | null;
  drawn: Drawn | null;
  exact: ExactCell | null; // once Python has sent it
  guessedRight: boolean; // whether the last answer to Predict was right
  formulas: string; // address of the typesetter; a file has none
  counterpart: Counterpart | null; // where the same view is computed by other means
  plotly: string; // address of plotly; a file has its own copy
  talks: readonly string[] | null; // those that a page without a server has; null: all
  notesPage: string; // address of the notes window's page; a file has none
  notesWindow: Window | null;
  openNotes: (() => void) | null; // opens that window, or says that the browser blocks it; set by the bar
  dismiss: (() => void) | null; // closes the open popup, if any
  choose: ((index: number) => boolean) | null; // answers Predict's question, if there is one; set by the player
  send: ((name: string, value: unknown) => void) | null; // to Python, set by the player
  bring: ((at: number) => void) | null; // shows a view of the talk; set by a file that holds all of them
  player?: HTMLElement;
  early?: boolean; // whether keys are handled before there is a player
  alive?: boolean; // once there has been a player
  left?: number; // when the last player was removed, in ms
  typeSentence?: (() => void) | null; // opens the line for a sentence
}

// Changes of the address; null removes a parameter.
export type Changes = Record<string, string | null>;

// The current address, see `visits.ts`.
export interface Visits {
  ask(changes: Changes, page?: string): void; // requests a changed address of this page, or of another one
  link(path: string, parameters: Record<string, string>): void; // requests a link's address, dropping all current choices
  pending(name: string): string | null; // a requested parameter that is not shown yet
  now(): Record<string, string>; // the shown or requested parameters
  adopt(from: Shown): void;
  onMessage(report: Drawn | Leads, by: ((event: string, value: unknown) => void) | null): void; // Python's report on the address
  ready(act: () => void): void; // runs act once the view is known: parts of a page may be mounted in any order
  session(): string | null;
  isKnown(): boolean; // whether Python has drawn the current view
  isLate(): boolean; // whether Python's answer is long overdue
  sync(): void; // sends Python the changes it does not know
  settle(): void; // at the end of a run: writes the address of what it has shown
  later(): void; // lets the address follow after a rest
  beginAnew(): void; // another server has taken over
  askAgain(): void; // the server is back
  install(): void;
}

// Python's view of a run, delivered by the player.
export interface Shown {
  session: string;
  path: string;
  visited: number; // the last of the browser's visits that Python knows
  brought: number; // how often Python itself has led to another address
  run?: number;
  limits: Limits;
  view: Partial<View>;
  talk: Omit<Talk, "shown"> | null;
  exact?: ExactCell | null;
}

// The exact numbers of an attention's locked cell, from the trace.
export type ExactCell = { kind: string } & Record<"layer" | "head" | "query" | "key", number> &
  Record<"score" | "scaled" | "exp" | "total" | "weight", number | null>;

// A picture that a part offers for saving.
export type Picture = { svg(): string | Promise<string>; name(): string };

// The element of a part. send: absent in a file without a server.
export interface Root extends HTMLElement {
  send?: (name: string, value: unknown) => void;
  address?: string; // of the part's data
}

// Strings by name: Words<"heading unknown"> has `heading` and `unknown`.
export type Words<Names extends string> = Record<Split<Names>, string>;

type Split<Names extends string, Done = never> = Names extends `${infer Name} ${infer Rest}`
  ? Split<Rest, Done | Name>
  : Done | Names;
