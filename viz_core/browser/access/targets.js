// The click targets of a figure of plotly's, by keyboard: an arrow key goes to the next one in its direction, Enter presses
// it. To those who hear the page the figure is a slider, which hands the arrow keys on and says where it stands.

import { el, POINTED, setAttributes } from "../kit/dom.js";

const ARROWS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };
const ASIDE = 3; // px to the side count so many times as much as px straight on
const MARK = 26; // px
const FRAMES = 120; // some two seconds

let pressed = 0; // so that the same target pressed again is another message
let left = null; // { plot, key, target } where Enter was pressed: Streamlit then draws the figure anew, without the focus

// Makes a figure with click targets a stop of the keyboard. Called after every change of the page.
export function offerTargets(plot) {
  const count = plot.layout.clickmode === "event+select" ? countOf(plot) : 0;
  setAttributes(plot, {
    role: count ? "slider" : "img",
    tabindex: count ? 0 : null,
    "aria-valuemin": count ? 1 : null,
    "aria-valuemax": count || null,
  });
  if (!count) return setAttributes(plot, { "aria-valuenow": null, "aria-valuetext": null });
  plot.keyboard ??= followKeys(plot);
  takeOver(plot);
}

// The figure that is drawn anew goes on where the one before was left, once that is gone, unless the focus is elsewhere by then.
function takeOver(plot) {
  if (!left || plot === left.plot || keyOf(plot) !== left.key) return;
  const { activeElement, body } = document;
  if (activeElement === left.plot) return;
  if (activeElement !== body || document.documentElement.hasAttribute(POINTED)) {
    left = null;
    return;
  }
  left.plot = plot; // it may be drawn anew again
  plot.keyboard.goTo(left.target);
  focusOn(plot);
}

// Streamlit shows a figure some frames after it is there, and what is not shown takes no focus.
function focusOn(plot, frames = FRAMES) {
  plot.focus({ preventScroll: true });
  if (document.activeElement === document.body && plot.isConnected && frames)
    requestAnimationFrame(() => focusOn(plot, frames - 1));
}

// By which Streamlit knows it.
const keyOf = (plot) => plot.closest("[class*=st-key-]")?.className.match(/st-key-\S+/)?.[0];

// What is skipped by the pointer may have data of its own, too.
const hasTargets = ({ customdata, visible, hoverinfo }) => customdata && visible === true && hoverinfo !== "skip";

const countOf = ({ _fullData: traces = [] }) =>
  traces.filter(hasTargets).reduce((sum, { customdata }) => sum + customdata.length, 0);

// Returns { goTo(target) }.
function followKeys(plot) {
  let at = null; // the target that the keyboard is on
  const mark = el("div", { "aria-hidden": "true", class: "viz-target", hidden: true });

  // Another run may have moved it, or drawn others; several may hand back the same.
  const here = (targets) => {
    if (!at) return pickedOf(plot, targets);
    const same = targets.filter(({ id }) => id === at.id);
    return nearest(same.length ? same : targets, at);
  };

  function name() {
    const targets = targetsOf(plot);
    const target = here(targets);
    if (target)
      setAttributes(plot, { "aria-valuenow": targets.indexOf(target) + 1, "aria-valuetext": plainText(target.words) });
    if (!mark.hidden) place();
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
    if (key === "Enter") choose(plot, from);
    else if (ARROWS[key]) at = next(targets, from, ARROWS[key]) ?? from;
    else return false;
    show();
    name();
    return true;
  }

  plot.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !press(event)) return;
    event.preventDefault();
    event.stopPropagation();
  });
  plot.addEventListener("focus", () => {
    if (plot.matches(":focus-visible") && !document.documentElement.hasAttribute(POINTED)) show();
  });
  plot.addEventListener("blur", () => {
    mark.hidden = true;
    plot.querySelectorAll(".nsewdrag").forEach((layer) => layer.dispatchEvent(new MouseEvent("mouseout")));
  });
  plot.on("plotly_afterplot", name);
  name();
  const goTo = (target) => {
    at = target;
    name();
  };
  return { goTo };
}

// Each with what a click hands back, its place in px of the figure and what it says, in plotly's markup.
function targetsOf(plot) {
  const { _fullData: traces = [], _fullLayout: layout } = plot;
  return traces.flatMap((trace, curve) => {
    if (!hasTargets(trace)) return [];
    const [xaxis, yaxis] = ["x", "y"].map((way) => layout[axisName(trace[`${way}axis`] ?? way)]);
    const bar = trace.type === "bar" && (trace.orientation ?? "v"); // all of them on one line, however long they are
    return Array.from(trace.customdata, (handed, index) => ({
      curve,
      index,
      handed: Array.from(handed),
      id: `${curve}: ${Array.from(handed)}`,
      subplot: (trace.xaxis ?? "x") + (trace.yaxis ?? "y"),
      x: xaxis._offset + xaxis.d2p(bar === "h" ? 0 : trace.x[index]),
      y: yaxis._offset + yaxis.d2p(bar === "v" ? 0 : trace.y[index]),
      words: Array.isArray(trace.hovertext) ? trace.hovertext[index] : trace.hovertext,
    }));
  });
}

// "x2" → "xaxis2"
const axisName = (id) => `${id[0]}axis${id.slice(1)}`;

const SIGNS = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&#36;": "$" };

// Without the little markup that plotly reads.
function plainText(words) {
  return (words ?? "").replace(/<[^>]*>/g, "").replace(/&(amp|lt|gt|#36);/g, (sign) => SIGNS[sign]);
}

// The one of which the figure's description speaks, whose last sentence has no full stop there; else the first.
function pickedOf(plot, targets) {
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

// As if the pointer were on it, so that plotly shows its words.
function point(plot, { subplot, x, y }) {
  const layer = plot.querySelector(`.nsewdrag[data-subplot="${subplot}"]`);
  const { left, top } = plot.querySelector(".svg-container").getBoundingClientRect();
  layer?.dispatchEvent(new MouseEvent("mousemove", { clientX: left + x, clientY: top + y, bubbles: true }));
}

// As a click on it tells Streamlit.
function choose(plot, target) {
  const { curve, index, handed, x, y } = target;
  pressed += 1;
  left = { plot, key: keyOf(plot), target };
  const chosen = { curveNumber: curve, pointNumber: index, pointIndex: index, customdata: handed, x, y, pressed };
  plot.emit("plotly_selected", { points: [chosen] });
}
