// The model as a table: a row per layer, the encoder on the left, the decoder on the right, with the heads of each attention. A click
// removes or restores a part. It is one Tab stop, within which the arrow keys move.

import { entriesOf } from "../../../viz_core/web/src/engine/edits";
import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { fill } from "../../../viz_core/browser/kit/numbers";
import { Button, keys } from "../../../viz_core/web/src/ui/elements";
import { textsIn } from "../../../viz_core/web/src/texts";
import type { Data } from "./switchboard";

const texts = textsIn("what_if.switchboard");

// The model's edits on the switchboard: sets of places, and the link that encodes them. Numbers count from 0 here and from 1 in the link.
// A place is a text: "cross.3.0" for a head, "decoder.2" for a layer, "decoder.2.ffn" for a sub-layer.

const SETS = ["heads", "only", "layers", "sublayers", "uniform"] as const;
const TYPED = ["force", "swap"] as const;
type SetName = (typeof SETS)[number];

// Typed edits: step → token, word → its replacement. All other names are switches.
export type Edits = Record<SetName, Set<string>> &
  Record<(typeof TYPED)[number], Map<number, string>> & { temperature: number; [flag: string]: unknown };

// The edits as Python sends them.
export type Sent = Record<SetName, (string | (string | number)[])[]> & Record<string, unknown>;

export function readState(from: Sent) {
  const sets = SETS.map((name) => [name, new Set(from[name].map((place) => [place].flat().join(".")))]);
  const typed = TYPED.map((name) => [name, new Map(from[name] as [number, string][])]);
  return { ...from, ...Object.fromEntries([...sets, ...typed]) } as Edits;
}

// A copy with a place added to a set, or removed from it.
export function toggled(edits: Edits, name: SetName, place: string): Edits {
  const next = new Set(edits[name]);
  if (!next.delete(place)) next.add(place);
  return { ...edits, [name]: next };
}

// The heads of the same attention that are exclusively kept.
export function keptBeside({ only }: Edits, head: string) {
  const attention = head.slice(0, head.lastIndexOf(".") + 1);
  return [...only].filter((other) => other.startsWith(attention));
}

// A click on a head. alone: keeps only this head in its attention, or undoes that. Otherwise removes or restores it; where only some heads
// are kept, it joins or leaves them.
export function headClicked(edits: Edits, head: string, alone: boolean): Edits {
  const kept = keptBeside(edits, head);
  if (!alone) return toggled(edits, kept.length && !kept.includes(head) ? "only" : "heads", head);
  const rest = [...edits.only].filter((other) => !kept.includes(other));
  return { ...edits, only: new Set(kept.join() === head ? rest : [...rest, head]) };
}

// The link, in the format that `Edits.from_link` reads.
export function linkOf(edits: Edits) {
  const entries = Object.entries(edits).flatMap(([name, value]) => {
    if (value instanceof Set) return entriesOf(value).map((entry) => `${name}.${entry}`);
    if (value instanceof Map) return [...value].map(([index, text]) => `${name}.${index + 1}.${text}`);
    if (name === "temperature") return value === 1 ? [] : [`${name}.${value}`];
    return value ? [name] : [];
  });
  return entries.map((entry) => entry.replaceAll("~", "~~")).join("~");
}

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
    const { name, isPressed, look } = lookOf(cell, edits, alone);
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
function lookOf({ what, place, stack, layer, block = "", kind, number }: Cell, edits: Edits, alone: boolean) {
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
