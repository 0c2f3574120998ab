// The model as a table: a row per layer, the encoder on the left, the decoder on the right, with the heads of each attention. A click
// removes or restores a part. It is one Tab stop, within which the arrow keys move.

import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { fill } from "../../../viz_core/browser/kit/numbers";
import { Button, keys } from "../../../viz_core/web/src/ui/elements";
import { useView } from "../../../viz_core/web/src/ui/part";
import { type Edits, headClicked, keptBeside, toggled } from "./edits";
import type { Data, Texts } from "./switchboard";

const MOVES: Record<string, number[]> = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] };
const SET = { layer: "layers", sublayer: "sublayers", head: "heads" } as const; // the set of edits for each kind of cell

interface ModelProps {
  data: Data;
  edits: Edits;
  alone: boolean; // whether a click on a head keeps only that head
  change: (edits: Edits) => void;
  corner: ComponentChildren;
}

export function Model({ data, edits, alone, change, corner }: ModelProps) {
  const { texts } = useView<Texts>();
  const body = useRef<HTMLDivElement>(null);
  const [stop, stand] = useState("0 0"); // row and column of the cell that Tab reaches
  const { layers, heads } = data.shape;
  const stacks = Object.keys(layers).map((stack) => ({ stack, own: data.columns.filter((column) => column.stack === stack) }));
  const header = (stack: string, name: string, span: number, children: ComponentChildren) => (
    <div role="columnheader" class={`${name} on-${stack}`} style={{ gridColumn: `span ${span}` }}>
      {children}
    </div>
  );
  const titles = stacks.map(({ stack, own }, at) =>
    header(
      stack,
      "title",
      own.reduce((sum, { kind }) => sum + (kind ? heads + 1 : 1), 1),
      [<span>{texts.stacks[stack]}</span>, <span class="hint">{texts.hints[stack]}</span>, at === stacks.length - 1 && corner],
    ),
  );
  const names = stacks.flatMap(({ stack, own }) => [
    header(stack, "name", 1, texts.layer),
    ...own.map(({ kind }) => {
      if (!kind) return header(stack, "name", 1, texts.ffn);
      const title = fill(texts.uniform_title, { kind: texts.kinds[kind] });
      const toggle = () => change(toggled(edits, "uniform", kind));
      return header(stack, "name wide", heads + 1, [
        <span>{texts.short[kind]}</span>,
        <Button
          class="set"
          title={title}
          aria-label={title}
          aria-pressed={edits.uniform.has(kind)}
          act={toggle}
          children={texts.uniform}
        />,
      ]);
    }),
  ]);
  const rows = [...Array(Math.max(...Object.values(layers))).keys()].map((layer) =>
    stacks.flatMap(({ stack, own }) => (layer < (layers[stack] ?? 0) ? cellsOf({ stack, layer }, own, heads) : [])),
  );
  const move = (event: KeyboardEvent, row: number, column: number) => {
    const [down = 0, right = 0] = MOVES[event.key] ?? [];
    if (!(down || right) || !(event.target as Element).matches(":focus-visible")) return;
    event.preventDefault();
    const cells = body.current?.querySelectorAll(`[data-row="${Math.min(Math.max(row + down, 0), rows.length - 1)}"]`);
    const to = Math.min(Math.max(column + right, 0), (cells?.length ?? 1) - 1);
    (cells?.[to] as HTMLElement | undefined)?.focus();
  };
  const button = (cell: Cell, row: number, column: number) => {
    const { what, place } = cell;
    const { name, isPressed, look } = lookOf(cell, edits, alone, texts);
    const press = (isHeld: boolean) =>
      change(what === "head" ? headClicked(edits, place, alone || isHeld) : toggled(edits, SET[what], place));
    const at = { class: `cell ${what} ${look}`, "data-row": row, tabIndex: stop === `${row} ${column}` ? 0 : -1 };
    const step = (event: KeyboardEvent) => move(event, row, column);
    return (
      <Button
        {...at}
        title={name}
        aria-label={name}
        aria-pressed={isPressed}
        onClick={({ shiftKey }) => press(shiftKey)}
        onFocus={() => stand(`${row} ${column}`)}
        onKeyDown={keys(step)}>
        {cell.number}
      </Button>
    );
  };
  const widths = stacks.map(({ own }) =>
    ["auto", ...own.map(({ kind }) => (kind ? `auto repeat(${heads}, minmax(var(--cell), 1fr))` : "auto"))].join(" "),
  );
  return (
    <div ref={body} class="drawing" role="grid" aria-label={texts.drawing} style={{ gridTemplateColumns: widths.join(" ") }}>
      {[
        titles,
        names,
        ...rows.map((cells, row) =>
          cells.map((cell, column) => (
            <div key={cell.place} role="gridcell" class={`on-${cell.stack}`} children={button(cell, row, column)} />
          )),
        ),
      ].map((cells, row) => (
        <div key={row} role="row" class="layer" children={cells} />
      ))}
    </div>
  );
}

interface Cell {
  what: keyof typeof SET;
  stack: string;
  layer: number;
  place: string;
  block?: string;
  kind?: string | null;
  number?: number; // from 1
}

function cellsOf(row: { stack: string; layer: number }, columns: Data["columns"], heads: number): Cell[] {
  const { stack, layer } = row;
  const place = `${stack}.${layer}`;
  return [
    { ...row, what: "layer", place, number: layer + 1 },
    ...columns.flatMap(({ block, kind }) => {
      const own = [...Array(kind ? heads : 0).keys()].map(
        (head) => ({ ...row, what: "head", place: `${kind}.${layer}.${head}`, block, kind, number: head + 1 }) as const,
      );
      return [{ ...row, what: "sublayer", place: `${place}.${block}`, block, kind } as const, ...own];
    }),
  ];
}

// The classes of a cell: "out" if removed itself, "gone" if removed with something else or because only other heads are kept.
function lookOf({ what, place, stack, layer, block = "", kind, number }: Cell, edits: Edits, alone: boolean, texts: Texts) {
  const isHead = what === "head";
  const isKept = isHead && edits.only.has(place);
  const isOut = edits[SET[what]].has(place);
  const isInOther = what !== "layer" && edits.layers.has(`${stack}.${layer}`);
  const isBesideKept = isHead && !isKept && keptBeside(edits, place).length > 0;
  const isGone = isInOther || isBesideKept || (isHead && edits.sublayers.has(`${stack}.${layer}.${block}`));
  const keeps = alone && isHead;
  const words = {
    layer: layer + 1,
    head: number,
    stack: texts.stacks[stack],
    block: texts.kinds[String(kind)] ?? texts.blocks[block],
  };
  return {
    look: [isOut && "out", isGone && "gone", isKept && "kept"].filter(Boolean).join(" "),
    isPressed: keeps ? isKept : isOut,
    name: fill(texts[keeps ? "keep_head" : (`out_${what}` as const)], words),
  };
}
