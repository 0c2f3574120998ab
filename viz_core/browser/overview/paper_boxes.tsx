// The boxes and arrows of the paper's Figure 1, and their layout in px.

import type { SVGAttributes } from "preact";
import { ATTENTION_OF } from "../kit/operations";
import { BASELINE } from "../kit/pen";
import { nth } from "../../web/src/payload";
import type { Overview, Stack as StackName } from "./data";

const AROUND_SUM = 5; // px between a residual line that arrives at a sum and the one that leaves it
const BEYOND = 14; // px from the boxes to the residual lines beside them
const TIP = 4; // px between an arrow and its target
const HEAD = "m-4 5l4 -5l4 5"; // an arrow's head

export type Plan = ReturnType<typeof paperPlan>;
export type Stack = Plan["encoder"];
export type Place = Stack["boxes"][number];

interface LettersProps extends SVGAttributes<SVGTextElement> {
  at: Plan;
  words: string;
  x: number;
  y: number;
}

// y: middle of the line.
export const Letters = ({ at: { text }, words, y, ...more }: LettersProps) => (
  <text text-anchor="middle" font-size={text} {...more} y={y + BASELINE * text} children={words} />
);

const Wire = ({ d, kind = "" }: { d: string; kind?: string }) => <path class={`wire ${kind}`} d={d} />;

// Behind the boxes of a stack: the frame of a layer with its number of repetitions (times, such as "6 ×"), the arrows upwards, and the
// residual connections around the sub-layers.
export function Frame({ at, stack, times }: { at: Plan; stack: Stack; times: string }) {
  const { name, frame, x, outward, boxes } = stack;
  const beside = outward < 0 ? frame.x - 10 : frame.x + frame.width + 10;
  const half = ({ kind }: Place) =>
    kind === "sum" ? RING : ["tokens", "output"].includes(kind) ? at.text * 0.62 : at.box.height / 2;
  const bold = { "font-size": at.text + 4, "font-weight": 700 };
  return (
    <>
      <rect {...frame} rx={14} class={`lane ${name}`} />
      <Letters at={at} words={times} x={beside} y={frame.y + frame.height / 2} text-anchor={anchorOf(stack)} {...bold} />
      {residuals(at, stack).map((d) => (
        <Wire key={d} d={d} />
      ))}
      {boxes.slice(1).map((box, below) => {
        const from = boxes[below] as Place;
        return <Wire key={box.row} d={`M${x} ${from.y - half(from)}V${box.y + half(box) + TIP}${HEAD}`} />;
      })}
    </>
  );
}

const anchorOf = ({ outward }: Stack) => (outward < 0 ? "end" : "start");

// A path around each sub-layer, from its input to the sum after it.
function residuals(at: Plan, { x, outward, boxes }: Stack) {
  const edge = x + (outward * at.box.width) / 2;
  let from = { x, y: (boxes[SUM] as Place).y - RING - 6 };
  return boxes
    .filter(({ kind }) => kind.startsWith("add"))
    .map(({ y }) => {
      const end = `H${edge + outward * TIP}m${outward * 5} -4l${-outward * 5} 4l${outward * 5} 4`;
      const d = `M${from.x} ${from.y}H${edge + outward * BEYOND}V${y + AROUND_SUM}${end}`;
      from = { x: edge, y: y - AROUND_SUM };
      return d;
    });
}

// The wave of the positional encoding beside the sum. names: the lines of its name.
export function Wave({ at, stack, names }: { at: Plan; stack: Stack; names: string[] }) {
  const { x: middle, outward, boxes } = stack;
  const { y } = boxes[SUM] as Place;
  const x = middle + outward * (at.box.width / 2 - TIP);
  const first = y - ((names.length - 1) / 2) * at.text * 1.05;
  const name = { at, x: x + outward * (RING + 7), "text-anchor": anchorOf(stack), class: "quiet" } as const;
  return (
    <>
      <Wire d={`M${x - outward * RING} ${y}H${middle + outward * (RING + TIP)}`} />
      <circle cx={x} cy={y} r={RING} class="block" />
      <Wire d={`M${x - 8} ${y}q4 -10 8 0t8 0`} />
      {names.map((words, line) => (
        <Letters key={words} words={words} {...name} y={first + line * at.text * 1.05} />
      ))}
    </>
  );
}

interface BoxProps {
  at: Plan;
  place: Place;
  name: (room: number) => string; // the name, shortened to fit
  picture?: { href: string; row: { y?: number; height: number } }; // an attention's weights, and the step's row
}

export function Box({ at, place: { kind, block, x, y }, name, picture }: BoxProps) {
  const { width, height } = at.box;
  const frame = { x: x - width / 2, y: y - height / 2, width, height, rx: 6, class: isNorm(kind) ? "block thin" : "block" };
  if (kind === "sum")
    return (
      <>
        <circle cx={x} cy={y} r={RING} class="block" />
        <path class="plus" d={`M${x - 6} ${y}h12m-6 -6v12`} />
      </>
    );
  if (kind === "tokens" || kind === "output")
    return <Letters at={at} words={name(width)} x={x} y={y} class="token" font-weight={kind === "output" ? 700 : 400} />;
  if (!(ATTENTION_OF[block] && picture))
    return (
      <>
        <rect {...frame} />
        <Letters at={at} words={name(width - 12)} x={x} y={y} class={isNorm(kind) ? "quiet" : undefined} />
      </>
    );
  // An attention: stacked cards for its heads, with the weights of the current one.
  const { thumbnail } = at;
  const image = { ...thumbnail, x: frame.x + 4, y: y - thumbnail.height / 2 };
  const { row } = picture;
  return (
    <>
      <rect {...frame} x={frame.x + 8} y={frame.y - 6} />
      <rect {...frame} x={frame.x + 4} y={frame.y - 3} />
      <rect {...frame} />
      <image class="print" {...image} href={picture.href} preserveAspectRatio="none" />
      <rect class="row-now" {...image} y={image.y + (row.y ?? 0)} height={row.height} />
      <Letters at={at} words={name(width - thumbnail.width - 20)} x={x + thumbnail.width / 2} y={y} />
    </>
  );
}

// The arrow from the encoder's top into cross attention, for its keys and values; the queries come from below.
export function Memory({ at, name }: { at: Plan; name: string }) {
  const { encoder, decoder, box, pitch } = at;
  const cross = decoder.boxes.find(({ kind }) => kind === "cross") as Place;
  const top = (encoder.boxes.at(-1) as Place).y - box.height / 2;
  const over = top - pitch * 0.3;
  const between = (encoder.x + decoder.x) / 2;
  const below = cross.y + pitch / 2;
  const [k, v] = [-0.3, -0.18].map((part) => decoder.x + part * box.width);
  const into = (x?: number) => `M${x} ${below}V${cross.y + box.height / 2 + TIP}${HEAD}`;
  const d = `M${encoder.x} ${top}V${over}H${between}V${below}H${v}${into(k)}${into(v)}`;
  return (
    <>
      <Wire d={d} kind="strong" />
      <path d={d} class="wide-wire" />
      <Letters at={at} words={name} x={(encoder.x + between) / 2} y={over - at.text * 0.75} class="quiet" />
    </>
  );
}

// The layout.

const SUB_LAYERS = {
  encoder: { pre: ["norm", "self", "add_then_norm", "encoder_ffn", "add"], post: ["self", "add_norm", "encoder_ffn", "add_norm"] },
  decoder: {
    pre: ["norm", "masked", "add_then_norm", "cross", "add_then_norm", "ffn", "add"],
    post: ["masked", "add_norm", "cross", "add_norm", "ffn", "add_norm"],
  },
}; // bottom to top; the place of the norms depends on the model and may differ from the paper
const BEFORE = ["tokens", "embedding", "sum"];
const HIGHEST_ROW = 58;
const WIDEST_BOX = 330;
const FRAME = 22; // px around the boxes of a layer
export const RING = 11; // px, radius of the sum and of the wave
const SUM = BEFORE.indexOf("sum");

const LEADS_TO: Record<string, string> = {
  tokens: "embedding",
  embedding: "embedding",
  sum: "embedding",
  self: "encoder",
  masked: "masked",
  cross: "cross",
  encoder_ffn: "encoder_ffn",
  ffn: "ffn",
  linear: "softmax",
  softmax: "softmax",
  output: "softmax",
};
// The block that a box opens: for a sum the sub-layer that writes into it, for a norm the one that reads it.
function blockOf(stack: StackName, kinds: string[], at: number) {
  const kind = nth(kinds, at);
  if (LEADS_TO[kind]) return LEADS_TO[kind];
  if (kind === "norm_end") return stack === "encoder" ? "memory" : "softmax";
  if (kind === "norm") return `${LEADS_TO[nth(kinds, at + 1)]}_qkv`;
  const written = LEADS_TO[nth(kinds, at - 1)] ?? "";
  return written.endsWith("ffn") ? written : `${written}_out`;
}

export const isNorm = (kind: string) => kind.startsWith("add") || kind.startsWith("norm");

/** hasEnd: by stack, whether a final norm ends it; text: font size in px; bars: number of bars. */
interface Wanted extends Pick<Overview, "norm">, Record<"width" | "height" | "text" | "bars", number> {
  hasEnd: Overview["final_norm"];
}

export function paperPlan({ width, height, text, norm, hasEnd, bars }: Wanted) {
  const rows = BEFORE.length + SUB_LAYERS.decoder[norm].length + (hasEnd.decoder ? 4 : 3);
  const pitch = Math.min(height / (rows + 0.2), HIGHEST_ROW);
  const box = { width: Math.min(width * 0.243, WIDEST_BOX), height: pitch * 0.74 };
  const y = (row: number) => height - (row + 0.55) * pitch;

  const stackOf = (name: StackName, left: number, after: string[]) => {
    const layer = SUB_LAYERS[name][norm];
    const kinds = [...BEFORE, ...layer, ...(hasEnd[name] ? ["norm_end"] : []), ...after];
    const x = left + box.width / 2;
    const top = y(BEFORE.length + layer.length - 1) - pitch / 2;
    return {
      name,
      x,
      outward: name === "encoder" ? -1 : 1, // towards the edge of the picture, where residuals run
      boxes: kinds.map((kind, row) => ({ kind, row, block: blockOf(name, kinds, row), x, y: y(row) })),
      frame: { x: left - FRAME, y: top, width: box.width + 2 * FRAME, height: layer.length * pitch },
    };
  };

  const encoder = stackOf("encoder", width * 0.115, []);
  const decoder = stackOf("decoder", width * 0.42, ["linear", "softmax", "output"]);
  const label = Math.min(150, width * 0.12);
  const from = decoder.x + box.width / 2 + 50 + label;
  const lines = Array.from({ length: bars }, (_, at) => y(decoder.boxes.length - 1) + at * Math.min(pitch, 30));
  return {
    ...{ width, height, text, pitch, box, encoder, decoder },
    thumbnail: { width: (box.height - 6) * 1.6, height: box.height - 6 },
    bars: { lines, from, label, track: { x: from + 8, width: Math.max(width - from - 100, 30) } },
  };
}
