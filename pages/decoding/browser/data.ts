// The beam search payload as nodes, and the layout of their tree in px: a column per step, a line per hypothesis, the best at the top.
// Nothing here draws.

import { escaped, number, shortened, signed } from "../../../viz_core/browser/kit/numbers";
import type { View } from "../../../viz_core/web/src/figure";
import { type Patch, type Say, fill, sliceOf, readPayload, sum } from "../../../viz_core/web/src/payload";
import { textsIn } from "../../../viz_core/web/src/texts";

const FATES = ["pruned", "kept", "finished"] as const;
const SMALL_BEAM = 5;
const PRUNED = { small: 3, large: 2 }; // pruned hypotheses drawn per step, with a beam of up to SMALL_BEAM and with a larger one

const [TERMS, LETTERS] = [4, 100]; // of a sum and of a sentence that are written out

/** A candidate. rank: among all of its step; row: among those drawn, both from 0; parent: null at the first step. */
export interface Candidate {
  step: number;
  rank: number;
  row: number;
  parent: Candidate | null;
  token: number;
  label: string;
  logProb: number;
  total: number;
  score: number;
  fate: (typeof FATES)[number];
  best: boolean;
  greedy: boolean;
  drawn: boolean;
}

interface Ending {
  text: string;
  score: number;
  total: number;
  length: number;
  log_probs: number[];
  penalty: number;
  ended: boolean;
  greedy: boolean;
  listed: boolean;
}

interface About {
  steps: number;
  size: number;
  alpha: number;
  others: number[];
  best: number[];
  greedy: number[];
  forced: number[];
  marks: Record<"parts" | "ahead" | "pruned", number | null>;
  endings: Ending[];
  labels: Record<number, string>;
  blanks: number[];
  ends: number[];
  specials: Record<string, string>; // our special tokens → the model's
}

export type Tree = ReturnType<typeof readTree>;
export type Layout = ReturnType<typeof layoutOf>;

/** columns: the nodes of each step, best first; text(node): the text up to and including it. */
export function readTree(payload: Uint8Array) {
  type Name = "step" | "rank" | "parent" | "token" | "fate" | "numbers";
  const { about, tensors, say: all } = readPayload<About, Name>(payload, textsIn("decoding.tree"));
  const named = (text: string) => text.replace(/⟨(?:s|\/s)⟩/g, (name) => about.specials[name] ?? name);
  const say = (name: string, values: Patch = {}) => fill(named(all(name)), values);
  const { rank, parent, token, fate } = tensors;
  const most = about.size > SMALL_BEAM ? PRUNED.large : PRUNED.small;
  const nodes: Candidate[] = [];
  const columns = Array.from({ length: about.steps }, (): Candidate[] => []);
  tensors.step.data.forEach((step, index) => {
    const [logProb = 0, total = 0, score = 0] = sliceOf(tensors.numbers, index);
    const column = columns[step] ?? [];
    const [id, own] = [token.data[index] ?? 0, FATES[fate.data[index] ?? 0] ?? "pruned"];
    const drawn = column.filter((node) => node.drawn);
    const isDrawn = own !== "pruned" || drawn.filter((node) => node.fate === "pruned").length < most;
    const node = {
      step,
      rank: rank.data[index] ?? 0,
      row: isDrawn ? drawn.length : -1,
      parent: nodes[parent.data[index] ?? -1] ?? null,
      token: id,
      label: about.labels[id] ?? "",
      logProb,
      total,
      score,
      fate: own,
      best: about.best.includes(index),
      greedy: about.greedy.includes(index),
      drawn: isDrawn,
    };
    column.push(node);
    nodes.push(node);
  });
  const rows = Math.max(1, ...columns.map((column) => column.filter((node) => node.drawn).length));
  const blanks = new Set(about.blanks);
  const ends = new Set(about.ends);
  // The end token adds nothing to the text.
  const text = (node: Candidate): string => {
    const before = node.parent ? text(node.parent) : "";
    return ends.has(node.token) ? before : before + (blanks.has(node.token) && before ? " " : "") + node.label;
  };
  const at = (cell: readonly number[] | null) => columns[cell?.[0] ?? -1]?.find((node) => node.rank === cell?.[1]) ?? null;
  return {
    about,
    message: comparison(about, say),
    columns,
    rows,
    text,
    at,
    say,
    below: (_: View, write: Say) => scoresOf(about, write),
  };
}

/** The best hypothesis compared with greedy's. */
function comparison({ endings, size, marks: { parts, ahead } }: About, say: (name: string, values: Patch) => string) {
  const [best, greedy] = [endings[0], endings.find(({ greedy }) => greedy)].map((one) => signed(one?.score ?? 0, 3));
  const name = parts === null ? (size === 1 ? "same_one" : "same") : ahead === null ? "behind" : "overtakes";
  return say(name, { best, greedy, size, parts: (parts ?? 0) + 1, ahead: (ahead ?? 0) + 1 });
}

/** What stands below the tree: Score = Σ ln p / lp of the best hypothesis, and of greedy's or, where that is the best, of the runner-up. */
function scoresOf({ endings, alpha }: About, write: Say) {
  const [best, ...others] = endings as [Ending, ...Ending[]];
  const second = best.greedy ? others[0] : others.find(({ greedy }) => greedy);
  const score = (name: string, { text, log_probs, total, length, penalty, score }: Ending) => {
    const terms = log_probs.slice(0, TERMS).map((value) => (value < 0 ? `- ${number(-value)}` : `+ ${number(value)}`));
    const left = length - TERMS;
    const rest = number(-sum(log_probs.slice(TERMS)));
    if (left > 0) terms.push(`- \\underbrace{${rest}}_{\\text{${write("terms_more", { count: left })}}}`);
    return write("of_hypothesis", {
      ...{ name: write(name), text: escaped(shortened(text, LETTERS)), terms: terms.join(" "), length, alpha },
      ...{ total: number(total), penalty: number(penalty), score: number(score) },
    });
  };
  const lines = [score("best", best), ...(second ? [score(best.greedy ? "next" : "greedy", second)] : [])];
  return { alpha, lines: lines.join("\n\n"), why: write(alpha ? "penalty" : "no_penalty") };
}

/** A node and its ancestors, the first step first. */
export const pathTo = (node: Candidate | null): Candidate[] => (node ? [...pathTo(node.parent), node] : []);

// Widths, in px.
export const PITCH = 140; // from column to column
const NODE = 110;
const ROOT = 46; // of the ⟨s⟩ at the root
const GAP = 30; // after the root
const SCORE = 62; // extra width of the current column where only that column has scores
// Heights, in px.
export const HEAD = 52; // of the step numbers and the marks below them
const TALL = 46; // of a line with scores
const FLAT = 30; // of a line without scores
const FLATTEST = 25; // of one in little room
const FOOT = 6;
const INSET = 3; // from a line's edge to its boxes
const AHEAD = 2; // columns after the current one that stay in sight

/** tall: whether each node has its score below its token; otherwise only the nodes of step `highlighted` have it, beside the token.
 * room: px of height, into which flat lines are squeezed. */
export function layoutOf({ columns, rows }: Tree, tall: boolean, highlighted: number, room = Number.POSITIVE_INFINITY) {
  const row = tall ? TALL : Math.min(FLAT, Math.max(FLATTEST, Math.floor((room - HEAD - FOOT) / rows)));
  const inset = row < FLAT ? 2 : INSET;
  const more = (step: number) => (!tall && step === highlighted ? SCORE : 0);
  const left = (step: number) => ROOT + GAP + step * PITCH + (!tall && step > highlighted ? SCORE : 0);
  const wide = (step: number) => NODE + more(step);
  const h = row - 2 * inset;
  return {
    tall,
    row,
    wide,
    left,
    width: left(columns.length) - PITCH + NODE + GAP + more(columns.length - 1),
    height: HEAD + rows * row + FOOT,
    middle: (step: number) => left(step) + wide(step) / 2,
    root: { x: 2, y: HEAD + inset, w: ROOT, h },
    box: (node: Candidate) => ({ x: left(node.step), y: HEAD + node.row * row + inset, w: wide(node.step), h }),
  };
}

export const highOf = ({ rows }: Tree, tall: boolean): number => HEAD + rows * (tall ? TALL : FLAT) + FOOT;

/** As much of the height as the room allows without cutting a row. */
export function wholeRows({ row, height }: Layout, room: number): number {
  return height <= room ? height : HEAD + Math.floor((room - HEAD) / row) * row;
}

/** The step whose column is at x of the whole drawing, −1 if none. */
export function stepUnder({ columns }: Tree, { left, wide }: Layout, x: number): number {
  return columns.findIndex((_, step) => x >= left(step) && x <= left(step) + wide(step));
}

export function nodeUnder(tree: Tree, layout: Layout, x: number, y: number): Candidate | null {
  const row = Math.floor((y - HEAD) / layout.row);
  return tree.columns[stepUnder(tree, layout, x)]?.find((node) => node.drawn && y >= HEAD && node.row === row) ?? null;
}

/** The columns in sight, as [first, end). */
export function columnsSeen({ columns }: Tree, { left, wide }: Layout, from: number, width: number): [number, number] {
  const seen = [...columns.keys()].filter((step) => left(step) + wide(step) + GAP > from && left(step) - GAP < from + width);
  return [seen[0] ?? 0, (seen.at(-1) ?? -1) + 1];
}

/** How far to scroll, as little as possible, to show a column and those after it. */
export function scrolledTo(layout: Layout, step: number, from: number, width: number): number {
  const most = Math.max(0, layout.width - width);
  const ahead = Math.min(AHEAD, Math.floor(width / PITCH / 3));
  const left = layout.left(step) - PITCH;
  const right = layout.left(step) + layout.wide(step) + ahead * PITCH;
  return Math.round(Math.min(Math.max(left < from ? left : right > from + width ? right - width : from, 0), most));
}
