// Figure 1 of the paper, alive with this sentence: the boxes in the paper's order, with the weights of the current layer
// and head, what is read and what is written. A box leads to the same block of the flow.

import { onKeys } from "../kit/composing.js";
import { fill, grouped, percent } from "../kit/numbers.js";
import { setAttributes, setText, svgEl } from "../kit/dom.js";
import { forAudience } from "../kit/instructions.js";
import { clipped } from "../kit/pen.js";
import { withOthers } from "./data.js";
import { weightsPicture } from "./images.js";
import { isNorm, paperPlan } from "./paper_plan.js";
import { drawBox, drawStack, drawWave, letters, memoryPath } from "./paper_boxes.js";

const ATTENTIONS = { self: "encoder", masked: "decoder", cross: "decoder" };

// go(block, stack): opens it, for a token of that stack; point(thing): as the flow's pointer. Returns { place, paint }.
export function makePaper(svg, data, theme, wide, { go, point }) {
  const { texts, norm } = data;
  const words = texts.paper;
  let at = null;
  let live = {}; // what changes with the step: by kind, tokens and output by stack and kind
  let bars = [];

  // The first of some texts that fits, or what fits of the last.
  const fitting = (all, room) => all.find((one) => wide(one, at.text) <= room) ?? clipped(all.at(-1), room, at.text);

  const place = (width, height, text, lecture) => {
    const count = Math.max(...data.steps.map((step) => step.bars.length)) + 1;
    at = paperPlan({ width, height, text, norm, hasEnd: data.final_norm, bars: count });
    setAttributes(svg, { width, height, viewBox: `0 0 ${width} ${height}` });
    live = {};
    const stacks = [at.encoder, at.decoder].flatMap((stack) => [
      ...drawStack(at, stack, `${data.depth[stack.name]} ×`),
      makeWave(stack),
      ...stack.boxes.map((box) => makeBox(stack, box)),
    ]);
    const memory = memoryPath(at, texts.name.memory);
    acting(memory, texts.name.memory, () => go("memory", "encoder"), { block: "memory" });
    bars = at.bars.lines.map(makeBar);
    const about = words[`about_${norm}`].map((line, index) =>
      letters(at, forAudience(line, { lecture }), 10, at.text * (0.9 + index * 1.3), "start", {
        class: index ? "quiet" : "",
      }),
    );
    svg.replaceChildren(...stacks, memory, ...bars.flatMap((bar) => Object.values(bar)), ...about);
  };

  const makeWave = (stack) => {
    const wave = drawWave(at, stack, words.positions);
    acting(wave, words.positions.join(" "), () => go("embedding", stack.name), { block: "embedding" });
    return wave;
  };

  const makeBox = (stack, box) => {
    const { kind, block } = box;
    const whole = words[`${stack.name}_${kind}`] ?? words[kind];
    const drawn = drawBox(at, box, (room) =>
      fitting(isNorm(kind) ? [whole] : [whole, texts.name[block] ?? whole], room),
    );
    live[["tokens", "output"].includes(kind) ? `${stack.name} ${kind}` : kind] = drawn;
    acting(drawn.group, whole, () => go(block, stack.name), { block });
    return drawn.group;
  };

  // What can be pressed, with the keyboard too, and is read out when it is pointed at.
  const acting = (group, label, act, thing) => {
    setAttributes(group, { class: "vm-box acts", role: "button", tabindex: 0, "aria-label": label });
    group.addEventListener("click", act);
    onKeys(group, (event) => {
      if (event.key === "Enter") act();
    });
    for (const name of ["pointerenter", "focus"]) group.addEventListener(name, () => point(thing));
    for (const name of ["pointerleave", "blur"]) group.addEventListener(name, () => point(null));
  };

  const makeBar = (y) => {
    const { from, track } = at.bars;
    const box = { ...track, y: y - 9, height: 18, rx: 3 };
    return {
      track: svgEl("rect", { class: "track", ...box }),
      bar: svgEl("rect", { class: "bar vm-moves", ...box }),
      label: letters(at, "", from, y, "end", { class: "token" }),
      value: letters(at, "", track.x + track.width + 8, y, "start"),
    };
  };

  // hidden: the word is to be guessed; hideCross: the strongest source token.
  const paint = ({ step, layer, head }, hidden, hideCross) => {
    if (!at) return;
    const room = at.box.width + 40;
    const read = data.target.slice(0, step + 1).join(" ");
    setText(live["encoder tokens"].words, clipped(data.source.join(" "), room, at.text));
    setText(live["decoder tokens"].words, fitting([read, `… ${data.target[step]}`], room));
    setText(live["decoder output"].words, hidden ? "?" : clipped(data.output[step], at.box.width, at.text, true));
    for (const [kind, stack] of Object.entries(ATTENTIONS)) {
      const rows = stack === "encoder" ? data.S : step + 1;
      const { image, line } = live[kind];
      const picture = weightsPicture(data, kind, layer, head, rows, kind === "cross" && hideCross ? step : null, theme);
      setAttributes(image, { href: picture });
      const high = at.thumbnail.height / data.T;
      const now =
        stack === "decoder" ? { height: high, y: Number(image.getAttribute("y")) + step * high } : { height: 0 };
      setAttributes(line, now);
    }
    const units = { firing: grouped(data.firing("decoder", layer, step)), units: grouped(data.units) };
    setText(live.ffn.words, fitting([fill(words.ffn_firing, units), words.ffn], at.box.width - 12));
    paintBars(withOthers(data, step), data.steps[step], hidden);
  };

  const paintBars = (found, { bars: named, written }, hidden) => {
    bars.forEach(({ track, bar, label, value }, index) => {
      const [token = "", share = 0] = found[index] ?? [];
      const chosen = !hidden && index === written;
      for (const node of [track, bar, label, value]) node.style.display = found[index] ? "" : "none";
      const isOthers = index === named.length;
      const shown = hidden && !isOthers ? "?" : clipped(token, at.bars.label, at.text, true);
      setText(label, shown, { "font-weight": chosen ? 700 : 400, class: isOthers ? "quiet" : "token" });
      setText(value, hidden ? "" : percent(share));
      setAttributes(bar, { width: hidden ? 0 : Math.max(share * at.bars.track.width, 1) });
      bar.classList.toggle("highlighted", chosen);
    });
  };

  return { place, paint };
}
