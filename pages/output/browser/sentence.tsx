// The sentence written so far, with the next token in a dashed box; below the distribution, the probability of each token
// as a bar (a click goes to its step); and the whole picture as one SVG.

import { setAttributes, svgEl, svgText } from "../../../viz_core/browser/kit/dom";
import { fill, percentInList, shareInCell } from "../../../viz_core/browser/kit/numbers";
import { READABLE, clipped, ending, linesOf, textWidth } from "../../../viz_core/browser/kit/pen";
import { nth } from "../../../viz_core/web/src/payload";
import { useSettled, useView } from "../../../viz_core/web/src/ui/part";
import type { Theme } from "../../../viz_core/web/src/ui/store";
import { type Pointed, Words, pointing, sized } from "./bars";
import { type NextToken, type Share, type Shown, stepLabels, texts } from "./data";
import { type Pair, apart } from "../../../viz_core/web/src/marks/scale";

// px
const LARGE = 30;
const SMALL = 20;
const TALL = 44;
const FOOT = 32;
const PAD = 9;

interface Drawing {
  width: number;
  scale: number; // how many times larger it is shown
}

export function Sentence({ sentence, width, scale }: Drawing & Pick<Shown, "sentence">) {
  const { store } = useView();
  const settled = useSettled(sentence);
  const label = settled ? fill(texts.sentence, { before: settled.before || texts.nothing, token: settled.token }) : undefined;
  const { theme } = store;
  const { before, token, instead } = sentence;
  const tokenPlace = Math.min(textWidth(token, LARGE, true), width / 2);
  const otherPlace = instead ? textWidth(instead, SMALL) + 16 : 0;
  const written = before ? ending(before, width - tokenPlace - otherPlace - 2 * PAD - 6, LARGE) : texts.nothing;
  const size = before ? LARGE : SMALL;
  const start = textWidth(written, size) + (before ? 2 : 10);
  const box = { x: start, y: 3, width: tokenPlace + 2 * PAD, height: TALL - 6, rx: 9, "stroke-dasharray": "7 5" };
  const next = { words: clipped(token, width / 2, LARGE, true), x: start + PAD, fill: theme.ink, bold: true };
  return (
    <svg role="img" aria-label={label} {...sized(width, TALL, scale)}>
      <rect {...box} fill={`${theme.output}33`} stroke={theme.output} stroke-width={3} />
      <Words words={written} x={0} y={FOOT} size={size} fill={before ? theme.ink : theme.quiet} />
      <Words {...next} y={FOOT} size={LARGE} />
      <Words words={instead} x={start + tokenPlace + 2 * PAD + 14} y={FOOT} size={SMALL} fill={theme.quiet} />
    </svg>
  );
}

const AROUND = 16; // px
const LINE = 30; // px

// svgs: with their sizes in viewBox; line: a text below the first.
export function drawn(svgs: SVGElement[], line: string, theme: Theme) {
  const copies = svgs.map(copy);
  let y = AROUND;
  copies.forEach((svg, index) => {
    const [width, height] = sizeOf(svg);
    setAttributes(svg, { x: AROUND, y, width, height });
    y += height + (index ? 0 : LINE);
  });
  const [wide, high] = sizeOf(copies[0] as SVGElement);
  const place = { x: AROUND, y: AROUND + high + 20, textLength: textWidth(line, READABLE) };
  const style = { fill: theme.ink, lengthAdjust: "spacingAndGlyphs" };
  const [width, height] = [wide + 2 * AROUND, y + AROUND];
  const about = { ...sized(width, height), "xml:space": "preserve" };
  return svgText(width, height, theme.surface, about, ...copies, svgEl("text", { ...place, ...style }, line));
}

// A copy without motion: the attributes say where everything comes to rest. Texts keep their width, whatever fonts there are
// where the file is opened.
function copy(svg: SVGElement) {
  const clone = svg.cloneNode(true) as SVGElement;
  const copied = clone.querySelectorAll("text");
  svg.querySelectorAll("text").forEach((text, at) => {
    if (text.textContent)
      setAttributes(nth(copied, at), { textLength: text.getComputedTextLength(), lengthAdjust: "spacingAndGlyphs" });
  });
  for (const node of clone.querySelectorAll(".going")) node.remove();
  for (const node of [clone, ...clone.querySelectorAll("*")])
    setAttributes(node, { style: null, class: null, role: null, "aria-label": null });
  return clone;
}

const sizeOf = (svg: SVGElement) => svg.getAttribute("viewBox")?.split(" ").slice(2).map(Number) as [number, number];

// Heights, in px.
const TITLE = 24;
const NUMBERS = 20;
const BARS = 48;
const LABELS = 24; // one line of labels
const STEP = 22; // from one line of the title to the next
const BASE = TITLE + NUMBERS + BARS;
const HEIGHT = BASE + LABELS;

export function Steps({ nextToken, width, scale, act }: { nextToken: NextToken; act: Pointed } & Drawing) {
  const { view, store } = useView();
  const { theme } = store;
  const { given_target: isGiven } = nextToken.about;
  const shares = nextToken.overview(view.temperature);
  const title = texts[isGiven ? "steps_typed" : "steps"];
  const wide = width / shares.length;
  const lines = linesOf(title, (line) => textWidth(line, READABLE) <= width);
  const best = isGiven ? texts.best : "";
  const isFree = textWidth(lines.at(-1) ?? "", READABLE) + textWidth(best, READABLE) < width - 2 * PAD;
  const below = (lines.length - (isFree ? 1 : 0)) * STEP; // the line on which the legend stands
  const { shown, rows } = labelled(stepLabels(nextToken, view), wide, width, view.step);
  const at = (event: MouseEvent) => {
    const { left, width: whole } = (event.currentTarget as Element).getBoundingClientRect();
    const step = Math.floor(((event.clientX - left) / whole) * shares.length);
    return step in shares ? step : null;
  };
  const size = sized(width, HEIGHT + below + (rows - 1) * LABELS, scale);
  return (
    <svg role="img" class="steps" aria-label={title} {...size} {...pointing(at, act)}>
      {lines.map((words, line) => (
        <Words key={line} words={words} x={0} y={17 + line * STEP} fill={theme.quiet} />
      ))}
      <Words words={best} x={width} y={17 + below} anchor="end" fill={theme.output_text} />
      <g transform={`translate(0 ${below})`}>
        <line y1={BASE} x2={width} y2={BASE} stroke={theme.line} stroke-width={1} />
        {shares.map((share, step) => (
          <Column key={step} {...{ ...share, step, wide, width, isGiven, words: shown[step] ?? "", row: step % rows }} />
        ))}
      </g>
    </svg>
  );
}

interface ColumnProps extends Share {
  step: number;
  words: string;
  row: number; // the line of its label
  wide: number;
  width: number; // of all columns
  isGiven: boolean;
}

function Column({ p, best, same, step, words, row, wide, width, isGiven }: ColumnProps) {
  const { view, store } = useView();
  const { theme } = store;
  const lit = step === view.step;
  const middle = (step + 0.5) * wide;
  const size = Math.max(1, Math.min(wide * 0.76, 60));
  const left = middle - size / 2;
  const [high, top] = [p * BARS, BASE - best * BARS];
  const fitting = [percentInList(p), shareInCell(p)].find((text) => textWidth(text, READABLE) < wide);
  const share = fitting ?? (lit ? percentInList(p) : "");
  const back = { x: middle - wide / 2, y: TITLE, width: wide, height: HEIGHT - TITLE + row * LABELS, rx: 5 };
  const bar = { fill: isGiven ? theme.accent : theme.output, "fill-opacity": lit ? 1 : 0.5, stroke: lit ? theme.ink : undefined };
  // the highlighted number may reach over its neighbours
  const halo = { stroke: lit ? theme.panel : theme.surface, "stroke-width": 5, "paint-order": "stroke" };
  const number = { fill: lit ? theme.ink : theme.quiet, ...halo };
  // centred on the column, but inside the drawing
  const centred = (text: string) => {
    const half = textWidth(text, READABLE, true) / 2;
    return { words: text, x: Math.min(Math.max(middle, half), width - half), anchor: "middle" as const };
  };
  return (
    <g>
      <rect {...back} fill={lit ? theme.panel : "none"} />
      <rect x={left} y={BASE - high} width={size} height={high} {...bar} />
      {isGiven && !same && <line x1={left} x2={left + size} y1={top} y2={top} stroke={theme.output} stroke-width={4} />}
      <Words {...centred(share)} y={BASE - high - 5} {...number} />
      <Words {...centred(words)} y={BASE + 18 + row * LABELS} fill={lit ? theme.accent : theme.ink} bold={lit} />
    </g>
  );
}

// Labels that do not touch, alternating between two lines where one is too narrow: the highlighted step's first, then from the
// left all that still fit; the others are left out. rows: how many lines.
function labelled(labels: string[], wide: number, width: number, highlighted: number) {
  const cut: string[] = labels.map((text) => clipped(text, Math.max(wide * 3, 120), READABLE, true));
  const spans = cut.map((text, step): Pair => {
    const half = textWidth(text, READABLE, true) / 2;
    const middle = Math.min(Math.max((step + 0.5) * wide, half), width - half);
    return [middle - half - 4, middle + half + 4];
  });
  const rows = spans.some(([left], step) => left < (spans[step - 1]?.[1] ?? left)) ? 2 : 1;
  const line = (step: number) => (step % rows) * 2 * width; // each line stands beside the other
  const order = [highlighted, ...spans.keys()].filter((step) => step in spans); // the next sentence may have more steps
  const seen = apart(order, (step) => {
    const [left, right] = nth(spans, step);
    return [left + line(step), right + line(step)];
  });
  const named = new Set(seen.map(([step]) => step));
  return { shown: cut.map((text, step) => (named.has(step) ? text : "")), rows };
}
