// A few cells of a call's tensor around the current step, and the source lines that lead to a call.

import { useLayoutEffect, useRef } from "preact/hooks";
import { grouped, minus } from "../../../viz_core/browser/kit/numbers";
import { entryAt, nth, readPayload, sliceOf } from "../../../viz_core/web/src/payload";
import { textsIn } from "../../../viz_core/web/src/texts";
import { keys } from "../../../viz_core/web/src/ui/elements";
import { part, useGiven, useView } from "../../../viz_core/web/src/ui/part";
import { Table } from "../../../viz_core/web/src/ui/table";

const texts = textsIn("code.corner");

type About = {
  rows: string[];
  columns: string[][];
  here: boolean;
  mask: boolean;
  heads: number;
  ranges: number[][];
  axes: string[];
  at: number;
  shapes: number[][];
};
type Corner = ReturnType<typeof readCorner>;

/** payload: from pages/code/corner.py. */
export function readCorner(payload: Uint8Array) {
  const { about, tensors, say } = readPayload<About, "cells" | "first">(payload, texts);
  return { ...about, ...tensors, say };
}

function written(value: number) {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "–" : value > 0 ? "∞" : "−∞";
  return value ? minus(value) : "0";
}

/** The range of a whole tensor's values. */
function rangeOf([low, high]: readonly number[], { mask, say }: Corner) {
  if (low === undefined) return say("unknown");
  return mask ? say("open", { open: grouped(low) }) : say("between", { low: minus(low), high: minus(high as number) });
}

/** The letters and lengths of the axes, with an underscore before an index. */
export function shapeOf({ axes, at, shapes, say }: Corner) {
  const shape = nth(shapes, at);
  const letters = axes.map((axis) => axis.replace(/^T([qk]).*/, "T_$1")).join(", ");
  return say("shape", { letters, sizes: shape.join(", "), count: grouped(shape.reduce((a, b) => a * b)) });
}

/** The headings, rows, highlighted row and note of a layer, head and step. */
export function cornerAt(corner: Corner, view: { layer: number; head: number; step: number }) {
  const { rows, columns, here, mask, heads, ranges, cells, first, say } = corner;
  const [layers = 1, maps = 1, steps = 1, count = 0, width = 0] = cells.shape;
  const [layer, head, step] = [Math.min(view.layer, layers - 1), Math.min(view.head, maps - 1), Math.min(view.step, steps - 1)];
  const values = Array.from(sliceOf(cells, layer, head, step));
  const from = nth(first.data, step);
  const word = (value: number) => (mask ? say(value ? "may" : "may_not") : written(value));
  const lines = Array.from({ length: count }, (_, row) => [
    nth(rows, from + row),
    ...values.slice(row * width, (row + 1) * width).map(word),
  ]);
  const about = { head: head + 1, heads, highlighted: here ? say("highlighted") : "" };
  const note = say("sentences", {
    first: say(heads ? "of_head" : "of_all", about),
    second: rangeOf(entryAt(ranges, layer), corner),
  });
  return { columns: ["", ...entryAt(columns, step)], lines, highlighted: here ? view.step - from : -1, note };
}

function CornerTable(corner: Corner) {
  const { note, ...table } = cornerAt(corner, useView().view);
  useGiven("corner", corner.shapes);
  return (
    <>
      <div>
        {shapeOf(corner)
          .split(/_(\w)/)
          .map((piece, at) => (at % 2 ? <sub>{piece}</sub> : piece))}
      </div>
      <Table label={corner.say("region")} {...table} />
      <p>{note}</p>
    </>
  );
}

export const mountCorner = part(CornerTable, readCorner);

// The source of the call: its lines are links, followed by click or Enter; the highlighted one is scrolled into view.

// Scrolling would move the button away from under a mouse that clicks it again; in lecture mode the buttons stay where they are.
const CLICKED = "html:not([data-lecture]) :is([data-key=code_before], [data-key=code_after]):hover";

interface Lines {
  html: string; // the panel
  inside: string; // the panels of the functions that ran for the call
  title: string;
  stack: string; // of calls
  at: number; // index of the picked call
  calls: Record<string, string[]>; // a line's call in the first layer → the same call in each layer, as an address names it
}

function SourceLines({ html, inside, title, stack, at, calls }: Lines) {
  const { store, view } = useView();
  const panel = useRef<HTMLDivElement>(null);
  const followed = useRef({ at, byKeys: false });
  const shapes = store.given.corner as About["shapes"] | undefined;
  const jump = (event: Event) => {
    const line = event.target instanceof Element && event.target.closest<HTMLElement>("[data-call]");
    if (!line) return;
    followed.current.byKeys = event.type !== "click";
    const call = calls[line.dataset.call ?? ""]?.[store.view.layer];
    if (call) store.ask({ call });
  };
  useLayoutEffect(() => {
    const shown = (call: string) => `(${nth(shapes as number[][], Number(call)).join(", ")})`;
    for (const note of panel.current?.querySelectorAll<HTMLElement>("em") ?? [])
      note.textContent = shapes ? `→ ${[...new Set(note.dataset.of?.split(" ").map(shown))].join(" ")}` : "";
  }, [html, shapes]);
  useLayoutEffect(() => {
    const { current: was } = followed;
    if (was.at === at) return;
    was.at = at;
    if (was.byKeys) panel.current?.querySelector<HTMLElement>("[aria-current]")?.focus(); // the line with the focus was drawn anew
    const lines = panel.current?.querySelectorAll(".highlighted") ?? [];
    if (!document.querySelector(CLICKED)) [...lines].at(-1)?.scrollIntoView({ block: "nearest" });
  }, [at]);
  return (
    <>
      <div
        ref={panel}
        onClick={jump}
        onKeyDown={keys((event) => event.key === "Enter" && jump(event))}
        dangerouslySetInnerHTML={{ __html: html }}
      />
      {!view.lecture && <p class="source-place">{texts.lines}</p>}
      <div dangerouslySetInnerHTML={{ __html: inside }} />
      {!view.lecture && (
        <details class="stack">
          <summary>{title}</summary>
          <pre tabIndex={0}>{stack}</pre>
        </details>
      )}
    </>
  );
}

export const mountLines = part(SourceLines);
