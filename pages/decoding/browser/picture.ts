// Draws the tree, with either pen of kit/pen.ts.

import { READABLE, textWidth } from "../../../viz_core/browser/kit/pen";
import type { Box, Pen } from "../../../viz_core/web/src/marks/mark";
import type { Theme } from "../../../viz_core/web/src/ui/store";
import { type Candidate, HEAD, type Layout, PITCH, type Tree, pathTo } from "./data";
import { scoreText } from "./tables";

const INSIDE = 6; // px between a node's edge and its text
const THIN = 1; // px of a line for probability 0
const THICK = 7; // px of a line for probability 1
const FAINT = 0.45; // opacity of the line to a pruned node
const UPPER = 0.28; // height of the token in a node, as a share
const LOWER = 0.75; // height of the score
const NODE_ALONE = 120; // px; wider nodes have the score beside the token
const DASH = [7, 6];
const BEST_LINE = 3.5;

/** step: the highlighted column; guess: the first hidden column; limit: how many steps the keys reach; path: the node whose path is
 * highlighted. */
export interface Scene {
  tree: Tree;
  layout: Layout;
  theme: Theme;
  step: number;
  guess: number;
  limit: number;
  path: Candidate | null;
}

/** from, to: the columns in sight; top: px scrolled down. */
export function drawTree(pen: Pen, scene: Scene, from: number, to: number, top = 0): void {
  const { tree, layout, theme, step, guess, path } = scene;
  const { columns, say } = tree;
  const nodes = columns
    .slice(from, Math.min(to, guess))
    .flat()
    .filter((node) => node.drawn);
  const highlighted = new Set(pathTo(path));
  if (step < columns.length) pen.box(layout.left(step) - 8, 0, layout.wide(step) + 16, layout.height, { fill: theme.panel });
  for (const node of nodes) edge(pen, node, layout, lineOf(node, theme));
  for (const node of nodes) if (node.best) edge(pen, node, layout, { stroke: theme.output, width: width(node) + 1 });
  for (const node of nodes) if (highlighted.has(node)) edge(pen, node, layout, { stroke: theme.accent, width: width(node) + 1 });
  for (const node of nodes) if (node.greedy) edge(pen, node, layout, { stroke: theme.ink, width: 2, dash: DASH });
  if (from === 0) {
    const { x, y, w, h } = layout.root;
    pen.box(x, y, w, h, { fill: theme.surface, stroke: theme.quiet });
    pen.text(say("start"), x + w / 2, y + h / 2, { fill: theme.ink, align: "center" });
  }
  for (const node of nodes) drawNode(pen, node, layout, theme, highlighted.has(node));
  if (guess >= from && guess < Math.min(to, columns.length)) {
    const style = { size: 40, bold: true, fill: theme.accent, align: "center" as const };
    pen.text(say("hidden"), layout.middle(guess), HEAD + layout.row, style);
  }
  heads(pen, scene, from, to, top);
}

type Line = Parameters<Pen["curves"]>[1];

const width = ({ logProb }: Candidate) => THIN + (THICK - THIN) * Math.exp(logProb);

function lineOf(node: Candidate, theme: Theme): Line {
  return node.fate === "pruned"
    ? { stroke: theme.quiet, width: THIN, alpha: FAINT }
    : { stroke: theme.quiet, width: width(node), alpha: 0.75 };
}

function edge(pen: Pen, node: Candidate, layout: Layout, ink: Line) {
  const from = node.parent ? layout.box(node.parent) : layout.root;
  const to = layout.box(node);
  const end = to.y + (node.fate === "pruned" && layout.tall ? to.h * UPPER : to.h / 2);
  pen.curves([[from.x + from.w, from.y + from.h / 2, to.x, end]], ink);
  if (node.fate === "pruned") pen.lines([[to.x, end, tokenMiddle(node, layout, to) - half(node, layout) - 4, end]], ink);
}

function drawNode(pen: Pen, node: Candidate, layout: Layout, theme: Theme, highlighted: boolean) {
  const { x, y, w, h } = layout.box(node);
  const pruned = node.fate === "pruned";
  const ended = node.fate === "finished";
  const stroke = highlighted ? theme.accent : node.best ? theme.output : ended ? theme.ink : theme.line;
  const width = highlighted || node.best ? BEST_LINE : ended ? 2 : 1.5;
  const dashed = node.greedy && !highlighted;
  if (!pruned || highlighted)
    pen.box(x, y, w, h, { fill: theme.surface, stroke: dashed && !node.best ? undefined : stroke, width });
  if (dashed) pen.box(x, y, w, h, { stroke: theme.ink, width: 2, dash: DASH });
  if (ended) pen.box(x + w - 5, y, 5, h, { fill: stroke });
  const fill = pruned ? theme.quiet : theme.ink;
  const bold = node.best || highlighted;
  const first = layout.tall ? y + h * UPPER : y + h / 2;
  const score = scoreText(node.score);
  const scoreStyle = { fill: ended || bold ? fill : theme.quiet, bold: ended || bold };
  const beside = roomBeside(node, layout, w);
  const right = INSIDE + (ended ? 4 : 0);
  const max = w - INSIDE - right - beside;
  const middle = tokenMiddle(node, layout, { x, w });
  pen.text(node.label, middle, first, { fill, bold, align: "center", max });
  if (pruned) {
    const reach = half(node, layout);
    pen.lines([[middle - reach, first + 1, middle + reach, first + 1]], { stroke: theme.quiet, width: 1.5 });
  }
  if (layout.tall) pen.text(score, middle, y + h * LOWER, { ...scoreStyle, align: "center", max });
  if (beside) pen.text(score, x + w - right, first, { ...scoreStyle, align: "right" });
}

// The width of the score beside the token.
function roomBeside(node: Candidate, layout: Layout, w: number) {
  return !layout.tall && w > NODE_ALONE ? textWidth(scoreText(node.score), READABLE, true) + INSIDE : 0;
}

const tokenMiddle = (node: Candidate, layout: Layout, { x, w }: Pick<Box, "x" | "w">) => x + (w - roomBeside(node, layout, w)) / 2;

// Half the length of the strike-through of a pruned token.
const half = (node: Candidate, layout: Layout) => Math.min(textWidth(node.label, READABLE), layout.wide(-1) - 2 * INSIDE) / 2 + 3;

function heads(pen: Pen, { tree, layout, theme, step, guess, limit }: Scene, from: number, to: number, top: number) {
  const { columns, say } = tree;
  const { marks, forced } = tree.about;
  const signs = (["ahead", "parts", "pruned"] as const).map((name) => [marks[name], say(`mark_${name}`)] as const);
  if (top > 0) pen.box(layout.left(from) - 80, top, layout.left(to) - layout.left(from) + 160, HEAD, { fill: theme.surface });
  for (let at = from; at < Math.min(to, columns.length); at += 1) {
    const middle = layout.middle(at);
    const now = at === step;
    pen.text(now ? say("step_now", { step: at + 1 }) : String(at + 1), middle, top + 13, {
      bold: now,
      fill: now ? theme.accent : at < limit ? theme.ink : theme.quiet,
      align: "center",
    });
    if (at >= guess) continue;
    const mark = signs.find(([place]) => place === at)?.[1] ?? (forced.includes(at) ? say("mark_forced") : "");
    const ink = at === marks.ahead ? theme.output_text : theme.ink;
    if (mark) pen.text(mark, middle, top + 38, { bold: true, fill: ink, align: "center", max: PITCH - 4 });
  }
}
