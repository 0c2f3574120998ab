// The click targets of a figure of plotly's, by keyboard: an arrow key goes to the next one in its direction, Enter presses
// it. To those who hear the page the figure is a slider, which hands the arrow keys on and says where it stands.

import { onKeys } from "../kit/composing.js";
import { el, POINTED, setAttributes } from "../kit/dom.js";

const ARROWS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };
const ASIDE = 3; // px to the side count so many times as much as px straight on
const MARK = 26; // px

// What is skipped by the pointer may have data of its own, too.
const hasTargets = ({ type, customdata, hovertext, visible, hoverinfo }) =>
  (customdata || (type === "heatmap" && hovertext)) && visible === true && hoverinfo !== "skip";

// What a click on one of plotly's points hands back: its own data, or of a heatmap [row, column]; nothing where it is no target.
export function handedBy({ customdata, data, x, y }) {
  return Array.isArray(customdata) ? customdata : data?.type === "heatmap" && data.hovertext ? [y, x] : null;
}

// plot: of plotly's. pick: called with what a click hands back. picked: () => what the one that is picked hands back, if that is known.
// Returns what names the targets, to be called after each drawing.
export function offerTargets(plot, pick, picked) {
  let at = null; // the target that the keyboard is on
  const mark = el("div", { "aria-hidden": "true", class: "viz-target", hidden: true });

  // Another run may have moved it, or drawn others; several may hand back the same.
  const here = (targets) => {
    if (!at) return pickedOf(plot, targets, picked());
    const same = targets.filter(({ id }) => id === at.id);
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
    at = here(targetsOf(plot));
    if (!at) return;
    const size = `width: ${MARK}px; height: ${MARK}px; left: ${at.x - MARK / 2}px; top: ${at.y - MARK / 2}px`;
    setAttributes(mark, { style: size });
    const holder = plot.querySelector(".svg-container");
    if (mark.parentNode !== holder) holder.append(mark);
  }

  function show() {
    mark.hidden = false;
    place();
    mark.scrollIntoView({ block: "nearest", inline: "nearest" });
    point(plot, at);
  }

  function press({ key }) {
    if (document.documentElement.hasAttribute(POINTED)) return false; // the keys are the page's
    const targets = targetsOf(plot);
    const from = here(targets);
    if (!from) return false;
    if (key === "Enter") pick(from.handed);
    else if (ARROWS[key]) at = next(targets, from, ARROWS[key]) ?? from;
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

// Each with what a click hands back, its place in px of the figure and what it says, in plotly's markup.
function targetsOf(plot) {
  const { _fullData: traces = [], _fullLayout: layout } = plot;
  return traces.flatMap((trace, curve) => {
    if (!hasTargets(trace)) return [];
    const [xaxis, yaxis] = ["x", "y"].map((way) => layout[axisName(trace[`${way}axis`] ?? way)]);
    const subplot = (trace.xaxis ?? "x") + (trace.yaxis ?? "y");
    if (!trace.customdata) {
      const [rows, columns] = [seenOf(yaxis, trace.hovertext.length), seenOf(xaxis, trace.hovertext[0].length)];
      return rows.flatMap(([row, y]) =>
        columns.map(([column, x]) => ({
          subplot,
          handed: [row, column],
          id: `${curve}: ${row},${column}`,
          x,
          y,
          words: trace.hovertext[row][column],
        })),
      );
    }
    const bar = trace.type === "bar" && (trace.orientation ?? "v"); // all of them on one line, however long they are
    return Array.from(trace.customdata, (handed, index) => ({
      subplot,
      handed: Array.from(handed),
      id: `${curve}: ${Array.from(handed)}`,
      x: xaxis._offset + xaxis.d2p(bar === "h" ? 0 : trace.x[index]),
      y: yaxis._offset + yaxis.d2p(bar === "v" ? 0 : trace.y[index]),
      words: Array.isArray(trace.hovertext) ? trace.hovertext[index] : trace.hovertext,
    }));
  });
}

// Of so many places along an axis those that can be seen, each with its px of the figure.
function seenOf(axis, count) {
  const places = Array.from({ length: count }, (_, at) => [at, axis.d2p(at)]);
  return places.filter(([, px]) => px >= 0 && px <= axis._length).map(([at, px]) => [at, axis._offset + px]);
}

// "x2" → "xaxis2"
const axisName = (id) => `${id[0]}axis${id.slice(1)}`;

const SIGNS = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&#36;": "$" };

// Without the little markup that plotly reads.
export function plainText(words) {
  return (words ?? "")
    .replace(/(?<![\u2e80-\uffef])<br>/g, " ")
    .replace(/<[^>]*>/g, "")
    .replace(/&(amp|lt|gt|#36);/g, (sign) => SIGNS[sign]);
}

// The one that is known to be picked, or of which the figure's description speaks, whose last sentence has no full stop there; else
// the first.
function pickedOf(plot, targets, picked) {
  if (picked) return targets.find(({ handed }) => handed.join() === picked.join()) ?? targets[0];
  const said = plot.layout.meta?.description ?? "";
  const isSaid = ({ words }) => words && said.includes(plainText(words).replace(/[.。]$/, ""));
  return targets.find(isSaid) ?? targets[0];
}

function nearest(targets, { x, y }) {
  return best(targets, (target) => Math.hypot(target.x - x, target.y - y));
}

function next(targets, from, [right, down]) {
  const straight = ({ x, y }) => (x - from.x) * right + (y - from.y) * down;
  const aside = ({ x, y }) => Math.abs((x - from.x) * down) + Math.abs((y - from.y) * right);
  const beyond = targets.filter((target) => straight(target) > 1);
  return best(beyond, (target) => straight(target) + ASIDE * aside(target));
}

function best(targets, cost) {
  return targets.reduce((least, each) => (!least || cost(each) < cost(least) ? each : least), null);
}

// As if the pointer had left, so that plotly hides the words of what it was on.
export function hideHover(plot) {
  for (const layer of plot.querySelectorAll(".nsewdrag")) layer.dispatchEvent(new MouseEvent("mouseout"));
}

// As if the pointer were on it, so that plotly shows its words.
function point(plot, { subplot, x, y }) {
  const layer = plot.querySelector(`.nsewdrag[data-subplot="${subplot}"]`);
  const { left, top } = plot.querySelector(".svg-container").getBoundingClientRect();
  layer?.dispatchEvent(new MouseEvent("mousemove", { clientX: left + x, clientY: top + y, bubbles: true }));
}
