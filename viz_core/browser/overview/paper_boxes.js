// The boxes and arrows of Figure 1 of the paper.

import { svgEl } from "../kit/dom.js";
import { ATTENTION_OF } from "../kit/operations.js";
import { BASELINE } from "../kit/pen.js";
import { RING, SUM, isNorm } from "./paper_plan.js";

const AROUND_SUM = 5; // px between a residual that arrives at a sum and the one that leaves it
const BEYOND = 14; // px from the boxes to the residuals beside them
const TIP = 4; // px between an arrow and what it leads to
const HEAD = "m-4 5l4 -5l4 5";

export function letters({ text }, words, x, y, anchor = "middle", more = {}) {
  return svgEl("text", { x, y: y + BASELINE * text, "font-size": text, "text-anchor": anchor, ...more }, words);
}

const wire = (d, more = "") => svgEl("path", { class: `wire ${more}`, d });

// What stands behind the boxes of a stack: the frame of a layer with how often it comes, the arrows up, the residuals
// round the sub-layers. times: such as "6 ×".
export function drawStack(at, stack, times) {
  const { frame, x, outward, boxes } = stack;
  const beside = outward < 0 ? frame.x - 10 : frame.x + frame.width + 10;
  const anchor = outward < 0 ? "end" : "start";
  const half = ({ kind }) =>
    kind === "sum" ? RING : ["tokens", "output"].includes(kind) ? at.text * 0.62 : at.box.height / 2;
  const up = boxes
    .slice(1)
    .map((box, below) => wire(`M${x} ${boxes[below].y - half(boxes[below])}V${box.y + half(box) + TIP}${HEAD}`));
  return [
    svgEl("rect", { ...frame, rx: 14, class: `lane ${stack.name}` }),
    letters(at, times, beside, frame.y + frame.height / 2, anchor, { "font-size": at.text + 4, "font-weight": 700 }),
    ...residuals(at, stack),
    ...up,
  ];
}

// Round each sub-layer, from before it to the sum behind it.
function residuals(at, { x, outward, boxes }) {
  const edge = x + (outward * at.box.width) / 2;
  let from = { x, y: boxes[SUM].y - RING - 6 };
  return boxes
    .filter(({ kind }) => kind.startsWith("add"))
    .map(({ y }) => {
      const end = `H${edge + outward * TIP}m${outward * 5} -4l${-outward * 5} 4l${outward * 5} 4`;
      const way = wire(`M${from.x} ${from.y}H${edge + outward * BEYOND}V${y + AROUND_SUM}${end}`);
      from = { x: edge, y: y - AROUND_SUM };
      return way;
    });
}

// The wave of the positional encoding, beside the sum. names: its name, in lines.
export function drawWave(at, { x: middle, outward, boxes }, names) {
  const { y } = boxes[SUM];
  const x = middle + outward * (at.box.width / 2 - TIP);
  const anchor = outward < 0 ? "end" : "start";
  const lineOf = (name, line) =>
    letters(at, name, x + outward * (RING + 7), y + (line - (names.length - 1) / 2) * at.text * 1.05, anchor, {
      class: "quiet",
    });
  return svgEl(
    "g",
    {},
    wire(`M${x - outward * RING} ${y}H${middle + outward * (RING + TIP)}`),
    svgEl("circle", { cx: x, cy: y, r: RING, class: "block" }),
    wire(`M${x - 8} ${y}q4 -10 8 0t8 0`),
    ...names.map(lineOf),
  );
}

// box: { kind, x, y }; name(room): its words, as many as fit. Returns { group, words, image, line }, of these what it has.
export function drawBox(at, { kind, block, x, y }, name) {
  const { width, height } = at.box;
  const frame = {
    x: x - width / 2,
    y: y - height / 2,
    width,
    height,
    rx: 6,
    class: isNorm(kind) ? "block thin" : "block",
  };
  const group = svgEl("g", { class: "vm-box" });
  if (kind === "sum") {
    group.append(
      svgEl("circle", { cx: x, cy: y, r: RING, class: "block" }),
      svgEl("path", { class: "plus", d: `M${x - 6} ${y}h12m-6 -6v12` }),
    );
    return { group };
  }
  if (kind === "tokens" || kind === "output") {
    const words = letters(at, "", x, y, "middle", { class: "token", "font-weight": kind === "output" ? 700 : 400 });
    group.append(words);
    return { group, words };
  }
  if (!ATTENTION_OF[block]) {
    const words = letters(at, name(width - 12), x, y, "middle", { class: isNorm(kind) ? "quiet" : "" });
    group.append(svgEl("rect", frame), words);
    return { group, words };
  }
  // An attention: its heads behind each other, with the weights of the one on display.
  const deck = [2, 1].map((by) => svgEl("rect", { ...frame, x: frame.x + by * 4, y: frame.y - by * 3 }));
  const place = { ...at.thumbnail, x: frame.x + 4, y: y - at.thumbnail.height / 2 };
  const image = svgEl("image", { class: "print", ...place, preserveAspectRatio: "none" });
  const line = svgEl("rect", { class: "row-now", ...place });
  const words = letters(at, name(width - place.width - 20), x + place.width / 2, y);
  group.append(...deck, svgEl("rect", frame), image, line, words);
  return { group, words, image, line };
}

// From the top of the encoder into cross attention, as its keys and values; its queries come from below.
export function memoryPath(at, name) {
  const { encoder, decoder, box, pitch } = at;
  const cross = decoder.boxes.find(({ kind }) => kind === "cross");
  const top = encoder.boxes.at(-1).y - box.height / 2;
  const over = top - pitch * 0.3;
  const between = (encoder.x + decoder.x) / 2;
  const below = cross.y + pitch / 2;
  const [k, v] = [-0.3, -0.18].map((part) => decoder.x + part * box.width);
  const into = (x) => `M${x} ${below}V${cross.y + box.height / 2 + TIP}${HEAD}`;
  const d = `M${encoder.x} ${top}V${over}H${between}V${below}H${v}${into(k)}${into(v)}`;
  const label = letters(at, name, (encoder.x + between) / 2, over - at.text * 0.75, "middle", { class: "quiet" });
  return svgEl("g", {}, wire(d, "strong"), svgEl("path", { d, class: "wide-wire" }), label);
}
