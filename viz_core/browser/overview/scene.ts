// What stands behind the rows of the overview and does not change with the step: lanes, the current layer in front of the
// others, the blocks with their heads, the lines between the stacks.

import { nth } from "../../web/src/payload";
import { setAttributes, setText, svgEl } from "../kit/dom";
import { fill } from "../kit/numbers";
import { OPENS } from "../kit/operations";
import { READABLE } from "../kit/pen";
import { KINDS, type Kind, type Overview, SIDES, type Stack } from "./data";
import { type Layout, NEXT_TOP, type Span, type Wide } from "./layout";

const box = (x: number, y: number, width: number, height: number, kind: string, rx = 6) =>
  svgEl("rect", { x, y, width, height, rx, class: kind });

// What opens as one block.
export function blockGroup(block: string, ...children: Element[]) {
  return svgEl("g", { "data-block": block }, ...children);
}

export function drawBack(svg: Element, at: Layout, data: Overview) {
  const { encoder, decoder, high } = at;
  svg.replaceChildren(
    definitions(),
    box(encoder.x, 0, encoder.end, high, "lane encoder", 12),
    box(decoder.x, 0, decoder.end - decoder.x, high, "lane decoder", 12),
    ...cards(at, "encoder"),
    ...cards(at, "decoder"),
    ...KINDS.map((kind) => attentionBlock(at, kind, data.heads)),
    tower(at, encoder.ffn, "encoder_ffn", data.texts.lens.ffn),
    tower(at, decoder.ffn, "ffn", data.texts.lens.ffn),
    memoryBus(at),
    toNext(at),
    svgEl("text", { class: "quiet in-sight", x: encoder.tokens.x, y: high + 20, "font-size": READABLE }),
  );
}

function definitions() {
  const tile = { width: 7, height: 7 };
  const style = { id: "vm-hatch", ...tile, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" };
  return svgEl("defs", {}, svgEl("pattern", style, svgEl("rect", tile), svgEl("path", { d: "M1 0V7" })));
}

// The layer on display; the others stand behind it.
function cards({ card: top, deck, decks, bottom, ...lanes }: Layout, stack: Stack) {
  const { x, end } = lanes[stack].card;
  return Array.from({ length: decks + 1 }, (_, at) => {
    const behind = decks - at;
    const kind = behind ? `deck ${stack}` : `card ${stack}`;
    return box(x + behind * 6, top - behind * deck, end - x - behind * 12, bottom - top + behind * deck, kind, 8);
  });
}

// An attention, its heads as the tabs of a card index; the one on display is highlighted (`highlightTabs`).
function attentionBlock({ place, tabs, tab, bottom }: Layout, kind: Kind, heads: number) {
  const { x, end } = place[kind];
  const wide = (end - x) / heads;
  const gap = wide > 8 ? 2 : 0.5;
  const flat = Math.max(wide - gap - 6, 0);
  const up = tab - 2;
  const shape = (index: number) => `M${x + index * wide + gap / 2} ${tabs + tab + 1}v-${up}q0 -3 3 -3h${flat}q3 0 3 3v${up}z`;
  const all = Array.from({ length: heads }, (_, index) => svgEl("path", { class: "tab", d: shape(index) }));
  return blockGroup(OPENS[kind], ...all, box(x, tabs + tab, end - x, bottom - 4 - tabs - tab, "block", 3));
}

export function highlightTabs(svg: Element, head: number, heads: number) {
  svg.querySelectorAll(".tab").forEach((tab, index) => tab.classList.toggle("highlighted", index % heads === head));
}

// Below the encoder: which tokens of each side are seen, where not all are; where there is little room, of the longer side alone.
// top: px that it is scrolled.
export function saySight(svg: Element, { pitch, view, scrolled, encoder }: Layout, top: number, data: Overview, wide: Wide) {
  const tops = scrolled(top);
  const said = SIDES.map((side) => {
    const all = data[side].length;
    if (all * pitch <= view + 1) return "";
    const [first, last] = [Math.round(tops[side] / pitch), Math.round((tops[side] + view) / pitch)];
    const words = fill(data.texts.tokens_in_sight[side], { first: first + 1, last: Math.min(last, all), all });
    return [first > 0 && "↑", words, last < all && "↓"].filter(Boolean).join(" ");
  });
  const both = said.filter(Boolean).join(" · ");
  const fits = wide(both, READABLE) <= encoder.end - encoder.tokens.x;
  setText(svg.querySelector(".in-sight") as Element, fits ? both : nth(said, data.S < data.T ? 1 : 0));
}

// A block that works on each row by itself, with the active ones of its hidden units.
function tower({ text, names, bottom }: Layout, { x, width }: Span, opens: string, name: string) {
  return blockGroup(
    opens,
    box(x, names + text + 8, width, bottom - names - text - 12, "block", 3),
    svgEl("text", { x: x + width / 2, y: names + text, "text-anchor": "middle", "font-size": text, "font-weight": 600 }, name),
  );
}

// From every row of the memory up, over to the decoder, and down to every key of cross attention.
function memoryBus({ encoder, decoder, head, view }: Layout) {
  const from = encoder.memory.end - encoder.memory.width / 2;
  const to = decoder.bus.x + 3;
  const top = 14;
  const over = `Q${from} ${top} ${from + 12} ${top}H${to - 12}Q${to} ${top} ${to} ${top + 12}`;
  const d = `M${from} ${head - 8}V${top + 12}${over}V${head + view - 6}`;
  return blockGroup("memory", svgEl("path", { d, class: "bus", "stroke-width": 3 }));
}

// Out of the decoder, to the next token: dashed where layers come between (`highlightLayer`).
function toNext({ decoder, output }: Layout) {
  const y = NEXT_TOP + 16;
  const line = svgEl("path", { class: "wire strong to-next", d: `M${decoder.end} ${y}H${output.x - 10}` });
  const tip = svgEl("path", { class: "end-of-wire", d: `M${output.x - 3} ${y}l-9 -5v10z` });
  return blockGroup("softmax", line, tip);
}

export function highlightLayer(svg: Element, layer: number, layers: number) {
  setAttributes(svg.querySelector(".to-next") as Element, { "stroke-dasharray": layer === layers - 1 ? null : "3 3" });
}
