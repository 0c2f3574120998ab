// The whole drawing as one SVG, for files: its style sheet, and its numbers as small images.

import type { Theme } from "../../web/src/ui/store";
import { setAttributes, svgEl, svgText } from "../kit/dom";
import { FAMILY, CELLS, pixelCanvas } from "../kit/pen";
import type { Layout } from "./layout";
import type { Word } from "./names";
import { ladder, pixel } from "../kit/svg_pen";
import type { Kind, Overview } from "./data";

export function drawingStyle(theme: Theme) {
  const moves = theme.still
    ? ""
    : `
.vm-moves { transition: transform 220ms ease, width 220ms ease; }
.ribbons g { transition: opacity 120ms; }`;
  return `
.vm {
  font-family: ${FAMILY};
  font-variant-numeric: tabular-nums;
}
.vm text { fill: ${theme.ink}; }
.vm text.quiet { fill: ${theme.quiet}; }
.vm .lane.encoder { fill: ${theme.encoder}; }
.vm .lane.decoder { fill: ${theme.decoder}; }
.vm .card, .vm .deck { fill: ${theme.surface}; stroke: ${theme.quiet}; }
.vm .block { fill: ${theme.surface}; stroke: ${theme.line}; }
.vm .tab { fill: ${theme.panel}; stroke: ${theme.line}; }
.vm .tab.highlighted { fill: ${theme.accent}; stroke: ${theme.accent}; stroke-width: 3; }
.vm .bus { fill: none; stroke: ${theme.quiet}; stroke-linecap: round; stroke-linejoin: round; }
.vm .arrow { fill: none; stroke: ${theme.output}; stroke-width: 3; }
.vm .tip { fill: ${theme.output}; }
.vm .now { fill: ${theme.accent}; fill-opacity: ${theme.dark ? 0.18 : 0.12}; stroke: ${theme.accent}; stroke-opacity: 0.4; stroke-width: 1.5; }
.vm .plus { fill: none; stroke: ${theme.quiet}; stroke-width: 2; }
.vm .slot { fill: none; stroke: ${theme.line}; stroke-dasharray: 3 4; }
.vm .slot.next { stroke: ${theme.output}; stroke-width: 2.5; stroke-dasharray: 5 4; }
.vm .print { image-rendering: pixelated; }
.vm .token { white-space: pre; unicode-bidi: isolate; }
.vm .token.highlighted, .vm .token.read, .vm .token.hot { font-weight: 700; }
.vm .hatch { fill: url(#vm-hatch); }
.vm #vm-hatch rect { fill: ${theme.panel}; }
.vm #vm-hatch path { stroke: ${theme.masked}; stroke-width: 2.5; }
.vm .ribbons path { fill: ${theme.weight}; }
.vm .ribbons path.hot { stroke: ${theme.ink}; stroke-width: 1.5; }
.vm .track { fill: ${theme.panel}; }
.vm .bar { fill: ${theme.output}; fill-opacity: .6; }
.vm .bar.highlighted { fill-opacity: 1; stroke: ${theme.output_text}; stroke-width: 1.5; }
.vm .chosen { fill: ${theme.output_text}; }
.vm .end-of-wire { fill: ${theme.quiet}; }
.vm .ghost { fill: none; stroke: ${theme.quiet}; stroke-width: 1.5; stroke-dasharray: 3 3; }
.vm .choice { fill: ${theme.surface}; stroke: ${theme.output}; stroke-width: 3; }
.vm .wire { fill: none; stroke: ${theme.quiet}; stroke-width: 1.8; stroke-linejoin: round; stroke-linecap: round; }
.vm .wire.strong { stroke-width: 2.5; }
.vm .wide-wire { fill: none; stroke: transparent; stroke-width: 16; }
.vm .row-now { fill: none; stroke: ${theme.ink}; stroke-width: 1.2; }
.vm .thin { fill: ${theme.panel}; }
.vm .vm-box .block { stroke: ${theme.quiet}; }
.vm .acts { cursor: pointer; }
.vm .acts:hover .block, .vm .acts:focus-visible .block { stroke: ${theme.accent}; stroke-width: 2.5; }
.vm .acts:hover .wire, .vm .acts:focus-visible .wire { stroke: ${theme.accent}; }
.vm .acts:focus { outline: none; }${moves}`;
}

const BELOW = 40; // px for the reading

type Around = { css: string; reading: string; theme: Theme };

/** back, rows, output: the three drawings; top: px by which the rows are scrolled; names: words over the drawings. */
interface Drawing extends Around, Record<"back" | "rows" | "output", SVGSVGElement> {
  top: number;
  at: Layout;
  names: Word[];
}

export function wholeDrawing({ back, rows, output, top, at, names, css, reading, theme }: Drawing) {
  const { width, height, head, view } = at;
  const middle = rows.cloneNode(true) as SVGElement;
  setAttributes(middle, { x: 0, y: head, height: view, viewBox: `0 ${top} ${width} ${view}` });
  const style = { "font-weight": 600, "text-anchor": "middle", lengthAdjust: "spacingAndGlyphs" };
  // As wide as measured here, whatever font the file is opened with; with a background where lines run behind it.
  const word = ({ x, y, text, size, width: wide, ground }: Word) => {
    const box = { x: x - wide / 2 - 9, y: y - size, width: wide + 18, height: size * 1.3 };
    return [
      ...(ground ? [svgEl("rect", { ...box, fill: theme[ground] })] : []),
      svgEl("text", { x, y, "font-size": size, textLength: wide, ...style }, text),
    ];
  };
  const nodes = [...back.cloneNode(true).childNodes, middle, ...output.cloneNode(true).childNodes, ...names.flatMap(word)];
  return standing(nodes, width, height, { css, reading, theme });
}

// The paper's figure as one SVG.
export function wholePaper(figure: SVGSVGElement, around: Around) {
  const { width, height } = figure.viewBox.baseVal;
  return standing(figure.cloneNode(true).childNodes, width, height, around);
}

// A self-contained SVG with the reading below it.
function standing(nodes: Iterable<Node>, width: number, height: number, { css, reading, theme }: Around): string {
  const below = svgEl("text", { x: 10, y: height + 26, "font-size": 18 }, reading);
  return svgText(width, height + BELOW, theme.surface, { class: "vm" }, svgEl("style", {}, css), ...nodes, below);
}

// Numbers as small images: vectors as rows of coloured cells, and a head's weights.

const pictureOf = (width: number, height: number, paint: (pixels: Int32Array) => void): string =>
  pixelCanvas(width, height, paint).toDataURL();

// A picture of `count` vectors' first numbers (prints, in one array), 1 px per number, CELLS numbers per line; below each vector as many
// lines are left empty.
export function printsOf(prints: Float32Array, count: number, limit: number, colours: readonly string[], lines = 1) {
  const table = ladder(colours);
  const size = prints.length / count;
  return pictureOf(CELLS, count * 2 * lines, (pixels) => {
    for (let row = 0; row < count; row += 1)
      prints.subarray(row * size, (row + 1) * size).forEach((value, cell) => {
        pixels[row * 2 * lines * CELLS + cell] = pixel(table, (value / limit + 1) / 2);
      });
  });
}

// The weights of one head, 1 px each, of the first `rows` queries; row `blank` stays empty: it is to be guessed.
export function weightsPicture(
  data: Overview,
  kind: Kind,
  [layer, head]: [layer: number, head: number],
  rows: number,
  blank: number | null,
  theme: Theme,
) {
  const table = ladder(theme.sequential);
  const [down, across] = [data.queries[kind].length, data.keys[kind].length];
  return pictureOf(across, down, (pixels) =>
    data.weights(kind, layer, head).forEach((weight, index) => {
      const row = Math.floor(index / across);
      pixels[index] = pixel(table, row < rows && row !== blank ? weight : 0);
    }),
  );
}
