// The overview's rows, one per token, in both lanes: tokens, their vectors as prints, and the ribbons of the three attentions. Only
// rows in view have ribbons.

import { type ComponentChildren, render } from "preact";
import { useMemo } from "preact/hooks";
import { nth } from "../../web/src/payload";
import { BASELINE, clipped } from "../kit/pen";
import { ribbonOutline } from "../lens/travel";
import type { Kind, Side, Stack } from "./data";
import { printsOf } from "./file";
import { type Drawn, HOT, KEY_INSET, type Span, wayBackAt } from "./layout";
import { pointedRibbons, ribbonRows, ribbonsOfRow, shiftOf, strongestSource } from "./scene";
import { range } from "../../web/src/marks/scale";

const UNITS = 4; // lines of hidden units, each as long as in the lens
const READ = 0.05; // least weight at which a source token counts as read

export const drawRows = (svg: Element, drawn: Drawn) => render(<Rows {...drawn} />, svg);

function Rows(drawn: Drawn) {
  const { at, data, store, top, guess, thing } = drawn;
  const { encoder, decoder, pitch, middle } = at;
  const { step, layer, head } = store.view;
  const { self, masked, cross } = pointedRibbons(thing, step);
  const most = strongestSource(drawn);
  const weights = data.weights("cross", layer, head, step);
  const inRow = (row: number, inset: number) => ({ y: row * pitch + inset, height: pitch - 2 * inset });
  const isClosed = (key: number) => !data.allowed("masked", masked?.[0] ?? step, key);
  const { tokens } = decoder;
  const slot = { x: tokens.x - 3, width: tokens.width + 6, rx: 6 };
  const [lane, tip, low, next] = [wayBackAt(at), tokens.x - 4, at.rows * pitch, middle(step + 1)];
  const branch = (row: number) => `M${decoder.bus.x + 3} ${middle(row)}h8m-4 -3.5l4 3.5l-4 3.5`;
  const keys = { x: decoder.keys.x + KEY_INSET, end: decoder.keys.end, width: decoder.keys.width - KEY_INSET };
  const isQuiet = (key: number) => !guess && nth(weights, key) < READ;
  // the step's row, without the source tokens
  const bands = [
    [decoder.x + 3, decoder.card.x - 2],
    [decoder.cross.end, decoder.card.end - 4],
  ] as const;
  // each side scrolls by itself
  const side = (name: Side, ...children: ComponentChildren[]) => (
    <g transform={`translate(0 ${top - at.scrolled(top)[name]})`}>{children}</g>
  );
  return (
    <>
      <clipPath id="vm-written">
        <rect x={0} y={0} width={4000} height={(step + 1) * pitch} />
      </clipPath>
      {side(
        "target",
        bands.map(([x, end]) => (
          <rect
            key={x}
            class="now vm-moves"
            {...{ x, y: 1, width: end - x, height: pitch - 2, rx: 6 }}
            style={{ transform: `translateY(${step * pitch}px)` }}
          />
        )),
        <Prints {...drawn} stack="decoder" />,
        range(data.T)
          .slice(step + 1)
          .map((row) => <rect key={row} class={row === step + 1 ? "slot next" : "slot"} {...slot} {...inRow(row, 3)} />),
        // the written token's way to where it is read next
        step + 1 < data.T && [
          <path key="way" class="arrow" d={`M${lane} ${low}V${next + 6}Q${lane} ${next} ${lane + 6} ${next}H${tip - 7}`} />,
          <path key="tip" class="tip" d={`M${tip} ${next}l-9 -6v12z`} />,
        ],
        <Tokens
          {...drawn}
          all={data.target.slice(0, step + 1)}
          place={tokens}
          kind={(row) => row === step && "highlighted"}
          hot={[masked?.[0], masked?.[1], cross?.[0]]}
        />,
        <Ribbons {...drawn} kind="masked" />,
        // keys that the row's token must not attend to
        range(data.T)
          .filter(isClosed)
          .map((key) => <rect key={key} class="hatch" x={decoder.masked.x} width={16} rx={3} {...inRow(key, 2)} />),
        <Ribbons {...drawn} kind="cross" />,
      )}
      {side(
        "source",
        <Prints {...drawn} stack="encoder" />,
        <Tokens
          {...drawn}
          all={data.source}
          place={encoder.tokens}
          kind={(row) => row === most && "read"}
          hot={[self?.[0], self?.[1], cross?.[1]]} // also the key's own row
        />,
        <Tokens
          {...drawn}
          all={data.source}
          place={keys}
          isFromLeft
          kind={(row) => (row === most ? "read" : isQuiet(row) && "quiet")}
          hot={[cross?.[1]]}
        />,
        <Ribbons {...drawn} kind="self" />,
        <path class="bus" stroke-width={2.5} d={range(data.S).map(branch).join("")} />,
      )}
    </>
  );
}

interface TokensProps extends Drawn {
  all: string[];
  place: Span;
  isFromLeft?: boolean;
  kind: (row: number) => string | false;
  hot: (number | undefined)[]; // rows
}

function Tokens({ at: { font, middle }, all, place: { x, end, width }, isFromLeft = false, kind, hot }: TokensProps) {
  const across = isFromLeft ? ({ x, "text-anchor": "start" } as const) : ({ x: end, "text-anchor": "end" } as const);
  return all.map((words, row) => {
    const isHot = hot.includes(row);
    const names = ["token", kind(row), isHot && "hot"].filter(Boolean).join(" ");
    const size = font + (isHot ? HOT : 0);
    return (
      <text key={row} class={names} {...across} y={middle(row) + font * BASELINE} font-size={size}>
        {clipped(words, width, font, true)}
      </text>
    );
  });
}

// Embedding and position side by side if there is room, else their sum; the active hidden units of the feed-forward; and the memory.
function Prints({ at, data, store, stack }: Drawn & { stack: Stack }) {
  const side = stack === "encoder" ? "source" : "target";
  const { embedding, positions, input, ffn } = at[stack];
  const { limits } = data;
  const print = (name: string, place: Span, limit = 1, layer?: number) => (
    <Print key={`${name} ${layer}`} {...{ at, data, store, name, place, limit, layer, count: data[side].length }} />
  );
  const plus = (row: number) => `M${(embedding?.end ?? 0) + 4} ${at.middle(row)}h8m-4 -4v8`;
  return (
    <g clip-path={stack === "decoder" ? "url(#vm-written)" : undefined}>
      {positions ? (
        <>
          {print(`${side}_embedding`, embedding, limits.input)}
          {print(`${side}_positions`, positions, limits.input)}
          <path class="plus" d={range(data[side].length).map(plus).join("")} />
        </>
      ) : (
        print(`${side}_input`, input, limits.input)
      )}
      {range(data.layers).map((layer) => print(`${stack}_ffn_hidden`, ffn, limits[`${stack}_ffn_hidden`], layer))}
      {stack === "encoder" && print("memory", at.encoder.memory, limits.memory)}
    </g>
  );
}

type PrintProps = Pick<Drawn, "at" | "data" | "store"> & {
  name: string;
  place: Span;
  count: number;
  limit: number;
  layer?: number;
};

// A column of prints, one per row at half its height. layer: pictures of all layers are kept, so that switching is instant.
function Print({ at: { pitch }, data, store, name, place: { x, width }, count, limit, layer }: PrintProps) {
  const { diverging } = store.theme;
  const href = useMemo(
    () =>
      printsOf(data.print(name, ...(layer === undefined ? [] : [layer])), count, limit, diverging, layer === undefined ? 1 : UNITS),
    [data, diverging],
  );
  const style = { display: layer === undefined || layer === store.view.layer ? "" : "none" };
  const area = { x, width, y: pitch / 4, height: count * pitch };
  return <image class="print" {...area} href={href} preserveAspectRatio="none" style={style} />;
}

function Ribbons({ kind, ...drawn }: Drawn & { kind: Kind }) {
  const pointed = pointedRibbons(drawn.thing, drawn.store.view.step)[kind];
  return (
    <g class={`ribbons ${kind}`}>
      {ribbonRows(kind, drawn).map(({ query, isLit, seen, filling }) => (
        <g key={query} class={isLit ? "lit" : ""} style={{ opacity: seen }} fill-opacity={filling}>
          <RibbonRow {...drawn} kind={kind} query={query} hot={query === pointed?.[0] ? pointed[1] : -1} />
        </g>
      ))}
    </g>
  );
}

function RibbonRow({ kind, query, hot, ...drawn }: Drawn & { kind: Kind; query: number; hot: number | undefined }) {
  const { at, data, store } = drawn;
  const { layer, head } = store.view;
  const shift = shiftOf(kind, drawn);
  return useMemo(() => {
    const weights = data.weights(kind, layer, head, query);
    return ribbonsOfRow(weights, query, at, at.place[kind], shift).map((ribbon) => {
      const of = { "data-kind": kind, "data-query": query, "data-key": ribbon.key };
      return <path key={ribbon.key} {...of} d={ribbonOutline(ribbon)} class={ribbon.key === hot ? "hot" : ""} />;
    });
  }, [data, at, layer, head, shift, hot]);
}
