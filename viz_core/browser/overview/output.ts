// The next token, right of the decoder: bars of the most probable tokens, one of all others, and the chosen one, which goes back below the lanes
// to its row in the decoder.

import { nth } from "../../web/src/payload";
import { el, setAttributes, setText, svgEl } from "../kit/dom";
import { fill, percent } from "../kit/numbers";
import { BASELINE, READABLE, clipped } from "../kit/pen";
import { NEXT_TOKEN } from "../lens/plan";
import { type Overview, withOthers } from "./data";
import { type Layout, NEXT_TOP, type Wide, wayBackAt } from "./layout";
import { blockGroup } from "./scene";

const WORDS = 9; // px from the top of a token's line to the middle of its words

export function makeOutput(svg: Element, data: Overview, wide: Wide) {
  const count = Math.max(...data.steps.map(({ bars }) => bars.length)) + 1;
  const rows = Array.from({ length: count }, makeBar);
  const choice = svgEl("rect", { class: "choice", rx: 9 });
  const chosen = svgEl("text", { class: "token chosen", "text-anchor": "middle", "font-weight": 700 });
  const word = svgEl("text", { class: "quiet", "text-anchor": "middle" });
  const after = svgEl("text", { class: "quiet" });
  const back = svgEl("path", { class: "arrow" });
  const groups = rows.map(({ group }) => group);
  svg.append(blockGroup("softmax", ...groups, after, back, choice, chosen, word));
  let at: Layout;

  const place = (layout: Layout) => {
    at = layout;
    const { decoder, output, height, head, view, choice: box } = layout;
    const [centre, middle] = [box.x + box.width / 2, box.y + box.height / 2];
    const layers = fill(data.texts.lens.after, { layers: data.depth.decoder });
    setText(after, clipped(layers, output.width, READABLE), { x: output.x, y: NEXT_TOP + 45, "font-size": READABLE });
    setAttributes(choice, { x: box.x, y: box.y, width: box.width, height: box.height });
    setAttributes(chosen, { x: centre, y: middle + 8, "font-size": 24 });
    setAttributes(word, { x: centre, y: box.y + box.height + READABLE + 4 });
    // from the box to the left, down, below the lanes, and up to the rows
    const [right, low, lane] = [(decoder.end + output.x) / 2, height - 8, wayBackAt(layout)];
    const turn = (x: number, y: number, toX: number, toY: number) => `Q${x} ${y} ${toX} ${toY}`;
    const down = `M${box.x - 2} ${middle}H${right + 6}${turn(right, middle, right, middle + 6)}V${low - 6}`;
    const along = `${turn(right, low, right - 6, low)}H${lane + 6}${turn(lane, low, lane, low - 6)}V${head + view}`;
    setAttributes(back, { d: down + along });
    rows.forEach((row, index) => placeBar(row, index, layout));
  };

  // hidden: the word is to be guessed.
  const paint = (step: number, hidden: boolean) => {
    const { bars: named, written } = nth(data.steps, step);
    const bars = withOthers(data, step);
    const { width } = at.output;
    rows.forEach((row, index) => {
      const shown = bars[index];
      row.group.style.display = shown ? "" : "none";
      if (!shown) return;
      const [label, share, before = null] = shown;
      const isOthers = index === named.length;
      const highlighted = !hidden && index === written;
      const ghost = hidden || before === null ? 0 : Math.max(before * width, 1);
      const number = hidden ? "" : percent(share);
      const words = hidden && !isOthers ? "?" : clipped(label, width - wide(number, READABLE) - 8, READABLE, true);
      setText(row.label, words, { "font-weight": highlighted ? 700 : 400, class: isOthers ? "quiet" : "token" });
      setText(row.value, number, { "font-weight": highlighted ? 700 : 400 });
      setAttributes(row.bar, { width: hidden ? 0 : Math.max(share * width, 1) });
      setAttributes(row.ghost, { width: ghost });
      row.ghost.style.display = ghost < 3 ? "none" : "";
      row.bar.classList.toggle("highlighted", highlighted);
    });
    back.style.display = step + 1 < data.T ? "" : "none";
    setText(chosen, hidden ? "?" : clipped(nth(data.output, step), (at.choice.width - 12) / 1.06, 24, true));
    const below = step + 1 === data.T ? "" : data.given_target ? data.texts.typed : data.texts.written;
    setText(word, below, { "font-size": READABLE * Math.min(1, width / (wide(below, READABLE) || 1)) });
  };

  const barAt = (y: number) => {
    const index = Math.floor((y - at.list) / at.item);
    return index >= 0 && index < count ? index : null;
  };
  return { place, paint, barAt };
}

function makeBar() {
  const label = svgEl("text", { class: "token" });
  const value = svgEl("text", { "text-anchor": "end" });
  const box = (kind: string) => svgEl("rect", { class: kind, rx: 3 });
  const [track, bar, ghost] = [box("track"), box("bar vm-moves"), box("ghost vm-moves")];
  return { label, value, track, bar, ghost, group: svgEl("g", {}, track, bar, ghost, label, value) };
}

function placeBar({ label, value, track, bar, ghost }: ReturnType<typeof makeBar>, index: number, { list, item, output }: Layout) {
  const top = list + index * item;
  const line = { y: top + WORDS + READABLE * BASELINE, "font-size": READABLE };
  const box = { x: output.x, y: top + NEXT_TOKEN.toBar, height: Math.min(NEXT_TOKEN.bar, item - NEXT_TOKEN.toBar - 2) };
  setAttributes(label, { x: output.x, ...line });
  setAttributes(value, { x: output.end, ...line });
  setAttributes(track, { ...box, width: output.width });
  setAttributes(bar, box);
  setAttributes(ghost, box);
}

const DURATION = 350;
const APART = 180; // ms; faster steps do not fly

type Point = Record<"x" | "y", number>;

export function makeFlight(root: Element) {
  let running: (() => void) | null = null;
  let last = -Infinity;

  const stop = () => {
    running?.();
    running = null;
  };

  // from, to: the middle of the word in px of root; size: its height; landing: the label that appears where it lands.
  const fly = (text: string, from: Point, to: Point, size: number, landing: Element) => {
    stop();
    const now = performance.now();
    const fast = now - last < APART;
    last = now;
    if (fast) return;
    const word = el("span", { class: "flying", "aria-hidden": true, style: `font-size: ${size}px` }, text);
    root.append(word);
    const at = ({ x, y }: Point, scale: number) => `translate(${x}px, ${y}px) translate(-50%, -50%) scale(${scale})`;
    const middle = { x: (from.x + to.x) / 2 - 24, y: (from.y + to.y) / 2 };
    const path = [{ transform: at(from, 1.15) }, { transform: at(middle, 1.15), offset: 0.5 }, { transform: at(to, 1) }];
    const appears = [{ opacity: 0 }, { opacity: 0, offset: 0.8 }, { opacity: 1 }];
    const flight = word.animate(path, { duration: DURATION, easing: "cubic-bezier(.3,.1,.2,1)" });
    const arrival = landing.animate(appears, { duration: DURATION });
    running = () => {
      flight.cancel();
      arrival.cancel();
      word.remove();
    };
    flight.onfinish = stop;
  };
  return { fly, stop };
}
