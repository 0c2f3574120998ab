// What a title says, for a finger, which cannot rest on anything: beside the place that it taps, until it touches the page again.
// What acts when it is tapped has a name instead.

import { el } from "../kit/dom";

const ACTS = "button, a, select, input, summary, [role=button]";
const APART = 16; // px from the finger
const EDGE = 8; // px to the edges of the window

export function showTouchedTitle(event: PointerEvent) {
  if (event.pointerType !== "touch") return;
  const path = event.composedPath().filter((node) => node instanceof Element);
  const titled = path.find((node) => node.getAttribute("title"));
  if (!titled || path.some((node) => node.matches(ACTS))) return;
  const tip = el("div", { class: "viz-tip", "aria-hidden": true }, titled.getAttribute("title"));
  document.body.append(tip);
  const { width, height } = tip.getBoundingClientRect();
  const left = Math.max(EDGE, Math.min(event.clientX - width / 2, innerWidth - width - EDGE));
  const above = event.clientY - APART - height;
  Object.assign(tip.style, { left: `${left}px`, top: `${above < EDGE ? event.clientY + APART : above}px` });
  for (const ends of ["pointerdown", "scroll"]) addEventListener(ends, () => tip.remove(), { capture: true, once: true });
}
