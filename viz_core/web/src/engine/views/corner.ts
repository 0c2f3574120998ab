// A few cells of a call's tensor, as `corner` in pages/code/corner.py.

import { fill } from "../../payload";
import { axesOf, type SiteName } from "../taps";
import { floats, integers, labelsOf, layersOf, pack, type Scene, siteOf, stepsOf, topIds, vocabularyLabel } from "./view";

const [COLUMNS, TOP_TOKENS] = [4, 3];
const LAYER = /^(encoder|decoder)\.(\d+)\./;

export function corner(scene: Scene, asked: URLSearchParams) {
  const { model, explanation } = scene;
  const { trace } = explanation;
  const words = scene.words("code.corner");
  const most = Number(asked.get("most"));
  const [at, names] = [Number(asked.get("at")), [...trace.keys()]];
  const name = names[at] as SiteName;
  const own = inLayers(name);
  const wholes = own.map((place) => siteOf(trace, place));
  const shapes = [...trace].map(([name, { shape }]) => (isAlone(name) ? shape : [1, ...shape]));
  const axes = axesOf(name);
  const [down, over] = axes.slice(-2);
  const [width = 1, height = 1, maps = 1] = [...(shapes[at] ?? [])].reverse();

  const [source, target] = [labelsOf(explanation.source.tokens), labelsOf(explanation.target.tokens)];
  const [bySource, across] = [/^(source|encoder)/.test(name), name.includes(".cross_attn.")];
  const sourceRows = bySource || (across && down === "Tk");
  const labels = sourceRows ? source : target;
  const sameRows = height !== labels.length; // a mask that is the same for all queries
  const rows = sameRows ? [words.every_row] : labels;
  const here = !sourceRows && !sameRows;
  const [places, columns] = over === "V" ? probable() : firstOnes(bySource || across ? source : target);
  const steps = numbersTo(bySource ? 1 : target.length);
  const first = steps.map((step) => Math.min(Math.max((here ? step : 0) - 1, 0), Math.max(rows.length - most, 0)));
  const cells = wholes.map(({ data }) =>
    numbersTo(maps).map((map) =>
      first.map((from, step) =>
        numbersTo(Math.min(most, rows.length)).map((row) =>
          (places[Math.min(step, places.length - 1)] as number[]).map(
            (at) => data[(map * height + from + row) * width + at] as number,
          ),
        ),
      ),
    ),
  );
  const [mask, heads] = [/\.mask$/.test(name), axes[0] === "h" ? maps : 0];
  const ranges = wholes.map(({ data }) => (mask ? [data.reduce((sum, open) => sum + open, 0)] : ends(data)));
  return pack(
    { cells: floats(cells), first: integers(first) },
    {
      rows,
      columns,
      here,
      mask,
      heads,
      ranges,
      axes: isAlone(name) ? axes : ["B", ...axes],
      at: names.indexOf(own[0] as SiteName),
      shapes,
    },
  );

  /** The same call in each layer that can be chosen, or only itself. */
  function inLayers(name: string) {
    const layers = Math.min(layersOf(model.config, "encoder"), layersOf(model.config, "decoder"));
    const [, stack, layer] = LAYER.exec(name) ?? [];
    return stack && Number(layer) < layers ? numbersTo(layers).map((at) => name.replace(LAYER, `${stack}.${at}.`)) : [name];
  }

  /** Indices and labels of the columns: each step's most probable tokens. */
  function probable(): [number[][], string[][]] {
    const ids = stepsOf(explanation).map(({ logProbs }) => topIds(logProbs, TOP_TOKENS));
    return [ids, ids.map((each) => each.map((id) => vocabularyLabel(scene.target.tokenizer, id)))];
  }

  /** The same first columns for all steps. */
  function firstOnes(keys: readonly string[]): [number[][], string[][]] {
    const places = numbersTo(Math.min(COLUMNS, width));
    return [[places], [places.map((at) => (over === "Tk" ? (keys[at] as string) : fill(words.dimension, { number: at + 1 })))]];
  }
}

/** Whether it is the same for all sentences of a batch. */
const isAlone = (name: string) => name.endsWith(".positions");

const numbersTo = (count: number) => [...Array(count).keys()];

/** The smallest and the largest number, ignoring −∞; none if any number is NaN or ∞. */
function ends(data: Float32Array) {
  const finite = data.filter((value) => value !== Number.NEGATIVE_INFINITY);
  if (!finite.every(Number.isFinite)) return [];
  return [finite.reduce((a, b) => Math.min(a, b)), finite.reduce((a, b) => Math.max(a, b))];
}
