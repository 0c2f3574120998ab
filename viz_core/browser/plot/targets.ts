// The click targets of a figure of plotly's, by keyboard: an arrow key goes to the next one in its direction, Enter presses
// it. To those who hear the page the figure is a slider, which hands the arrow keys on and says where it stands.

import { onKeys } from "../kit/composing";
import { el, POINTED, setAttributes } from "../kit/dom";
import type { PlotElement } from "./plot";

const ARROWS: Record<string, Pair> = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };
const ASIDE = 3; // px to the side count so many times as much as px straight on
const MARK = 26; // px

type Pair = readonly [number, number];

/** handed: what a click hands back; x, y: px of the figure; words: in plotly's markup. */
type Target = { subplot: string; handed: number[]; id: string; x: number; y: number; words: string };

// plot: of plotly's. pick: called with what a click hands back. Returns what names the targets, to be called after each drawing.
export function offerTargets(plot: PlotElement, pick: (handed: number[]) => void) {
  let at: Target | null = null; // the target that the keyboard is on
  const mark = el("div", { "aria-hidden": "true", class: "viz-target", hidden: true });

  // Another run may have moved it, or drawn others; several may hand back the same.
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
    if (key === "Enter") pick(from.handed);
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
    at = null; // back here the keyboard begins at what is picked by then
    hideHover(plot);
  });
  return name;
}

function targetsOf({ _fullData: traces = [], _fullLayout: layout = {} }: PlotElement): Target[] {
  return traces.flatMap((trace, curve): Target[] => {
    const { hovertext = "", customdata, xaxis = "x", yaxis = "y", orientation = "v" } = trace;
    const [across, down] = [layout[axisName(xaxis)], layout[axisName(yaxis)]];
    // what the pointer skips may have data of its own, too
    if (!customdata || trace.visible !== true || trace.hoverinfo === "skip" || !across || !down) return [];
    const bar = trace.type === "bar" && orientation; // all of them on one line, however long they are
    return Array.from(customdata, (handed, index) => ({
      subplot: xaxis + yaxis,
      handed: Array.from(handed),
      id: `${curve}: ${handed}`,
      x: across._offset + across.d2p(bar === "h" ? 0 : trace.x?.[index]),
      y: down._offset + down.d2p(bar === "v" ? 0 : trace.y?.[index]),
      words: Array.isArray(hovertext) ? String(hovertext[index] ?? "") : hovertext,
    }));
  });
}

// "x2" → "xaxis2"
const axisName = (id: string) => `${id[0]}axis${id.slice(1)}`;

const SIGNS: Record<string, string> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&#36;": "$" };

// Without the little markup that plotly reads.
export function plainText(words?: string | null): string {
  return (words ?? "")
    .replace(/(?<![\u2e80-\uffef])<br>/g, " ")
    .replace(/<[^>]*>/g, "")
    .replace(/&(amp|lt|gt|#36);/g, (sign) => SIGNS[sign] ?? sign);
}

// The one of which the figure's description speaks, whose last sentence has no full stop there; else the first.
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
  return targets.reduce<Target | undefined>((least, each) => (!least || cost(each) < cost(least) ? each : least), undefined);
}

// As if the pointer had left, so that plotly hides the words of what it was on.
export function hideHover(plot: HTMLElement): void {
  for (const layer of plot.querySelectorAll(".nsewdrag")) layer.dispatchEvent(new MouseEvent("mouseout"));
}

// As if the pointer were on it, so that plotly shows its words.
function point(plot: HTMLElement, { subplot, x, y }: Target) {
  const layer = plot.querySelector(`.nsewdrag[data-subplot="${subplot}"]`);
  const { left, top } = (plot.querySelector(".svg-container") ?? plot).getBoundingClientRect();
  layer?.dispatchEvent(new MouseEvent("mousemove", { clientX: left + x, clientY: top + y, bubbles: true }));
}
