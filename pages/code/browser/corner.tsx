// A few cells of a call's tensor around the current step, and the source lines that lead to a call.

import { minus } from "../../../viz_core/browser/kit/numbers";
import { entryAt, nth, readPayload, sliceOf } from "../../../viz_core/web/src/payload";
import { textsIn } from "../../../viz_core/web/src/texts";
import { part, useView } from "../../../viz_core/web/src/ui/part";
import { Table } from "../../../viz_core/web/src/ui/table";
import { onKeys } from "../../../viz_core/browser/kit/composing";
import type { Root, Store } from "../../../viz_core/web/src/ui/store";

type About = { rows: string[]; columns: string[][]; here: boolean; mask: boolean; heads: number; ranges: string[] };
type Corner = ReturnType<typeof readCorner>;

/** payload: from pages/code/corner.py. */
export function readCorner(payload: Uint8Array) {
  const { about, tensors, say } = readPayload<About, "cells" | "first">(payload, textsIn("code.corner"));
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

// Source lines as links (`[data-call]` anywhere on the page), followed by click or Enter; the highlighted one is scrolled into view.

// Scrolling would move the button away from under a mouse that clicks it again; in lecture mode the buttons stay where they are.
const CLICKED = "html:not([data-lecture]) :is([data-key=code_before], [data-key=code_after]):hover";

interface Lines {
  at: number; // index of the picked call
  last: number; // number in the file of its last line
  calls: Record<string, string[]>; // a line's call in the first layer → the same call in each layer, as an address names it
}

export function mountLines(_root: Root, { at, calls }: Lines, store: Store) {
  let byKeys = false; // whether the last link was followed by the keyboard
  const press = (event: Event) => {
    const line = event.target instanceof Element && event.target.closest<HTMLElement>("[data-call]");
    if (!line) return;
    byKeys = event.type !== "click";
    const call = calls[line.dataset.call ?? ""]?.[store.view.layer];
    if (call) store.ask({ call });
  };
  document.addEventListener("click", press);
  const end = onKeys(document, (event) => {
    if (event.key === "Enter") press(event);
  });
  return {
    update(next: Lines) {
      if (byKeys && next.at !== at) refocus(); // the line that had the focus was drawn anew
      if (next.at !== at && !document.querySelector(CLICKED)) bringIntoSight(next.last);
      ({ at, calls } = next);
    },
    destroy() {
      document.removeEventListener("click", press);
      end();
    },
  };
}

function refocus(tries = 20) {
  const line = document.querySelector<HTMLElement>("[data-call][aria-current]");
  if (line && document.activeElement === document.body) line.focus();
  if (tries && document.activeElement === document.body) setTimeout(() => refocus(tries - 1), 50);
}

// Scrolls to the last highlighted line of a new call, once it is drawn.
function bringIntoSight(last: number, tries = 20) {
  const line = [...document.querySelectorAll(".source.near .highlighted")].at(-1);
  if (line?.querySelector("i")?.textContent === String(last)) line.scrollIntoView({ block: "nearest" });
  else if (tries) setTimeout(() => bringIntoSight(last, tries - 1), 50);
}
