// The softmax below the decoder: bars of the most probable tokens, and the chosen one, which flies to its row in the
// decoder.

import { el, setAttributes, setText, svgEl } from "../kit/dom.js";
import { percent } from "../kit/numbers.js";
import { clipped } from "../kit/pen.js";
import { wayBackAt } from "./layout.js";
import { blockGroup } from "./scene.js";

const BARS_TOP = 8; // px above the bars

export function makeOutput(svg, data, wide) {
  const count = Math.max(...data.steps.map(({ bars }) => bars.length));
  const rows = Array.from({ length: count }, makeBar);
  const choice = svgEl("rect", { class: "choice", rx: 9 });
  const chosen = svgEl("text", { class: "token chosen", "text-anchor": "middle", "font-weight": 700 });
  const word = svgEl("text", { class: "quiet" });
  const [up, left, into] = [0, 1, 2].map(() => svgEl("path", { class: "arrow" }));
  const [leftTip, intoTip] = [0, 1].map(() => svgEl("path", { class: "tip" }));
  const groups = rows.map(({ group }) => group);
  svg.append(blockGroup("softmax", ...groups, up, left, leftTip, into, intoTip, choice, chosen, word));
  const all = data.steps.flatMap(({ bars }) => bars);
  const widest = (texts, size) => Math.ceil(Math.max(...texts.map((words) => wide(words, size))));
  let at = null;

  const place = (layout) => {
    at = layout;
    const { decoder, bar, text, foot, roomy } = layout;
    const { x } = decoder.tokens;
    const width = Math.min(Math.max(decoder.input.end - x, 100), 140);
    const height = Math.min(foot - 50, 58);
    const y = (foot - height) / 2 + 2;
    const [centre, middle] = [x + width / 2, y + height / 2];
    const labels = x + width + 34;
    const shares = all.map(([, share]) => percent(share));
    const tokens = all.map(([label]) => label);
    const labelRoom = Math.min(widest(tokens, text) + 2, roomy ? 170 : 100);
    const track = labels + labelRoom + 8;
    const name = wide(data.texts.name.softmax, text) + 34;
    const room = Math.max(decoder.card.end - name - widest(shares, text) - 20 - track, 40);
    layout.choice = { x, y, width, height };
    layout.bars = { track, room, labels, labelRoom };
    setAttributes(choice, layout.choice);
    setAttributes(chosen, { x: centre, y: middle + text * 0.55, "font-size": text + 4 });
    setAttributes(word, { x, y: y + height + text, "font-size": text });
    const lane = wayBackAt(layout);
    setAttributes(up, { d: `M${x - 2} ${middle}H${lane + 6}Q${lane} ${middle} ${lane} ${middle - 6}V0` });
    setAttributes(leftTip, { d: `M${x + width + 13} ${middle - 7}v14l-10 -7z` });
    // from the end of the decoder's arrow, below the softmax's name, to the bars
    const [end, line] = [track + room + 12 + widest(shares, text), 58];
    setAttributes(into, { d: `M${decoder.card.end - 14} 54V${line + 12}H${end + 12}` });
    setAttributes(intoTip, { d: `M${end + 13} ${line + 5}v14l-10 -7z` });
    rows.forEach((row, index) => placeBar(row, BARS_TOP + index * bar, layout));
  };

  // hidden: the word is to be guessed.
  const paint = (step, hidden) => {
    const { bars, written } = data.steps[step];
    const { room, labelRoom } = at.bars;
    rows.forEach((row, index) => {
      const [label, share, before] = bars[index] ?? [];
      row.group.style.display = label === undefined ? "none" : "";
      if (label === undefined) return;
      const highlighted = !hidden && index === written;
      const ghost = hidden || before === null ? 0 : Math.max(before * room, 1);
      const words = hidden ? "?" : clipped(label, labelRoom, at.text, true);
      setText(row.label, words, { "font-weight": highlighted ? 700 : 400 });
      setText(row.value, hidden ? "" : percent(share));
      setAttributes(row.bar, { width: hidden ? 0 : Math.max(share * room, 1) });
      setAttributes(row.ghost, { width: ghost });
      row.ghost.style.display = ghost < 3 ? "none" : "";
      row.bar.classList.toggle("highlighted", highlighted);
    });
    paintChoice(bars[written][0], written, hidden);
    up.style.display = step + 1 < data.T ? "" : "none";
    setText(chosen, hidden ? "?" : clipped(data.output[step], (at.choice.width - 12) / 1.06, at.text + 4, true));
    setText(word, data.given_target ? data.texts.typed : data.texts.written);
  };

  // From the written token of the list round to its box.
  const paintChoice = (label, written, hidden) => {
    const { choice, bars, bar, text } = at;
    const shown = hidden ? "?" : label;
    const from = bars.labels + bars.labelRoom - Math.min(wide(shown, text), bars.labelRoom) - 10;
    const [y, middle] = [BARS_TOP + (written + 0.5) * bar, choice.y + choice.height / 2];
    const tip = choice.x + choice.width + 12;
    const bend = Math.min(6, Math.abs(y - middle) / 2) * Math.sign(middle - y);
    const lane = tip + 10;
    const down = `Q${lane} ${y} ${lane} ${y + bend}V${middle - bend}Q${lane} ${middle} ${lane - 6} ${middle}`;
    setAttributes(left, { d: `M${Math.max(from, lane + 8)} ${y}H${lane + 6}${down}H${tip}` });
  };

  const barAt = (y) => {
    const index = Math.floor((y - BARS_TOP) / at.bar);
    return index >= 0 && index < count ? index : null;
  };
  return { place, paint, barAt };
}

function makeBar() {
  const label = svgEl("text", { class: "token", "text-anchor": "end" });
  const value = svgEl("text");
  const [track, bar, ghost] = ["track", "bar vm-moves", "ghost vm-moves"].map((kind) =>
    svgEl("rect", { class: kind, rx: 3 }),
  );
  return { label, value, track, bar, ghost, group: svgEl("g", {}, track, bar, ghost, label, value) };
}

function placeBar({ label, value, track, bar, ghost }, top, { bar: pitch, text, bars }) {
  const line = { y: top + pitch / 2 + text * 0.34, "font-size": text };
  const box = { x: bars.track, y: top + 3, height: pitch - 6 };
  setAttributes(label, { x: bars.labels + bars.labelRoom, ...line });
  setAttributes(value, { x: bars.track + bars.room + 8, ...line });
  setAttributes(track, { ...box, width: bars.room });
  setAttributes(bar, box);
  setAttributes(ghost, box);
}

const DURATION = 350;
const APART = 180; // ms; faster steps do not fly

export function makeFlight(root) {
  let running = null;
  let last = -Infinity;

  const stop = () => {
    running?.();
    running = null;
  };

  // from, to: {x, y} of the middle of the word in px of root; size: its height; landing: the label that appears where it
  // lands.
  const fly = (text, from, to, size, landing) => {
    stop();
    const now = performance.now();
    const fast = now - last < APART;
    last = now;
    if (fast) return;
    const word = el("span", { class: "flying", "aria-hidden": true, style: `font-size: ${size}px` }, text);
    root.append(word);
    const at = ({ x, y }, scale) => `translate(${x}px, ${y}px) translate(-50%, -50%) scale(${scale})`;
    const middle = { x: (from.x + to.x) / 2 - 24, y: (from.y + to.y) / 2 };
    const path = [
      { transform: at(from, 1.15) },
      { transform: at(middle, 1.15), offset: 0.5 },
      { transform: at(to, 1) },
    ];
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
