// The softmax below the decoder: bars of the most probable tokens, and the chosen one, which flies to its row in the
// decoder.

import { setAttributes, svgEl } from "../kit/dom.js";
import { percent } from "../kit/numbers.js";
import { clipped } from "../kit/pen.js";

export function makeOutput(svg, data, wide) {
  const count = Math.max(...data.steps.map(({ bars }) => bars.length));
  const rows = Array.from({ length: count }, (_, index) => makeBar(index));
  const choice = svgEl("rect", { class: "choice", rx: 9 });
  const chosen = svgEl("text", { class: "token chosen", "text-anchor": "middle" });
  const word = svgEl("text", { class: "quiet", "text-anchor": "middle" });
  const [up, left] = [0, 1].map(() => svgEl("path", { class: "way out" }));
  const [tip, point] = [0, 1].map(() => svgEl("path", { class: "tip out" }));
  svg.append(
    svgEl(
      "g",
      { class: "vm-dims", "data-block": "softmax" },
      ...rows.map(({ group }) => group),
      up,
      tip,
      left,
      point,
      choice,
      chosen,
      word,
    ),
  );
  const all = data.steps.flatMap(({ bars }) => bars);
  const widest = (texts, size) => Math.ceil(texts.reduce((most, words) => Math.max(most, wide(words, size)), 0));
  let at = null;

  const place = (layout) => {
    at = layout;
    const { decoder, bar, text, foot, roomy } = layout;
    const top = 8;
    const wideChoice = Math.min(Math.max(decoder.input.end - decoder.tokens.x, 100), 140);
    const x = decoder.tokens.x;
    const tall = Math.min(foot - 50, 58);
    const y = (foot - tall) / 2 + 2;
    const start = x + wideChoice + 34;
    const labelRoom = Math.min(
      widest(
        all.map(([label]) => label),
        text,
      ) + 2,
      roomy ? 170 : 100,
    );
    const track = start + labelRoom + 8;
    const values =
      widest(
        all.map(([, share]) => percent(share)),
        text,
      ) + 20;
    const name = wide(data.texts.name.softmax, text) + 34;
    const room = Math.max(decoder.card.end - name - values - track, 40);
    Object.assign(layout, {
      choice: { x, y, width: wideChoice, height: tall },
      bars: { track, room, labels: start, labelRoom },
    });
    setAttributes(choice, { x, y, width: wideChoice, height: tall });
    setAttributes(chosen, {
      x: x + wideChoice / 2,
      y: y + tall / 2 + text * 0.55,
      "font-size": text + 4,
      "font-weight": 700,
    });
    setAttributes(word, { x: x + wideChoice / 2, y: y + tall + text, "font-size": text });
    setAttributes(up, { d: `M${x + wideChoice / 2} ${y}V${12}` });
    setAttributes(tip, { d: `M${x + wideChoice / 2 - 7} ${12}h14l-7 -10z` });
    setAttributes(left, { d: `M${start - 4} ${y + tall / 2}H${x + wideChoice + 12}` });
    setAttributes(point, { d: `M${x + wideChoice + 13} ${y + tall / 2 - 7}v14l-10 -7z` });
    rows.forEach((row, index) =>
      placeBar(row, { y: top + index * bar, bar, labels: start, labelRoom, track, room, text }),
    );
  };

  // hidden: the class is to guess.
  const paint = (step, hidden) => {
    const { bars, written } = data.steps[step];
    const { texts } = data;
    rows.forEach((row, index) => {
      const [label, share, before] = bars[index] ?? [];
      row.group.style.display = label === undefined ? "none" : "";
      if (label === undefined) return;
      const { track, room, labelRoom } = at.bars;
      row.label.textContent = hidden ? "?" : clipped(label, labelRoom, at.text, true);
      row.value.textContent = hidden ? "" : percent(share);
      setAttributes(row.bar, { width: hidden ? 0 : Math.max(share * room, 1) });
      setAttributes(row.ghost, { width: hidden || before === null ? 0 : Math.max(before * room, 1) });
      row.ghost.style.display = hidden || before === null || before * room < 3 ? "none" : "";
      const highlighted = !hidden && index === written;
      row.bar.classList.toggle("highlighted", highlighted);
      row.label.setAttribute("font-weight", highlighted ? 700 : 400);
      row.value.setAttribute("x", track + room + 8);
    });
    chosen.textContent = hidden ? "?" : clipped(data.output[step], (at.choice.width - 12) / 1.06, at.text + 4, true);
    word.textContent = data.given_target ? texts.typed : texts.written;
  };

  const barAt = (y) => {
    const index = Math.floor((y - 8) / at.bar);
    return index >= 0 && index < count ? index : null;
  };
  return { place, paint, barAt };
}

function makeBar() {
  const label = svgEl("text", { class: "token", "text-anchor": "end" });
  const value = svgEl("text", {});
  const [track, bar, ghost] = ["track", "bar vm-moves", "ghost vm-moves"].map((kind) =>
    svgEl("rect", { class: kind, rx: 3 }),
  );
  return { label, value, track, bar, ghost, group: svgEl("g", {}, track, bar, ghost, label, value) };
}

function placeBar({ label, value, track, bar, ghost }, { y, bar: pitch, labels, labelRoom, track: x, room, text }) {
  const height = pitch - 6;
  const base = y + pitch / 2 + text * 0.34;
  setAttributes(label, { x: labels + labelRoom, y: base, "font-size": text });
  setAttributes(value, { x: x + room + 8, y: base, "font-size": text });
  setAttributes(track, { x, y: y + 3, width: room, height });
  setAttributes(bar, { x, y: y + 3, height });
  setAttributes(ghost, { x, y: y + 3, height });
}

const TAKES = 350;
const APART = 180; // ms; faster steps do not fly

export function makeFlight(root) {
  let running = null;
  let last = -Infinity;

  const stop = () => {
    running?.();
    running = null;
  };

  // from, to: {x, y} of the middle of the word in px of root; size: its height; hidden: the label that appears where it
  // lands.
  const fly = (text, from, to, size, landing) => {
    stop();
    const now = performance.now();
    const fast = now - last < APART;
    last = now;
    if (fast) return;
    const word = document.createElement("span");
    word.className = "flying";
    word.setAttribute("aria-hidden", "true");
    word.textContent = text;
    word.style.fontSize = `${size}px`;
    root.append(word);
    const at = ({ x, y }, scale) => `translate(${x}px, ${y}px) translate(-50%, -50%) scale(${scale})`;
    const middle = { x: (from.x + to.x) / 2 - 24, y: (from.y + to.y) / 2 };
    const path = [
      { transform: at(from, 1.15) },
      { transform: at(middle, 1.15), offset: 0.5 },
      { transform: at(to, 1) },
    ];
    const flight = word.animate(path, { duration: TAKES, easing: "cubic-bezier(.3,.1,.2,1)" });
    const arrival = landing?.animate([{ opacity: 0 }, { opacity: 0, offset: 0.8 }, { opacity: 1 }], {
      duration: TAKES,
    });
    running = () => {
      flight.cancel();
      arrival?.cancel();
      word.remove();
    };
    flight.onfinish = stop;
  };
  return { fly, stop };
}
