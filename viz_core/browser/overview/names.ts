// Names of the blocks, which open them, and for the keyboard a button for each block; the lanes' names link to their pages.

import type { Store, View } from "../../web/src/ui/store";
import { button, setAttributes, setText } from "../kit/dom";
import { clauses, fill } from "../kit/numbers";
import { type Overview, STACKS, type Stack } from "./data";
import { BLOCKS, type Block, type Layout, NEXT_TOP, type Span, type Wide, blockColumns } from "./layout";
import { toggle } from "./links";

const NAMED = ["embedding", "encoder", "memory", "masked", "cross", "softmax"] as const;
const SMALLEST = 16; // px of a name where there is little room

/** What stands over the drawing; width: px; ground: the colour behind it. */
export type Word = Record<"x" | "y" | "size" | "width", number> & { text: string; ground?: "decoder" | undefined };
type Named = (typeof NAMED)[number];

export function makeNames(root: HTMLElement, data: Overview, store: Store, wide: Wide) {
  const { texts } = data;
  const lane = (stack: Stack) =>
    button("", () => store.send?.("go", `residual?stack=${stack}`), { class: `name lane ${stack}`, role: "link" });
  const lanes = { encoder: lane("encoder"), decoder: lane("decoder") };
  const name = (block: Named) =>
    button("", () => toggle(store, block), { class: `name ${block}`, tabindex: -1, "aria-hidden": true });
  const names = byName(NAMED, name);
  const second = name("embedding");
  const openers = byName(BLOCKS, (block) => {
    const label = fill(texts.open, { name: texts.name[block] });
    return button("", () => toggle(store, block), { class: "opens", "data-opens": block, "aria-label": label });
  });
  // In the order of computing, which is that of the Tab key.
  const named = (...blocks: Block[]) =>
    blocks.flatMap((block) => (block in names ? [names[block as Named], openers[block]] : [openers[block]]));
  root.replaceChildren(
    lanes.encoder,
    ...named("embedding", "encoder", "encoder_ffn", "memory"),
    lanes.decoder,
    second,
    ...named("masked", "cross", "ffn", "softmax"),
  );
  let shown: Word[] = [];
  let right = 0;

  const place = (at: Layout) => {
    const { encoder, decoder, output, text, names: top, bottom } = at;
    shown = [];
    right = decoder.end;
    lanes.decoder.style.right = `${at.width - right + 8}px`;
    const put = (node: HTMLElement, words: string, x: number, y: number, room = Infinity) => {
      const size = Math.max(Math.min(text, Math.floor((10 * text * room) / wide(words, text)) / 10), SMALLEST);
      const width = wide(words, size);
      const left = Math.min(Math.max(x, width / 2 + 8), at.width - width / 2 - 8);
      Object.assign(node.style, { left: `${left}px`, top: `${y}px`, fontSize: `${size}px` });
      setText(node, words, { title: fill(texts.open, { name: words }) });
      const ground = node === names.memory ? "decoder" : undefined;
      shown.push({ text: words, x: left, y: y + size * 0.34, size, width, ground });
    };
    const y = top + text * 0.62 + 1;
    // The name, or where it has no room a shorter one.
    const fitting = (block: "embedding" | "encoder" | "masked" | "cross", room: number) =>
      wide(texts.name[block], text) <= room ? texts.name[block] : texts.name[`${block}_short`];
    const above = (block: "encoder" | "masked" | "cross", { x, end }: Pick<Span, "x" | "end">, room = end - x) =>
      put(names[block], fitting(block, room), (x + end) / 2, y, room);
    const [one, two] = [encoder.card.x - encoder.x - 8, decoder.card.x - decoder.x - 8];
    const input = fitting("embedding", Math.min(one, two));
    put(names.embedding, input, encoder.x + one / 2 + 4, y, one);
    put(second, input, decoder.x + two / 2 + 4, y, two);
    above("encoder", encoder.self, encoder.self.width - 4);
    put(names.memory, texts.name.memory, (encoder.memory.end + decoder.bus.x) / 2, 14);
    const { x, end } = { x: decoder.card.x, end: decoder.bus.x };
    above("masked", { x: x + 4, end: end - 4 });
    above("cross", { x: decoder.keys.x, end: decoder.cross.end });
    put(names.softmax, texts.name.softmax, output.x + wide(texts.name.softmax, text) / 2 + 2, NEXT_TOP + 16, output.width);
    const columns = blockColumns(at);
    for (const block of BLOCKS) {
      const [x, end] = columns[block];
      const from = block === "softmax" ? 0 : top;
      const box = { left: x, width: end - x, top: from, height: bottom - from };
      for (const [side, px] of Object.entries(box)) openers[block].style.setProperty(side, `${px}px`);
    }
  };

  const paint = ({ layer, open }: View) => {
    for (const stack of STACKS) {
      const words = fill(texts.layer_of, { layer: layer + 1, layers: data.depth[stack] });
      setText(lanes[stack], clauses([texts[stack], words]));
      lanes[stack].disabled = !store.send; // a file of its own has no pages
    }
    for (const block of BLOCKS) setAttributes(openers[block], { "aria-expanded": open === block });
  };

  // The words as they stand, for a file.
  const drawn = (): Word[] => [
    ...shown,
    ...STACKS.map((stack) => {
      const text = lanes[stack].textContent;
      const width = wide(text, 18);
      return { text, size: 18, x: stack === "decoder" ? right - 10 - width / 2 : 10 + width / 2, y: 20, width };
    }),
  ];
  return { place, paint, drawn };
}

const byName = <Name extends string, Made>(all: readonly Name[], make: (name: Name) => Made) =>
  Object.fromEntries(all.map((name) => [name, make(name)])) as Record<Name, Made>;
