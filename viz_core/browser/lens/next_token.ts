// The next token: its most probable candidates, the one that is written, and its way back into the decoder, which reads it at the next
// step.

import { stepOf, withOthers } from "../overview/data";
import type { Pen, Box } from "../../web/src/marks/mark";
import { nth } from "../../web/src/payload";
import { fill, percent, grouped, minus, number } from "../kit/numbers";
import { isEncoders } from "../kit/operations";
import { READABLE, textWidth } from "../kit/pen";
import { LEAST } from "./after";
import { rounded, drawFormula, formulaWidth } from "./ink";
import { along } from "./motion";
import { NEXT_TOKEN } from "./stacks";
import type { Scene } from "./scene";

const { above, toBar, bar, box } = NEXT_TOKEN;

// hidden: the word is to be guessed.
export function drawOutput(pen: Pen, { plan, theme, data, view, texts, hidden }: Scene) {
  const card = plan.output;
  if (card.w < LEAST.w || card.h < LEAST.h) return;
  const { bars, written } = stepOf(data, view.step);
  const all = withOthers(data, view.step);
  pen.text(texts.lens.next, card.x, card.y + 16, { bold: true, fill: theme.ink, max: card.w });
  const after = fill(texts.lens.after, { layers: data.depth.decoder });
  pen.text(after, card.x, card.y + 39, { fill: theme.quiet, max: card.w });
  const { chip, line } = listOf({ plan, data });
  all.forEach(([label, share], at) => {
    const isOthers = at === bars.length;
    const top = card.y + above + at * line;
    const isWritten = at === written && !hidden;
    const number = percent(share);
    const wide = textWidth(number, READABLE) + 8;
    const words = isOthers && textWidth(label, READABLE) > card.w - wide ? texts.others_short : label;
    const ink = isOthers ? theme.quiet : theme.ink;
    pen.text(hidden && !isOthers ? "?" : words, card.x, top + 9, { bold: isWritten, fill: ink, max: card.w - wide });
    if (!hidden) pen.text(number, card.x + card.w, top + 9, { fill: theme.ink, align: "right", bold: isWritten });
    const track = { x: card.x, y: top + toBar, w: card.w, h: bar };
    pen.path(rounded(track, 3), { fill: theme.panel });
    if (!hidden)
      pen.path(rounded({ ...track, w: Math.max(share * card.w, 2) }, 3), { fill: theme.output, alpha: isWritten ? 1 : 0.6 });
  });
  pen.path(rounded(chip, 10), { fill: theme.surface, stroke: theme.output, width: 3 });
  const words = hidden ? "?" : nth(data.output, view.step);
  pen.text(words, chip.x + chip.w / 2, chip.y + chip.h / 2, {
    size: 24,
    bold: true,
    fill: theme.output_text,
    align: "center",
    max: chip.w - 12,
  });
}

// The height of a list line, the same at every step, and the box of the written token below the list.
function listOf({ plan: { output }, data }: Pick<Scene, "plan" | "data">) {
  const line = Math.min(NEXT_TOKEN.line, (output.h - above - box - 24) / data.bars);
  return { line, chip: { x: output.x + 2, y: output.y + above + data.bars * line + 18, w: output.w - 4, h: box } };
}

// Behind the cards: the arrow from the last layer to the list, and the written token's way back to the row that reads it next.
export function drawWays(pen: Pen, scene: Scene) {
  const { plan, theme, block, data, view } = scene;
  if (isEncoders(block)) return;
  const isNext = block === "softmax" || (view.layer === data.depth.decoder - 1 && block !== "embedding");
  const tip = { x: plan.output.x - 3, y: plan.output.y + 16 };
  const way = [plan.after.x + plan.after.w, tip.y, tip.x - 7, tip.y];
  pen.lines([way], { stroke: theme.quiet, width: 2.5, dash: isNext ? undefined : [3, 3] });
  pen.path(`M${tip.x} ${tip.y}l-9 -5v10z`, { fill: theme.quiet });
  const back = wayBack(scene, scene.view.step + 1);
  if (!back) return;
  const { x, y, low, end: toX, to: toY } = back;
  const round = `M${x} ${y}V${low - 10}Q${x} ${low} ${x - 10} ${low}H${toX + 10}Q${toX} ${low} ${toX} ${low - 10}V${toY}`;
  pen.path(round, { stroke: theme.output, width: 2.5 });
}

// The written token's way to the row that reads it at step `to`: from x, y down to `low`, across to `end` and up to `to`; null after the
// last step.
function wayBack(scene: Scene, to: number) {
  const { plan, data } = scene;
  if (to >= data.T) return null;
  const { rows } = scene.stacks.decoder;
  const { chip } = listOf(scene);
  const low = plan.after.y + plan.after.h + 24;
  const x = chip.x + chip.w / 2;
  const end = plan.decoder.x + 30;
  return { x, y: chip.y + chip.h + 2, low, end, to: rows.middle(to) + rows.pitch / 2 - 2 };
}

// The written token on its way, at share t.
export function drawFlight(pen: Pen, scene: Scene, to: number, t: number) {
  const { theme, data } = scene;
  const back = wayBack(scene, to);
  if (!back) return;
  const corners: [number, number][] = [
    [back.x, back.y],
    [back.x, back.low],
    [back.end, back.low],
    [back.end, back.to],
  ];
  const { x, y } = along(corners, t);
  const words = nth(data.target, to);
  const wide = textWidth(words, 20, true) + 20;
  pen.path(rounded({ x: x - wide / 2, y: y - 16, w: wide, h: 32 }, 8), { fill: theme.surface, stroke: theme.output, width: 2 });
  pen.text(words, x, y, { size: 20, bold: true, fill: theme.output_text, align: "center" });
}

// The softmax as a table with a column for each operation: the logit, e to the logit, its share of the sum; in the last rows all other
// tokens together, and the sum.

const LINE = { least: 22, most: 40 }; // px of a row
const GAP = { least: 8, most: 34 }; // px between two columns
const BAR = 14; // px of a bar's height
const BESIDE = 10; // px of the gap beside it
const LONGEST = 150; // px of its length
const MARK = 10; // px for the mark of the written token

type Row = { cells: string[]; isWritten?: boolean; isQuiet?: boolean; isSum?: boolean };

// hidden: the written token is to be guessed.
export function drawSoftmax(pen: Pen, { data, theme, texts, view, hidden }: Scene, box: Box) {
  const { bars, written, log_sum: log } = stepOf(data, view.step);
  const sum = Math.exp(log);
  const left = bars.reduce((rest, [, , , logit]) => rest - Math.exp(logit), sum);
  const others = Math.max(left, 0);
  const word = (name: string) => texts.terms[`softmax_${name}`] ?? "";
  const most = Math.max(...bars.map(([, , , logit]) => Math.abs(logit)));
  const head = ["token", "logit", "power", "share"].map(word);
  const rows: Row[] = bars.map(([label, share, , logit], at) => ({
    cells: [hidden ? "?" : label, minus(logit), number(Math.exp(logit)), percent(share)],
    isWritten: at === written && !hidden,
  }));
  const rest = fill(word("others"), { count: grouped(data.vocabulary - bars.length) });
  rows.push({ cells: [rest, "", number(others), percent(others / sum)], isQuiet: true });
  rows.push({ cells: [word("sum"), "", number(sum), percent(1)], isSum: true });
  const line = Math.min(LINE.most, Math.max(LINE.least, box.h / (rows.length + 2.6)));
  const wide = head.map((name, column) =>
    Math.max(formulaWidth(name), ...rows.map(({ cells }) => formulaWidth(cells[column] ?? "", undefined, true))),
  );
  const x = box.x + MARK + 6;
  const own = wide.reduce((all, px) => all + px, MARK + 6);
  const gap = Math.min(Math.max((box.w - own) / (wide.length - 1), GAP.least), GAP.most);
  const needed = own + wide.length * gap;
  const bar = Math.max(0, Math.min((box.w - needed - 2 * gap) / 2, LONGEST)); // for logits and for shares
  const after = [0, bar && bar + BESIDE, 0, 0];
  const rights = wide.map((_, column) =>
    wide.slice(0, column + 1).reduce((all, px, before) => all + px + gap + (before < column ? nth(after, before) : 0), x - gap),
  );
  const right = (column: number) => nth(rights, column);
  const put = (cells: string[], y: number, style: { fill: string; bold?: boolean | undefined }) =>
    cells.forEach((cell, column) => {
      const at = column ? right(column) : x;
      drawFormula(pen, cell, at, y, { ...style, align: column ? "right" : "left" });
    });
  put(head, box.y + line / 2, { fill: theme.quiet });
  rows.forEach(({ cells, isWritten, isQuiet, isSum }, at) => {
    const y = box.y + (at + 1.5) * line;
    if (isWritten) pen.box(box.x, y - line / 2 + 3, 5, line - 6, { fill: theme.output });
    if (isSum) {
      const top = y - line / 2;
      pen.lines([[x, top, right(3), top]], { stroke: theme.ink, width: 1.5 });
    }
    const candidate = bars[at];
    if (candidate && bar) {
      const [, share, , logit] = candidate;
      const ink = { fill: isWritten ? theme.output : theme.masked };
      pen.box(right(1) + BESIDE, y - BAR / 2, Math.max((Math.max(logit, 0) / most) * bar, 1), BAR, ink);
      pen.box(right(3) + BESIDE, y - BAR / 2, Math.max(share * bar, 1), BAR, ink);
    }
    put(cells, y, { fill: isQuiet ? theme.quiet : theme.ink, bold: isWritten });
  });
  if (hidden) return;
  const [label, share, , logit] = nth(bars, written);
  const numbers = { logit: minus(logit), power: number(Math.exp(logit)), sum: number(sum), share: percent(share) };
  const worked = `«${label}»:  ${fill(word("line"), numbers)}`;
  drawFormula(pen, worked, box.x, box.y + (rows.length + 1.9) * line, { fill: theme.ink, size: 20, bold: true, max: box.w });
}
