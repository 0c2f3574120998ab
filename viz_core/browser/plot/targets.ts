// Keyboard access to the click targets of a plotly figure: an arrow key moves to the next target in its direction, Enter presses it. For
// screen readers the figure is a slider, so that they pass the arrow keys on, and its value is the target's text.

import { onKeys } from "../kit/composing";
import { el, POINTED, setAttributes } from "../kit/dom";
import type { PlotElement } from "./plot";

const ARROWS: Record<string, Pair> = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };
const ASIDE = 3; // how much more px to the side count than px straight ahead
const MARK = 26; // px

type Pair = readonly [number, number];

/** values: what a click sends; x, y: px in the figure; words: in plotly's markup. */
type Target = { subplot: string; values: number[]; id: string; x: number; y: number; words: string };

// pick: called with what a click sends. Returns the function that describes the targets, to be called after each drawing.
export function offerTargets(plot: PlotElement, pick: (values: number[]) => void) {
  let at: Target | null = null; // the target with the keyboard focus
  const mark = el("div", { "aria-hidden": "true", class: "viz-target", hidden: true });

  // The target may have moved or been replaced in another run; several may send the same values.
  const here = (targets: Target[]) => {
    if (!at) return saidOf(plot, targets);
    const { id } = at;
    const same = targets.filter((target) => target.id === id);
    return nearest(same.length ? same : targets, at);
  };

  function name() {
    const targets = targetsOf(plot);
    const target = here(targets);
    setAttributes(plot, {
      role: target ? "slider" : "img",
      tabindex: target ? 0 : null,
      "aria-valuemin": target ? 1 : null,
      "aria-valuemax": target ? targets.length : null,
      "aria-valuenow": target ? targets.indexOf(target) + 1 : null,
      "aria-valuetext": target ? plainText(target.words) : null,
    });
    if (mark.hidden) return;
    place();
    if (at) point(plot, at);
  }

  function place() {
    at = here(targetsOf(plot)) ?? null;
    if (!at) return;
    const size = `width: ${MARK}px; height: ${MARK}px; left: ${at.x - MARK / 2}px; top: ${at.y - MARK / 2}px`;
    setAttributes(mark, { style: size });
    const holder = plot.querySelector(".svg-container");
    if (mark.parentNode !== holder) holder?.append(mark);
  }

  function show() {
    mark.hidden = false;
    place();
    mark.scrollIntoView({ block: "nearest", inline: "nearest" });
    if (at) point(plot, at);
  }

  function press({ key }: KeyboardEvent) {
    if (document.documentElement.hasAttribute(POINTED)) return false; // the keys are the page's
    const targets = targetsOf(plot);
    const from = here(targets);
    if (!from) return false;
    const way = ARROWS[key];
    if (key === "Enter") pick(from.values);
    else if (way) at = next(targets, from, way) ?? from;
    else return false;
    show();
    name();
    return true;
  }

  onKeys(plot, (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !press(event)) return;
    event.preventDefault();
    event.stopPropagation();
  });
  plot.addEventListener("focus", () => {
    if (plot.matches(":focus-visible") && !document.documentElement.hasAttribute(POINTED)) show();
  });
  plot.addEventListener("blur", () => {
    mark.hidden = true;
    at = null; // on return the keyboard starts at what is picked by then
    hideHover(plot);
  });
  return name;
}

function targetsOf({ _fullData: traces = [], _fullLayout: layout = {} }: PlotElement): Target[] {
  return traces.flatMap((trace, curve): Target[] => {
    const { hovertext = "", customdata, xaxis = "x", yaxis = "y", orientation = "v" } = trace;
    const [across, down] = [layout[axisName(xaxis)], layout[axisName(yaxis)]];
    // traces that the pointer skips may have data of their own
    if (!customdata || trace.visible !== true || trace.hoverinfo === "skip" || !across || !down) return [];
    const bar = trace.type === "bar" && orientation; // bars of any length count as being on one line
    return Array.from(customdata, (values, index) => ({
      subplot: xaxis + yaxis,
      values: Array.from(values),
      id: `${curve}: ${values}`,
      x: across._offset + across.d2p(bar === "h" ? 0 : trace.x?.[index]),
      y: down._offset + down.d2p(bar === "v" ? 0 : trace.y?.[index]),
      words: Array.isArray(hovertext) ? String(hovertext[index] ?? "") : hovertext,
    }));
  });
}

// "x2" → "xaxis2"
const axisName = (id: string) => `${id[0]}axis${id.slice(1)}`;

const SIGNS: Record<string, string> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&#36;": "$" };

// A text without plotly's markup.
export function plainText(words?: string | null): string {
  return (words ?? "")
    .replace(/(?<![\u2e80-\uffef])<br>/g, " ")
    .replace(/<[^>]*>/g, "")
    .replace(/&(amp|lt|gt|#36);/g, (sign) => SIGNS[sign] ?? sign);
}

// The target whose text the figure's description contains (there without its full stop), otherwise the first.
function saidOf(plot: PlotElement, targets: Target[]): Target | undefined {
  const said = plot.layout?.meta.description ?? "";
  const isSaid = ({ words }: Target) => words && said.includes(plainText(words).replace(/[.。]$/, ""));
  return targets.find(isSaid) ?? targets[0];
}

function nearest(targets: Target[], { x, y }: Target): Target | undefined {
  return best(targets, (target) => Math.hypot(target.x - x, target.y - y));
}

function next(targets: Target[], from: Target, [right, down]: Pair): Target | undefined {
  const straight = ({ x, y }: Target) => (x - from.x) * right + (y - from.y) * down;
  const aside = ({ x, y }: Target) => Math.abs((x - from.x) * down) + Math.abs((y - from.y) * right);
  const beyond = targets.filter((target) => straight(target) > 1);
  return best(beyond, (target) => straight(target) + ASIDE * aside(target));
}

function best(targets: Target[], cost: (target: Target) => number): Target | undefined {
  return targets.reduce<Target | undefined>((least, target) => (!least || cost(target) < cost(least) ? target : least), undefined);
}

// Acts as if the pointer had left, so that plotly hides its hover text.
export function hideHover(plot: HTMLElement): void {
  for (const layer of plot.querySelectorAll(".nsewdrag")) layer.dispatchEvent(new MouseEvent("mouseout"));
}

// Acts as if the pointer were on the target, so that plotly shows its hover text.
function point(plot: HTMLElement, { subplot, x, y }: Target) {
  const layer = plot.querySelector(`.nsewdrag[data-subplot="${subplot}"]`);
  const { left, top } = (plot.querySelector(".svg-container") ?? plot).getBoundingClientRect();
  layer?.dispatchEvent(new MouseEvent("mousemove", { clientX: left + x, clientY: top + y, bubbles: true }));
}
