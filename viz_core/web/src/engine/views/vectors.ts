// Vectors as coloured cells, as in viz_core/browser/vectors_payload.py: many, one a row; or a few of each token.

import { colourLimit } from "../analysis/colour_limit";
import { fill } from "../../payload";
import { concatenated, norm, row, size, type Tensor, tensor } from "../tensor";
import { visible } from "../tokenizer/text";
import { pack, type Scene } from "./view";

type Shown = { side: string | null; labels: readonly string[]; file: string };

/** A number in each cell of a matrix, (n, C), with one focused row; the arguments as in Python. */
export function vectorMatrix(
  { words }: Scene,
  rows: Tensor,
  {
    side,
    labels,
    file,
    titles,
    ends,
    walked,
    first = 1,
    column = null,
    ids = [],
  }: Shown & {
    titles: Record<string, string>;
    ends: readonly [number, number];
    walked: number;
    first?: number;
    column?: number | null;
    ids?: readonly number[];
  },
) {
  const walks = side === "source" ? "token" : "step";
  const texts = { ...words("browser.vectors"), lead: titles.above ?? "", file };
  const named = { above: "", ...titles };
  const about = { labels: labels.map(visible), walked, side, walks, titles: named, ends, first, column, ids, texts };
  return pack({ values: rows }, about);
}

/** A few vectors of each token, each with its length. parts: (T, D) each; scale: the one that sets the ends of a token's colours. */
export function vectorTable(
  { words }: Scene,
  parts: readonly Tensor[],
  { side, labels, file, names, axis, length, scale }: Shown & { names: string[]; axis: string; length: string; scale: number },
) {
  const tokens = [...labels.keys()];
  const about = {
    names,
    notes: tokens.map((at) => parts.map((part) => fill(length, { value: norm(row(part, at)).toFixed(2) }))),
    labels: labels.map(visible),
    side,
    walks: side === "source" ? "token" : "step",
    axis,
    limits: tokens.map((at) => colourLimit([row(parts[scale] as Tensor, at)])),
    first: 1,
    texts: { ...words("browser.vectors"), file },
  };
  const vectors = concatenated(parts, 1).data;
  return pack({ vectors: tensor([tokens.length, parts.length, size(parts[0] as Tensor, -1)], vectors) }, about);
}
