// Bars of the most probable tokens, and one for all others. At a new step, tokens slide to their new rank, rise out of the others or sink
// into them (see the style sheet); numbers change at once.

import { useEffect, useReducer, useRef } from "preact/hooks";
import { fill, percent, signed } from "../../../viz_core/browser/kit/numbers";
import { READABLE, clipped, textWidth, FAMILY } from "../../../viz_core/browser/kit/pen";
import { useSettled, useView } from "../../../viz_core/web/src/ui/part";
import { type Row, type Shown, texts } from "./data";

const MOVE = 250; // ms, as in the style sheet
// Widths of the columns, in px. On a phone the previous probability has no column, only its mark on the bar.
const WIDE = { rank: 62, label: 180, number: 104, numbers: 2, under: 0 };
const SLIM = { rank: 28, label: 88, number: 72, numbers: 1, under: 24 };
const SLIM_BELOW = 560;
const GAP = 12;
const HEAD = 20; // px above the rows for the heading of the last column; on a phone it is below the axis
const AXIS = 28; // px of the axis; on a phone its name is below it
const TICK = 84; // px for a number of the axis
const ROW: Record<string, number> = { 5: 34, 10: 23, 20: 22 }; // px of a row, by the number of bars
const LEAST_BAR = 14; // px of a bar's height
const LEAST_MARK = 2; // px from the edge, within which a mark would look like a line

// highlighted: index of a candidate.
export function Bars({ now, width, scale, highlighted, act }: BarsProps) {
  const { view, store } = useView();
  const settled = useSettled(now);
  const { theme } = store;
  const { bars, slides } = useSliding(now, theme.still);
  const at = layoutOf(now, width, view.top);
  const { x, left, right, height, bottom, foot, whole, top, ticks } = at;
  const pointed = (event: MouseEvent) => now.rows[Math.floor(yOf(event) / height)]?.index ?? null;
  const edge = (value: number) => (x(value) - left < 20 ? "start" : right - x(value) < 20 ? "end" : "middle");
  const svg = { ...sized(width, top + whole, scale, top), style: { "--bottom": `${bottom}px` } };
  return (
    <svg
      role="img"
      class={slides ? "bars slides" : "bars"}
      aria-label={settled ? inWords(settled) : undefined}
      {...svg}
      {...pointing(pointed, act)}>
      <g stroke={theme.line}>
        {ticks.map((value) => (
          <line key={value} x1={x(value)} x2={x(value)} y2={foot - AXIS} stroke-width={value === 0 ? 2 : 1} />
        ))}
      </g>
      <g>
        {bars.map(({ row, place }) => (
          <Bar key={row.id} {...{ row, now, at, place, lit: highlighted === row.index }} />
        ))}
      </g>
      <Rest now={now} at={at} />
      <g fill={theme.quiet}>
        {ticks.map((value) => (
          <Words key={value} words={now.axis.text(value)} x={x(value)} y={foot - 8} anchor={edge(value)} />
        ))}
        <Words words={now.axisLabel} x={0} y={whole - 8} />
        <Words words={now.ghostLabel} x={width} y={at.isAbove ? -4 : whole - 8} anchor="end" />
      </g>
    </svg>
  );
}

interface BarsProps {
  now: Shown;
  width: number;
  scale: number; // at which it is shown
  highlighted: number | null;
  act: Pointed;
}

function inWords({ step, rows, rest, restLabel, entropy }: Shown) {
  const list = rows.map(({ label, p }) => `«${label}» ${percent(p)}`).join(", ");
  return fill(texts.picture, { step: step + 1, list, rest: restLabel, rest_percent: percent(rest.p), entropy });
}

function yOf({ clientY, currentTarget }: MouseEvent) {
  const svg = currentTarget as SVGSVGElement;
  const { top, height } = svg.getBoundingClientRect();
  return ((clientY - top) / height) * svg.viewBox.baseVal.height + svg.viewBox.baseVal.y;
}

interface Slid {
  row: Row;
  place?: number; // index from the top
  left?: number; // when it lost its place, in ms
}
const isSeen = ({ left = Infinity }: Slid) => performance.now() - left < MOVE;

// The rows in the order in which they entered, since a node that moves within the document cannot slide. Bars slide between steps of the
// same sentence; those that drop out stay for a moment without a place.
function useSliding(now: Shown, still = false) {
  const held = useRef({ now, slides: false, bars: [] as Slid[] });
  const [, again] = useReducer((count: number) => count + 1, 0);
  const { now: before, bars } = held.current;
  if (before !== now || !bars.length) {
    const slides = !still && before.of === now.of && before.step !== now.step;
    const places = new Map(now.rows.map((row, place) => [row.id, { row, place }]));
    const leave = ({ row, left = performance.now() }: Slid) => (slides ? [{ row, left }].filter(isSeen) : []);
    const old = bars.flatMap((bar): Slid | Slid[] => places.get(bar.row.id) ?? leave(bar));
    for (const { row } of old) places.delete(row.id);
    held.current = { now, slides, bars: [...old, ...places.values()] };
  }
  useEffect(() => {
    const timer = setTimeout(() => {
      held.current.bars = held.current.bars.filter(isSeen);
      again(0);
    }, MOVE);
    return () => clearTimeout(timer);
  }, [now]);
  return held.current;
}

type Layout = ReturnType<typeof layoutOf>;

function layoutOf({ rows, axis, axisLabel, ghostLabel }: Shown, width: number, count: string) {
  const height = ROW[count] as number;
  const isSlim = width < SLIM_BELOW;
  const columns = isSlim ? SLIM : WIDE;
  const bottom = rows.length * height + 4;
  const foot = bottom + height + AXIS;
  const [left, right] = [columns.rank + columns.label + GAP, width - columns.numbers * columns.number - GAP];
  const [least, most] = axis.limits;
  const [low, high] = [axis.place(least), axis.place(most)];
  const share = (value: number) => (axis.place(Math.min(Math.max(value, least), most)) - low) / (high - low);
  const x = (value: number) => left + share(value) * (right - left);
  // on a phone the mark's legend is above the rows only if it does not fit below
  const isAbove = !isSlim || textWidth(axisLabel, READABLE) + textWidth(ghostLabel, READABLE) + GAP > width;
  const ends = [axis.few[0] as number, axis.few.at(-1) as number];
  const fits = (ticks: number[]) => right - left >= ticks.length * TICK;
  return {
    ...{ columns, isSlim, width, height, bottom, foot, left, right, x, zero: x(0), isAbove },
    ticks: [axis.ticks, axis.few, ends].find(fits) ?? ends.slice(1),
    top: ghostLabel && isAbove ? HEAD : 0,
    whole: foot + columns.under,
    thick: Math.max(LEAST_BAR, Math.min(height - 5, 26)),
    base: height / 2 + 6, // of the base line in a row
  };
}

// place: index from the top; without one the bar sinks into the others.
function Bar({ row, now, at, place, lit }: { row: Row; now: Shown; at: Layout; place?: number; lit: boolean }) {
  const { theme } = useView().store;
  const { columns, width, height, right, thick, x, zero, base: y } = at;
  const show = now.logit ? signed : percent;
  const span = (value: number) => ({ x: Math.min(zero, x(value)), width: Math.abs(x(value) - zero) });
  const marked = Number.isFinite(row.mark); // NaN at the first step
  const before = span(marked ? row.mark : 0);
  const from = { "--x": `${before.x}px`, "--width": `${before.width}px` };
  const bar = { fill: row.typed ? theme.accent : theme.output, "fill-opacity": row.chosen || row.typed ? 1 : 0.53 };
  const high = { y: (height - thick) / 2, height: thick };
  const mark = { x: x(row.mark) - 2.5, y: high.y - 1, width: 5, height: thick + 2, rx: 1, "stroke-width": 1.5 };
  const isMarked = marked && Math.abs(x(row.mark) - zero) > LEAST_MARK;
  const strong = row.chosen || row.picked || row.typed;
  const typed = row.typed && { words: ` ${now.typedLabel}`, fill: theme.quiet };
  const room = columns.label - (typed ? textWidth(typed.words, READABLE) : 0);
  const label = { words: clipped(row.label, room, READABLE, strong), fill: row.picked ? theme.accent : theme.ink };
  const own = { words: show(row.value), fill: theme.ink, bold: row.chosen };
  return (
    <g class={place === undefined ? "row going" : "row"} {...moved(place === undefined ? at.bottom : place * height)}>
      <rect width={width} height={height} rx={5} fill={lit ? theme.panel : "none"} />
      <Words words={row.rankText} x={columns.rank - 6} y={y} fill={theme.quiet} anchor="end" />
      <Words {...label} x={columns.rank + 4} y={y} bold={strong} more={typed} />
      <rect class="bar" {...bar} {...high} {...span(row.value)} style={from} />
      {isMarked && <rect {...mark} fill={theme.quiet} stroke={theme.surface} />}
      <Words {...own} x={right + columns.number} y={y} anchor="end" />
      {marked && !at.isSlim && <Words words={show(row.mark)} x={width} y={y} fill={theme.quiet} anchor="end" />}
    </g>
  );
}

// A style, which can be animated, and an attribute, which every SVG program understands. (Bars animate their width: scaling them by a
// transform would make Chromium rasterize a huge layer and freeze the page.)
const moved = (y: number) => ({ transform: `translate(0 ${y})`, style: { "--y": `${y}px` } });

// All other tokens: their total probability, or the range of their logits with the mean.
function Rest({ now: { rest, logit, restLabel, restText }, at }: { now: Shown; at: Layout }) {
  const { theme } = useView().store;
  const { x, zero, height, thick, base: y } = at;
  const [from, to, thin] = logit ? [x(rest.low), x(rest.high), 8] : [zero, x(rest.p), thick];
  const mean = { x1: x(rest.mean), x2: x(rest.mean), y1: (height - thick) / 2, y2: (height + thick) / 2 };
  return (
    <g class="row rest" {...moved(at.bottom)}>
      <rect class="bar" x={from} width={to - from} y={(height - thin) / 2} height={thin} fill={theme.quiet} />
      {logit && <line {...mean} stroke={theme.quiet} stroke-width={4} />}
      <Words words={restLabel} x={0} y={y} fill={theme.quiet} />
      <Words words={restText} x={at.right + at.columns.number} y={y} fill={theme.ink} anchor="end" />
    </g>
  );
}

export const sized = (width: number, height: number, scale = 1, top = 0) => ({
  width: width * scale,
  height: height * scale,
  viewBox: `0 ${-top} ${width} ${height}`,
  "font-family": FAMILY,
  "font-size": READABLE,
});

interface WordsProps {
  words: string;
  x: number;
  y: number;
  fill?: string;
  bold?: boolean;
  anchor?: "start" | "middle" | "end";
  size?: number;
  more?: { words: string; fill: string } | false; // appended, never bold
}

export function Words({ words, bold, anchor, size, more, ...place }: WordsProps) {
  return (
    <text {...place} text-anchor={anchor} font-size={size} font-weight={bold ? 600 : undefined}>
      {words}
      {more && <tspan fill={more.fill} font-weight={400} children={more.words} />}
    </text>
  );
}

// Listeners that pick and highlight what the pointer is on. at(event): its index, or null.
export function pointing(at: (event: MouseEvent) => number | null, act: Pointed) {
  return {
    onClick(event: MouseEvent) {
      const index = at(event);
      if (index !== null) act.pick(index);
    },
    onPointerMove: (event: MouseEvent) => act.hover(at(event)),
    onPointerLeave: () => act.hover(null),
  };
}

export type Pointed = { pick: (index: number) => void; hover: (index: number | null) => void };
