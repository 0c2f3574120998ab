// The blocks' names, which open them, with a button for each block for the keyboard; the lanes' names link to their pages.

import { render } from "preact";
import { Button } from "../../web/src/ui/elements";
import type { Store } from "../../web/src/ui/store";
import { clauses, fill } from "../kit/numbers";
import { type Overview, STACKS, type Stack } from "./data";
import { type Block, type Drawn, type Layout, NEXT_TOP, type Span, type Wide, blockColumns } from "./layout";
import { toggle } from "./pointer";

const NAMED = ["embedding", "encoder", "memory", "masked", "cross", "softmax"] as const;
const SMALLEST = 16; // px of a name in little room
const OF_STACK = {
  encoder: ["embedding", "encoder", "encoder_ffn", "memory"],
  decoder: ["masked", "cross", "ffn", "softmax"],
} as const;

/** A text over the drawing; width: px; ground: its background. */
export type Word = Record<"x" | "y" | "size" | "width", number> & { text: string; ground?: "decoder" | undefined };
type Named = (typeof NAMED)[number];

export const drawNames = (root: Element, drawn: Drawn) => render(<Names {...drawn} />, root);

function Names({ at, data, store, wide }: Drawn) {
  const { texts } = data;
  const words = namesOf(at, data, wide);
  const columns = blockColumns(at);
  const name = (block: Named, { x, y, size, text }: Word = words[block]) => (
    <Button
      class={`name ${block}`}
      tabIndex={-1}
      aria-hidden="true"
      title={fill(texts.open, { name: text })}
      style={{ left: `${x}px`, top: `${y - size * 0.34}px`, fontSize: `${size}px` }}
      act={() => toggle(store, block)}
      words={text}
    />
  );
  const opener = (block: Block) => {
    const [x, end] = columns[block];
    const top = block === "softmax" ? 0 : at.names;
    const place = { left: `${x}px`, width: `${end - x}px`, top: `${top}px`, height: `${at.bottom - top}px` };
    const label = fill(texts.open, { name: texts.name[block] });
    const isOpen = store.view.open === block;
    const act = () => toggle(store, block);
    return <Button class="opens" data-opens={block} aria-label={label} aria-expanded={isOpen} style={place} act={act} />;
  };
  // In the order of computation, also for the Tab key.
  return STACKS.map((stack) => (
    <>
      <Button
        class={`name lane ${stack}`}
        role="link"
        disabled={!store.send} // a file of its own has no pages
        style={stack === "decoder" ? { right: `${at.width - at.decoder.end + 8}px` } : undefined}
        act={() => store.ask({ show: "stream", stack }, "residual")}
        words={laneWords(data, store, stack)}
      />
      {stack === "decoder" && name("embedding", words.second)}
      {OF_STACK[stack].map((block) => [block in words && name(block as Named), opener(block)])}
    </>
  ));
}

function laneWords({ texts, depth }: Overview, { view }: Store, stack: Stack) {
  return clauses([texts[stack], fill(texts.layer_of, { layer: view.layer + 1, layers: depth[stack] })]);
}

// Places the names; second: the decoder's embedding.
function namesOf(at: Layout, { texts }: Overview, wide: Wide): Record<Named | "second", Word> {
  const { encoder, decoder, output, text, names: top } = at;
  const put = (words: string, x: number, y: number, room = Infinity): Word => {
    const size = Math.max(Math.min(text, Math.floor((10 * text * room) / wide(words, text)) / 10), SMALLEST);
    const width = wide(words, size);
    const left = Math.min(Math.max(x, width / 2 + 8), at.width - width / 2 - 8);
    return { text: words, x: left, y: y + size * 0.34, size, width };
  };
  const y = top + text * 0.62 + 1;
  // The name, or a shorter one if it does not fit.
  const fitting = (block: "embedding" | "encoder" | "masked" | "cross", room: number) =>
    wide(texts.name[block], text) <= room ? texts.name[block] : texts.name[`${block}_short`];
  const above = (block: "encoder" | "masked" | "cross", { x, end }: Pick<Span, "x" | "end">, room = end - x) =>
    put(fitting(block, room), (x + end) / 2, y, room);
  const [one, two] = [encoder.card.x - encoder.x - 8, decoder.card.x - decoder.x - 8];
  const input = fitting("embedding", Math.min(one, two));
  const { memory, softmax } = texts.name;
  return {
    embedding: put(input, encoder.x + one / 2 + 4, y, one),
    second: put(input, decoder.x + two / 2 + 4, y, two),
    encoder: above("encoder", encoder.self, encoder.self.width - 4),
    memory: { ...put(memory, (encoder.memory.end + decoder.bus.x) / 2, 14), ground: "decoder" },
    masked: above("masked", { x: decoder.card.x + 4, end: decoder.bus.x - 4 }),
    cross: above("cross", { x: decoder.keys.x, end: decoder.cross.end }),
    softmax: put(softmax, output.x + wide(softmax, text) / 2 + 2, NEXT_TOP + 16, output.width),
  };
}

// All names with their places, for a file.
export function wordsOf({ at, data, store, wide }: Drawn): Word[] {
  const lanes = STACKS.map((stack) => {
    const text = laneWords(data, store, stack);
    const width = wide(text, 18);
    const x = stack === "decoder" ? at.decoder.end - 10 - width / 2 : 10 + width / 2;
    return { text, size: 18, x, y: 20, width };
  });
  return [...Object.values(namesOf(at, data, wide)), ...lanes];
}
