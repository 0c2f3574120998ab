// The two stacks beside the block in focus: their tokens, and the vectors that enter this layer or leave the encoder, from which
// the lines of keys and queries start.

import type { Box, Pen } from "../../web/src/marks/mark";
import { apart } from "../../web/src/marks/scale";
import { CELLS, READABLE, textWidth, widestText } from "../kit/pen";
import type { Stack } from "../overview/data";
import { drawPicture, rounded, swing, vectorPicture } from "./ink";
import { type Rows, rowsOf } from "./plan";
import type { Given, Scene } from "./scene";

export type StackPlan = ReturnType<typeof stackPlan>;

const PAD = 12;
const STRIP = { least: 26, most: 46 }; // px of a vector's picture
const FAN_FROM = 215; // px of a card with room for the masked attention
const LONGEST = 120; // px of a token
const LEAST_LETTERS = 12; // px of letters in narrow rows

// The vectors that a stack shows beside its tokens: the memory, once the decoder reads it, else this layer's input.
function vectorOf({ data, block, view }: Scene, stack: Stack, isMemory: boolean) {
  const layer = block === "embedding" ? 0 : block === "softmax" ? data.depth[stack] : view.layer;
  const side = stack === "encoder" ? "source" : "target";
  const { memory = 1, input = 1, stream = 1 } = data.limits;
  if (isMemory) return { name: "memory", row: (at: number) => data.vector("memory", at), limit: memory };
  if (!layer) return { name: `${side}_input`, row: (at: number) => data.vector(`${side}_input`, at), limit: input };
  const name = `${stack}_stream`;
  return { name: `${name} ${layer}`, row: (at: number) => data.vector(name, layer - 1, at), limit: stream };
}

// Places the parts of a stack. label: px at which the tokens end; exit: px at which lines start.
export function stackPlan({ data, plan, block }: Given, stack: Stack) {
  const box = plan[stack];
  const labels = stack === "encoder" ? data.source : data.target;
  const isMemory = stack === "encoder" && !block.startsWith("encoder") && block !== "embedding";
  const width = Math.min(Math.max(STRIP.least, box.w * 0.2), STRIP.most);
  const right = box.x + box.w - PAD;
  const wanted = Math.min(widestText(labels) + 4, LONGEST, box.w - width - 2 * PAD - 8);
  const hasFan = stack === "decoder" && block === "cross" && box.w >= FAN_FROM;
  const label = hasFan ? box.x + PAD + wanted : right - width - 8;
  const rows = rowsOf(box, labels.length, label);
  const strip = { x: hasFan ? rows.label + 8 : right - width, w: hasFan ? Math.min(width, 30) : width };
  const fan = hasFan ? { x: strip.x + strip.w + 2, end: right } : null;
  return { rows, labels, label: rows.label, room: rows.label - box.x - PAD, strip, fan, exit: right, isMemory };
}

export function drawLane(pen: Pen, scene: Scene, stack: Stack) {
  const { theme, plan, view, texts, current } = scene;
  const box = plan[stack];
  const shown = scene.stacks[stack];
  const { rows, labels, label, room, strip, isMemory } = shown;
  const written = stack === "decoder" ? view.step + 1 : labels.length;
  pen.path(rounded(box, 12), { fill: theme[stack] });
  const name = texts[stack];
  pen.text(name, box.x + PAD, box.y + 16, { bold: true, fill: theme.ink, max: box.w - 2 * PAD });
  const note = isMemory ? texts.name.memory : texts.lens.input;
  const free = box.w - 2 * PAD - textWidth(name, READABLE, true) - 10;
  if (textWidth(note, READABLE) <= free) pen.text(note, box.x + box.w - PAD, box.y + 16, { fill: theme.quiet, align: "right" });
  const now = current[stack];
  if (now !== null && now < labels.length) {
    const band = { x: box.x + 5, y: rows.middle(now) - rows.pitch / 2 + 1, w: box.w - 10, h: rows.pitch - 2 };
    pen.path(rounded(band, 6), { fill: theme.accent, alpha: theme.dark ? 0.18 : 0.12 });
  }
  const { name: key, row, limit } = vectorOf(scene, stack, isMemory);
  const weights = scene.weights?.[stack] ?? [];
  const order = [...labels.keys()].sort((a, b) => Number(b === now) - Number(a === now) || (weights[b] ?? 0) - (weights[a] ?? 0));
  const letters = rows.pitch >= LEAST_LETTERS ? 0 : READABLE - 1; // px that each label needs
  const seen = new Set(apart(order, (at) => [at * rows.pitch, at * rows.pitch + letters]).map(([at]) => at));
  const high = Math.max(rows.pitch - (rows.pitch > 12 ? 6 : 1), 1);
  const thick = Math.max(rows.pitch / 2, 1); // px of a vector, as in the flow
  labels.forEach((words, at) => {
    const middle = rows.middle(at);
    if (at >= written) {
      placeToCome(pen, scene, { x: label - room, y: middle - high / 2, w: room, h: high }, at === written);
      return;
    }
    if (seen.has(at)) {
      const bold = at === now || scene.hot?.[stack] === at;
      const size = Math.min(rows.letters, Math.max(rows.pitch - 1, LEAST_LETTERS));
      pen.text(words, label, middle, { size, bold, fill: theme.ink, align: "right", max: room });
    }
    const about = `${scene.version} ${key} ${at} ${theme.surface}`;
    const picture = vectorPicture(about, row(at).subarray(0, CELLS), CELLS, limit, theme.diverging);
    drawPicture(pen, picture, { x: strip.x, y: middle - thick / 2, w: strip.w, h: thick });
  });
  if (shown.fan) drawFan(pen, scene, rows, shown.fan);
}

function placeToCome(pen: Pen, { theme }: Scene, box: Box, isNext: boolean) {
  if (box.h < 6) return;
  const ink = isNext ? { stroke: theme.output, width: 2 } : { stroke: theme.line, width: 1 };
  pen.path(rounded({ ...box, y: box.y + 1, h: box.h - 2 }, 5), { ...ink, dash: [5, 4] });
}

// This layer and head's masked attention in small: from key to query.
function drawFan(pen: Pen, { data, theme, view }: Scene, rows: Rows, fan: { x: number; end: number }) {
  const { step, layer, head } = view;
  for (let query = 0; query <= step; query += 1) {
    data.weights("masked", layer, head, query).forEach((weight, key) => {
      if (weight < 0.02) return;
      const alpha = (query === step ? 1 : 0.3) * Math.min(1, 0.25 + weight);
      const line = swing(fan.x, rows.middle(key), fan.end, rows.middle(query));
      pen.path(line, { stroke: query === step ? theme.weight : theme.quiet, width: 0.8 + 3.5 * weight, alpha });
    });
  }
}
