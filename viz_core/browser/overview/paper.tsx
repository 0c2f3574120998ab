// Figure 1 of the paper, live for this sentence: the paper's boxes, with the weights of the current layer and head, the tokens
// read and the token written. A box opens the same block of the flow.

import { type ComponentChildren, render } from "preact";
import { nth } from "../../web/src/payload";
import { keys } from "../../web/src/ui/elements";
import { setAttributes } from "../kit/dom";
import { forAudience } from "../kit/save";
import { fill, grouped, percent } from "../kit/numbers";
import { clipped } from "../kit/pen";
import { KINDS, type Kind, type Thing, stepOf, withOthers } from "./data";
import { weightsPicture } from "./file";
import type { Drawn } from "./layout";
import { Box, Frame, Letters, Memory, type Place, type Plan, type Stack, Wave, isNorm, paperPlan } from "./paper_boxes";

interface PaperProps extends Omit<Drawn, "at"> {
  at: Plan;
  go: (block: string, stack: Stack["name"]) => void; // opens a block, for a token of that stack
  point: (thing: Thing | null) => void; // reports the hovered thing
}

// width, height: px.
export function drawPaper(
  svg: Element,
  { at: { text }, ...drawn }: Drawn,
  { width, height, ...acts }: Pick<PaperProps, "go" | "point"> & Record<"width" | "height", number>,
) {
  const { norm, final_norm: hasEnd, bars } = drawn.data;
  const at = paperPlan({ width, height, text, norm, hasEnd, bars });
  setAttributes(svg, { width, height, viewBox: `0 0 ${width} ${height}` });
  render(<Paper {...drawn} {...acts} at={at} />, svg);
}

function Paper({ at, data, store, wide, go, point, hidden, guess }: PaperProps) {
  const { view, theme } = store;
  const { texts } = data;
  const { paper: words } = texts;
  const { step, layer, head } = view;
  // The first text that fits, or the last one clipped.
  const fitting = (all: string[], room: number): string =>
    all.find((one) => wide(one, at.text) <= room) ?? clipped(all.at(-1) ?? "", room, at.text);
  const titleOf = (stack: Stack, kind: string): string => words[`${stack.name}_${kind}` as "add"] ?? words[kind as "add"];
  const read = data.target.slice(0, step + 1).join(" ");
  const units = { firing: grouped(data.firing("decoder", layer, step)), units: grouped(data.units) };
  const live: Record<string, (room: number) => string> = {
    "encoder tokens": () => clipped(data.source.join(" "), at.box.width + 40, at.text),
    "decoder tokens": () => fitting([read, `… ${data.target[step]}`], at.box.width + 40),
    "decoder output": (room) => (hidden ? "?" : clipped(nth(data.output, step), room, at.text, true)),
    "decoder ffn": (room) => fitting([fill(words.ffn_firing, units), words.ffn], room),
  };
  const nameOf = (stack: Stack, { kind, block }: Place, room: number) => {
    const whole = titleOf(stack, kind);
    const named = () => fitting(isNorm(kind) ? [whole] : [whole, texts.name[block] ?? whole], room);
    return (live[`${stack.name} ${kind}`] ?? named)(room);
  };
  const pictureOf = (stack: Stack, kind: Kind) => {
    const rows = stack.name === "encoder" ? data.S : step + 1;
    const blank = kind === "cross" && guess ? step : null;
    const high = at.thumbnail.height / data.T;
    const row = stack.name === "decoder" ? { y: step * high, height: high } : { height: 0 };
    return { href: weightsPicture(data, kind, [layer, head], rows, blank, theme), row };
  };
  // A group that can be pressed by mouse or keyboard, and is described while hovered or focused.
  const acting = (key: string, label: string, block: string, stack: Stack["name"], children: ComponentChildren) => {
    const open = () => go(block, stack);
    const [enter, leave] = [() => point({ block }), () => point(null)];
    const press = (event: KeyboardEvent) => event.key === "Enter" && open();
    const acts = { onClick: open, onPointerEnter: enter, onFocus: enter, onPointerLeave: leave, onBlur: leave };
    return (
      <g key={key} class="vm-box acts" role="button" tabindex={0} aria-label={label} {...acts} onKeyDown={keys(press)}>
        {children}
      </g>
    );
  };
  return (
    <>
      {[at.encoder, at.decoder].map((stack) => [
        <Frame key="frame" at={at} stack={stack} times={`${data.depth[stack.name]} ×`} />,
        acting("wave", words.positions.join(" "), "embedding", stack.name, <Wave at={at} stack={stack} names={words.positions} />),
        ...stack.boxes.map((place) => {
          const kind = KINDS.find((name) => name === place.kind);
          const picture = kind && pictureOf(stack, kind);
          const box = <Box {...{ at, place, picture, name: (room: number) => nameOf(stack, place, room) }} />;
          return acting(String(place.row), titleOf(stack, place.kind), place.block, stack.name, box);
        }),
      ])}
      {acting("memory", texts.name.memory, "memory", "encoder", <Memory at={at} name={texts.name.memory} />)}
      <Bars {...{ at, data, step, hidden }} />
      {words[`about_${data.norm}`].map((line, index) => {
        const place = {
          x: 10,
          y: at.text * (0.9 + index * 1.3),
          "text-anchor": "start",
          class: index ? "quiet" : undefined,
        } as const;
        return <Letters key={line} at={at} words={forAudience(line, view)} {...place} />;
      })}
    </>
  );
}

// The most probable next tokens.
function Bars({ at, data, step, hidden }: Pick<PaperProps, "at" | "data" | "hidden"> & { step: number }) {
  const { bars: named, written } = stepOf(data, step);
  const { lines, from, label, track } = at.bars;
  return withOthers(data, step).map(([token, share], index) => {
    const y = nth(lines, index);
    const isChosen = !hidden && index === written;
    const isOthers = index === named.length;
    const words = hidden && !isOthers ? "?" : clipped(token, label, at.text, true);
    const bar = { ...track, y: y - 9, height: 18, rx: 3 };
    const width = hidden ? 0 : Math.max(share * track.width, 1);
    const bold = { "font-weight": isChosen ? 700 : 400, class: isOthers ? "quiet" : "token" };
    const value = { x: track.x + track.width + 8, y, "text-anchor": "start" } as const;
    return (
      <g key={index}>
        <rect class="track" {...bar} />
        <rect class={`bar vm-moves${isChosen ? " highlighted" : ""}`} {...bar} width={width} />
        <Letters at={at} words={words} x={from} y={y} text-anchor="end" {...bold} />
        <Letters at={at} words={hidden ? "" : percent(share)} {...value} />
      </g>
    );
  });
}
