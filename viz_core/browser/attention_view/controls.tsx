// The view's controls, the less common ones behind “More”, and the legend below the picture. The stages of the computation are in the
// player.

import { render } from "preact";
import { Button, Group } from "../../web/src/ui/elements";
import type { Store, View } from "../../web/src/ui/store";
import { toolbar } from "../kit/dom";
import { fill, percent, points } from "../kit/numbers";
import { possible } from "./selection";
import type { Texts } from "./data";
import type { patternOf } from "./reading";
import { type Ends, SCALE_BAR, drawScale, scaleWidth } from "../../web/src/marks/cells";
import type { Pen } from "../../web/src/marks/mark";
import { READABLE, canvasPen, sizeCanvas, textWidth } from "../kit/pen";
import { lineInk } from "./lines";
import type { Frame, GridFrame, LinesFrame } from "./picture";

const SHOW = ["one", "mean", "layer", "model"];
// name → field of the view, its value when off and when on
const SWITCHES = {
  lines: ["form", "matrix", "lines"],
  neurons: ["form", "matrix", "neurons"],
  words: ["unit", "tokens", "words"],
  log: ["scale", "linear", "log"],
  order: ["order", "sentence", "weight"],
  specials: ["specials", "show", "hide"],
} as const;

type Able = Partial<Record<keyof typeof SWITCHES, boolean>>;

interface Shown {
  canWhole: boolean;
  isWhole: boolean;
  pattern?: ReturnType<typeof patternOf>; // of the current head
}

interface Props extends Shown {
  texts: Texts;
  store: Store;
  view: View;
  may: Able;
  toggleWhole: () => void;
}

let isMore = false; // on all pages, once opened

function Controls({ texts, store, view, may, canWhole, isWhole, pattern, toggleWhole }: Props) {
  const named = (name: string) => ({ words: texts[name], title: texts[`long_${name}`] });
  const switches = Object.entries(SWITCHES) as [keyof Able, (typeof SWITCHES)[keyof Able]][];
  const isSet = switches.some(([, [field, , on]]) => view[field] === on);
  isMore ||= isSet; // an active switch is visible, and stays in place when it is switched off
  const more = () => {
    isMore = !isMore;
    store.repaint();
  };
  const words: string | undefined = pattern
    ? fill(texts[`pattern_${pattern.name}`] ?? "", { share: percent(pattern.share) })
    : undefined;
  return (
    <>
      <Group label={texts.show} class="group">
        {SHOW.map((show) => (
          <Button key={show} {...named(`show_${show}`)} aria-pressed={view.show === show} act={() => store.set({ show })} />
        ))}
      </Group>
      <Button {...named("more")} aria-expanded={isMore} hidden={isSet} act={more} />
      <div class="switches" hidden={!isMore}>
        {switches.map(([name, [field, off, on]]) => {
          const means = may[name] ?? true;
          const act = () => store.set({ [field]: store.view[field] === on ? off : on });
          return (
            <Button
              key={name}
              {...named(`switch_${name}`)}
              aria-pressed={means && view[field] === on}
              disabled={!means}
              act={act}
            />
          );
        })}
      </div>
      <p class="pattern" title={words} children={words} />
      <Button {...named("whole")} class="whole" aria-pressed={isWhole} hidden={!canWhole} act={toggleWhole} />
    </>
  );
}

// able: which switches apply to a view.
export function mountControls(texts: Texts, store: Store, toggleWhole: () => void, able: (view: View) => Able = possible) {
  const bar = toolbar(texts.options, { class: "bar options" });
  const paint = (view: View, shown: Shown) => {
    bar.hidden = view.lecture; // keeps the slide uncluttered
    render(<Controls {...{ texts, store, view, toggleWhole, ...shown }} may={able(view)} />, bar);
  };
  return { bar, paint };
}

// Legend below the picture: the colours of a matrix and its masked cells, or line widths.

const ROOM = { w: 240, masked: 100, later: 160, log: 50, points: 70, h: 30 }; // px of the canvas below the picture
const SAMPLE = 44; // px of a sample line
const BESIDE_SAMPLE = 8;
const BETWEEN_SAMPLES = 20;

// The neuron view has its scale in the picture and labels masked keys. room: px available for optional parts.
export function paintLegend(canvas: HTMLCanvasElement, frame: Frame, zoom: number, room: number) {
  const { selection, theme } = frame;
  const masked = hasMaskedCell(frame);
  canvas.hidden = frame.form === "neurons";
  if (canvas.hidden) return;
  const more =
    (masked ? ROOM.masked : 0) +
    (hasLaterRow(frame) && room > ROOM.w + ROOM.later ? ROOM.later : 0) +
    (selection.log ? ROOM.log : 0) +
    (selection.signed ? ROOM.points : 0);
  const w = showsLines(frame) ? Math.ceil(samplesWidth(frame)) : ROOM.w + more;
  const pen = canvasPen(sizeCanvas(canvas, w, ROOM.h, zoom));
  pen.box(0, 0, w, ROOM.h, { fill: theme.surface });
  drawLegend(pen, frame, { x: 0, w, middle: ROOM.h / 2 }, masked);
}

// Whether any masked cell is visible.
function hasMaskedCell({ selection: { stage, columns, there, thereColumns }, bitmap }: Frame) {
  const isSeen = (at: number) => Math.floor(at / columns.length) < there && at % columns.length < thereColumns;
  return !["scores", "scaled"].includes(stage) && bitmap.values.some((value, at) => Number.isNaN(value) && isSeen(at));
}

// Whether some rows are paler, see drawBitmap in cells.ts.
const hasLaterRow = ({ form, selection: { there, growing, guessing, rows } }: Frame) =>
  form !== "lines" && !growing && !guessing && there < rows.length;

// Whether lines are shown, with one colour, or two for the sign; their width is the value.
function showsLines(frame: Frame): frame is LinesFrame | GridFrame {
  return frame.form === "lines" || (frame.form === "grid" && frame.view.form === "lines");
}

type Line = { x: number; w: number; middle: number };

// Right-aligned in a box of width w. masked: whether a masked cell is visible; no line leads to one.
export function drawLegend(pen: Pen, frame: Frame, box: Line, masked: boolean) {
  if (showsLines(frame)) drawSamples(pen, frame, box);
  else drawColours(pen, frame, box, masked);
}

function drawColours(pen: Pen, frame: Frame, { x, w, middle }: Line, masked: boolean) {
  const { scale, selection, texts, theme } = frame;
  const { weights, signed, log } = selection;
  const scores: Ends = [`−${scale.high}`, String(scale.high)];
  const shares: Ends = [points(-scale.high, 0), `${points(scale.high, 0)} ${texts.points}`];
  const ends: Ends = weights ? [log ? percent(scale.low) : "0 %", "100 %"] : signed ? shares : scores;
  const from = x + w - scaleWidth(ends, SCALE_BAR.w);
  drawScale(pen, scale.table, ends, from, middle, theme, SCALE_BAR.w);
  if (!weights) {
    const zero = from + textWidth(ends[0], READABLE) + 8 + SCALE_BAR.w / 2;
    const reach = SCALE_BAR.h / 2 + 4;
    pen.lines([[zero, middle - reach, zero, middle + reach]], { stroke: theme.quiet, width: 1 });
  }
  let at = from;
  if (hasLaterRow(frame) && from - 18 - textWidth(texts.later, READABLE) >= x) {
    at = from - 18 - textWidth(texts.later, READABLE);
    pen.text(texts.later, at, middle, { fill: theme.quiet });
  }
  at -= 18 + textWidth(texts.masked, READABLE);
  if (!masked || at - 28 < x) return;
  pen.text(texts.masked, at, middle, { fill: theme.ink });
  pen.hatch(at - 28, middle - 10, 20, 20, { fill: theme.masked, stroke: theme.surface });
}

// Sample values, with their labels.
function samplesOf({ selection: { weights, signed, log }, scale, texts }: Frame): [value: number, words: string][] {
  if (weights) return (log ? [0.01, 0.1, 1] : [0.1, 0.5, 1]).map((value) => [value, `${100 * value} %`]);
  const values = [-scale.high, scale.high / 5, scale.high];
  if (!signed) return values.map((value) => [value, String(value).replace("-", "−")]);
  return values.map((value, at) => [value, points(value, 0) + (at === 2 ? ` ${texts.points}` : "")]);
}

function samplesWidth(frame: Frame) {
  const samples = samplesOf(frame);
  const words = samples.reduce((sum, [, label]) => sum + textWidth(label, READABLE), 0);
  return samples.length * (SAMPLE + BESIDE_SAMPLE + BETWEEN_SAMPLES) - BETWEEN_SAMPLES + words;
}

// Sample lines, as thick and opaque as those of the highlighted token.
function drawSamples(pen: Pen, frame: LinesFrame | GridFrame, { x, w, middle }: Line) {
  let left = x + w - samplesWidth(frame);
  for (const [value, words] of samplesOf(frame)) {
    pen.lines([[left, middle, left + SAMPLE, middle]], lineInk(frame, value));
    pen.text(words, left + SAMPLE + BESIDE_SAMPLE, middle, { fill: frame.theme.ink });
    left += SAMPLE + BESIDE_SAMPLE + textWidth(words, READABLE) + BETWEEN_SAMPLES;
  }
}
