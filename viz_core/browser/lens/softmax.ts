// The softmax as a table with a column for each operation: the logit, e to the logit, its share of the sum; in the last rows all other
// tokens together, and the sum.

import { stepOf } from "../overview/data";
import type { Box, Pen } from "../../web/src/marks/mark";
import { nth } from "../../web/src/payload";
import { fill, grouped, minus, number, percent } from "../kit/numbers";
import { drawFormula, formulaWidth } from "./ink";
import type { Scene } from "./scene";

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
