// A few cells of a call's tensor around the current step, and the range of the whole.

import { minus } from "../../../viz_core/browser/kit/numbers";
import { entryAt, nth, readPayload, sliceOf } from "../../../viz_core/web/src/payload";
import { part, useView } from "../../../viz_core/web/src/ui/part";
import { Table } from "../../../viz_core/web/src/ui/table";

type About = { rows: string[]; columns: string[][]; here: boolean; mask: boolean; heads: number; ranges: string[] };
type Corner = ReturnType<typeof readCorner>;

/** payload: from pages/code/corner.py. */
export function readCorner(payload: Uint8Array) {
  const { about, tensors, say } = readPayload<About, "cells" | "first">(payload);
  return { ...about, ...tensors, say };
}

function written(value: number) {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "–" : value > 0 ? "∞" : "−∞";
  return value ? minus(value) : "0";
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
  const note = say("sentences", { first: say(heads ? "of_head" : "of_all", about), second: entryAt(ranges, layer) });
  return { columns: ["", ...entryAt(columns, step)], lines, highlighted: here ? view.step - from : -1, note };
}

function CornerTable(corner: Corner) {
  const { note, ...table } = cornerAt(corner, useView().view);
  return (
    <>
      <Table label={corner.say("region")} {...table} />
      <p>{note}</p>
    </>
  );
}

export const mountCorner = part(CornerTable, readCorner);
