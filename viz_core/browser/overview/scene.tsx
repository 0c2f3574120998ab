// The background of the overview's rows: lanes, the current layer in front of the others, the blocks with their heads, the lines
// between the stacks.

import { render } from "preact";
import { nth } from "../../web/src/payload";
import { fill } from "../kit/numbers";
import { READABLE } from "../kit/pen";
import { KINDS, type Kind, type Overview, SIDES, STACKS, type Stack } from "./data";
import { type Drawn, type Layout, NEXT_TOP, type Span, type Wide } from "./layout";

export const drawBack = (svg: Element, drawn: Drawn) => render(<Back {...drawn} />, svg);

function Back({ at, data, store, wide, top }: Drawn) {
  const { layer, head } = store.view;
  const { encoder, decoder, high, output } = at;
  const tile = { width: 7, height: 7 };
  // from every row of the memory up, over to the decoder, and down to every key of cross attention
  const [from, to, turn] = [encoder.memory.end - encoder.memory.width / 2, decoder.bus.x + 3, 14];
  const over = `Q${from} ${turn} ${from + 12} ${turn}H${to - 12}Q${to} ${turn} ${to} ${turn + 12}`;
  const bus = `M${from} ${at.head - 8}V${turn + 12}${over}V${at.head + at.view - 6}`;
  const y = NEXT_TOP + 16;
  const isNext = layer === data.depth.decoder - 1; // else there are layers between this one and the next token
  return (
    <>
      <defs>
        <pattern id="vm-hatch" {...tile} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect {...tile} />
          <path d="M1 0V7" />
        </pattern>
      </defs>
      <rect class="lane encoder" x={encoder.x} y={0} width={encoder.end} height={high} rx={12} />
      <rect class="lane decoder" x={decoder.x} y={0} width={decoder.end - decoder.x} height={high} rx={12} />
      {STACKS.map((stack) => cards(at, stack))}
      {KINDS.map((kind) => attentionBlock(at, kind, data.heads, head))}
      {tower(at, encoder.ffn, data.texts.lens.ffn)}
      {tower(at, decoder.ffn, data.texts.lens.ffn)}
      <path d={bus} class="bus" stroke-width={3} />
      <path class="wire strong" d={`M${decoder.end} ${y}H${output.x - 10}`} stroke-dasharray={isNext ? undefined : "3 3"} />
      <path class="end-of-wire" d={`M${output.x - 3} ${y}l-9 -5v10z`} />
      <text
        class="quiet in-sight"
        x={encoder.tokens.x}
        y={high + 20}
        font-size={READABLE}
        children={sightOf(at, top, data, wide)}
      />
    </>
  );
}

// The layer on display, in front of the others.
function cards({ card: top, deck, decks, bottom, ...lanes }: Layout, stack: Stack) {
  const { x, end } = lanes[stack].card;
  return Array.from({ length: decks + 1 }, (_, at) => {
    const behind = decks - at;
    const place = { x: x + behind * 6, y: top - behind * deck, width: end - x - behind * 12, height: bottom - top + behind * deck };
    return <rect key={at} class={`${behind ? "deck" : "card"} ${stack}`} {...place} rx={8} />;
  });
}

// An attention with its heads as index tabs; the current one is highlighted.
function attentionBlock({ place, tabs, tab, bottom }: Layout, kind: Kind, heads: number, head: number) {
  const { x, end } = place[kind];
  const wide = (end - x) / heads;
  const gap = wide > 8 ? 2 : 0.5;
  const flat = Math.max(wide - gap - 6, 0);
  const [up, top] = [tab - 2, tabs + tab];
  const shape = (index: number) => `M${x + index * wide + gap / 2} ${top + 1}v-${up}q0 -3 3 -3h${flat}q3 0 3 3v${up}z`;
  return (
    <g key={kind}>
      {Array.from({ length: heads }, (_, index) => (
        <path key={index} class={index === head ? "tab highlighted" : "tab"} d={shape(index)} />
      ))}
      <rect class="block" x={x} y={top} width={end - x} height={bottom - 4 - top} rx={3} />
    </g>
  );
}

// A block that works on each row by itself, with its active hidden units.
function tower({ text, names, bottom }: Layout, { x, width }: Span, name: string) {
  const words = { x: x + width / 2, y: names + text, "text-anchor": "middle", "font-size": text, "font-weight": 600 } as const;
  return (
    <>
      <rect class="block" x={x} y={names + text + 8} width={width} height={bottom - names - text - 12} rx={6} />
      <text {...words} children={name} />
    </>
  );
}

// The range of tokens in sight on each side that is not fully visible; in little room, of the longer side only.
function sightOf({ pitch, view, scrolled, encoder }: Layout, top: number, data: Overview, wide: Wide) {
  const tops = scrolled(top);
  const ranges = SIDES.map((side) => {
    const all = data[side].length;
    if (all * pitch <= view + 1) return "";
    const [first, last] = [Math.round(tops[side] / pitch), Math.round((tops[side] + view) / pitch)];
    const words = fill(data.texts.tokens_in_sight[side], { first: first + 1, last: Math.min(last, all), all });
    return [first > 0 && "↑", words, last < all && "↓"].filter(Boolean).join(" ");
  });
  const both = ranges.filter(Boolean).join(" · ");
  const fits = wide(both, READABLE) <= encoder.end - encoder.tokens.x;
  return fits ? both : nth(ranges, data.S < data.T ? 1 : 0);
}
