// Panel beside the matrix: the arithmetic of one cell, with one more line at each stage; and the query list of the neuron view.

import { render } from "preact";
import { useMemo } from "preact/hooks";
import type { Box, Pen } from "../../web/src/marks/mark";
import { nth } from "../../web/src/payload";
import { Sign } from "../../web/src/ui/elements";
import { el } from "../kit/dom";
import { fill, minus, percent } from "../kit/numbers";
import { STAGES } from "../kit/operations";
import { canvasPen, sizeCanvas, widestText } from "../kit/pen";
import { share } from "./selection";
import { type Attention, type CellAt, type Entry, MEAN, type Place, type Texts, cellOf } from "./data";
import type { Frame, NeuronsFrame } from "./picture";
import type { Size } from "./screen";
import { drawMix, drawParts, drawProduct } from "./vectors";

const MOST_PARTS = 10; // of a derived number that are listed
const MOST_HEADS = 16;
const PICK = 42; // px of a list's line
const CHROME = 46; // px of a list around its text
const ARROW = 30; // px between the two lists
const TABLE = 6 * 27 + 8; // px
const LEAST_PICTURE = 76; // px of the bars

type Cell = ReturnType<typeof cellOf>;
type Line = ReturnType<typeof lineOf>;
export type Part = [words: string, value: number];
/** A derived number: a mean with its heads, or words with their tokens. */
export type PartsPanel = { kind: "parts"; parts: Part[]; total: Part; weights: boolean; limit: number };
export type Panel = { kind: "cell"; at: CellAt; rows: Line[] } | PartsPanel;

// The panel's content for a cell.
export function panelOf({ data, selection, view, texts }: Frame, [row, column]: Place, exact: Partial<Cell> | null): Panel {
  const queries = nth(selection.rows, row).tokens;
  const keys = nth(selection.columns, column).tokens;
  const { layer, head } = view;
  const mean = view.show === "mean";
  if (!mean && !selection.words) {
    const at = { layer, head, query: queries[0], key: keys[0] };
    return { kind: "cell", at, rows: linesOf(data, texts, { ...cellOf(data, at), ...exact }) };
  }
  const over = (ofHead: number, some: number[]) => share(data.values(layer, ofHead, selection.stage), data.columns, queries, some);
  const heads = () =>
    Array.from({ length: data.heads }, (_, index): Part => [fill(texts.head, { head: index + 1 }), over(index, keys)]);
  const tokens = () => keys.map((key): Part => [nth(data.about.columns, key), over(head, [key])]);
  const parts = mean ? heads() : tokens();
  return {
    kind: "parts",
    parts: parts.slice(0, mean ? MOST_HEADS : MOST_PARTS),
    total: mean ? [texts.total_mean, over(MEAN, keys)] : [texts.total_words, over(head, keys)],
    weights: selection.weights,
    limit: selection.weights ? 1 : Math.max(1e-9, ...parts.map(([, value]) => Math.abs(value) || 0)),
  };
}

const lineOf = (stage: string, name: string, value: string, bold = false) => ({ stage, name, value, bold });

function linesOf(data: Attention, texts: Texts, { score, scaled, exp, total, weight, open }: Cell) {
  const mask = lineOf("mask", texts.line_mask, open ? texts.line_open : texts.line_closed);
  return [
    lineOf("scores", texts.line_score, minus(score)),
    lineOf("scaled", fill(texts.line_scaled, { d_k: data.width }), minus(scaled)),
    ...(data.about.kind === "masked" ? [mask] : []),
    lineOf("softmax", texts.line_exp, open ? minus(exp) : "0"),
    lineOf("softmax", texts.line_total, total ? minus(total) : "0"),
    lineOf("softmax", texts.line_weight, open ? percent(weight) : texts.masked, true),
  ];
}

const numbered = ({ place, label }: Entry) => `${place}  ${label}`;

// Draws the bars of a cell, or of the parts of a derived number.
export function drawNumbers(pen: Pen, frame: Frame, numbers: Panel, box: Box) {
  if (numbers.kind === "parts") drawParts(pen, numbers, frame, box);
  else (frame.view.stage === "mix" ? drawMix : drawProduct)(pen, frame, numbers.at, box);
}

type PickProps = { label: string; all: Entry[]; chosen: number; choose: (token: number) => void };

function Pick({ label, all, chosen, choose }: PickProps) {
  const names = all.map(numbered);
  const options = useMemo(
    () => all.map(({ tokens: [token] }, at) => <option key={token} value={token} children={names[at]} />),
    [names.join("\n")],
  );
  return (
    <select aria-label={label} value={chosen} onChange={({ currentTarget: { value } }) => choose(Number(value))}>
      {options}
    </select>
  );
}

// pick: locks a cell.
export function mountPanel(texts: Texts, pick: (query: number, key: number) => void) {
  const element = el("aside", { class: "side", "aria-label": texts.panel });
  const paint = (frame: Frame, numbers: Panel, [row, column]: Place, { w, h, zoom }: Size) => {
    const { selection, view, marks } = frame;
    const { rows, columns, there, thereColumns } = selection;
    const [query, key] = [nth(rows, row).tokens[0], nth(columns, column).tokens[0]];
    // The lists are side by side, each as wide as its text needs, or stacked if they do not fit.
    const longest = (all: Entry[]) => CHROME + widestText(all.map(numbered), false);
    const [first, second] = [longest(rows), longest(columns)];
    const isStacked = first + second + ARROW > w;
    const isCell = numbers.kind === "cell";
    element.toggleAttribute("data-locked", marks.locked ?? false);
    render(
      <>
        <div class={isStacked ? "pick stacked" : "pick"} style={{ "--share": `minmax(0, ${first}fr) auto minmax(0, ${second}fr)` }}>
          <div class="of-q">
            <Pick label={texts.pick_query} all={rows.slice(0, there)} chosen={query} choose={(other) => pick(other, key)} />
          </div>
          <span aria-hidden>→</span>
          <div class="of-k">
            <Pick label={texts.pick_key} all={columns.slice(0, thereColumns)} chosen={key} choose={(other) => pick(query, other)} />
          </div>
        </div>
        <div class="vectors">
          <canvas role="img" aria-label={texts[isCell ? (view.stage === "mix" ? "alt_mix" : "alt_product") : "alt_parts"]} />
        </div>
        {isCell && <Lines lines={numbers.rows} stage={view.stage} />}
      </>,
      element,
    );
    const high = Math.max(LEAST_PICTURE, h - (isStacked ? 2 * PICK : PICK) - 4 - (isCell ? TABLE : 0));
    const context = sizeCanvas(element.querySelector("canvas") as HTMLCanvasElement, w, high, zoom);
    context.clearRect(0, 0, w, high);
    drawNumbers(canvasPen(context), frame, numbers, { x: 0, y: 0, w, h: high });
  };
  return { element, paint };
}

// The lines of the arithmetic. Lines not reached yet keep their place, so that nothing jumps.
function Lines({ lines, stage }: { lines: Line[]; stage: string }) {
  const now = STAGES.indexOf(stage);
  const kindOf = (line: Line) =>
    [STAGES.indexOf(line.stage) > now && "later", line.stage === stage && "now", line.bold && "result"].filter(Boolean).join(" ");
  return (
    <table class="lines">
      <tbody>
        {lines.map((line, at) => (
          <tr key={at} class={kindOf(line)}>
            <th scope="row">{line.name}</th>
            <td>{line.value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

// The query list of the neuron view. pick: selects another query.
export function mountQuery(texts: Texts, pick: (row: number) => void) {
  const element = el("div", { class: "query pick", hidden: true });
  const paint = (frame: Frame) => {
    element.hidden = !isNeurons(frame);
    if (!isNeurons(frame)) return;
    const { selection, layout, focusedRow } = frame;
    const all = selection.rows.slice(0, selection.there).map((entry, at): Entry => ({ ...entry, tokens: [at] }));
    const arrow = (name: string, to: number) => (
      <Sign named={texts[`long_${name}`] ?? ""} words={texts[name]} disabled={!all[to]} act={() => pick(to)} />
    );
    render(
      <>
        {arrow("query_back", focusedRow - 1)}
        <Pick label={texts.pick_query} all={all} chosen={focusedRow} choose={pick} />
        {arrow("query_on", focusedRow + 1)}
      </>,
      element,
    );
    const { box, query, labels } = layout;
    Object.assign(element.style, { left: `${box.x}px`, top: `${query.y}px`, width: `${labels - 6}px` });
  };
  return { element, paint };
}

const isNeurons = (frame: Frame): frame is NeuronsFrame => frame.form === "neurons";
