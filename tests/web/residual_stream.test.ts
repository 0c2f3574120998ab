import assert from "node:assert/strict";
import { test } from "node:test";
import { type Drawn, drawn, payload, texts } from "./drawn";
import { readStream, residualStream, streamAt } from "../../pages/residual/browser/residual_stream";
import { type View, underPoint } from "../../viz_core/web/src/figure";

const STOPS = [
  ["input", null, ""],
  ["attention", 0, "attn"],
  ["feed-fwd", 0, "ffn"],
  ["attention", 1, "attn"],
  ["end", null, ""],
] as const;
const TEXTS = {
  after: "«[[token]]» after [[stop]]: [[length]]",
  adds: "[[stop]] adds [[length]]",
  beyond: "Beyond: [[tokens]]",
  beyond_token: "«[[token]]», up to [[length]]",
  beyond_more: "[[count]] more, up to [[length]]",
  beyond_between: "; ",
  layer: "layer [[layer]]",
};
const ROOM = { w: 900, h: 500, whole: false };
const view = (more: object) => ({ step: 0, token: 0, layer: 0, sublayer: "attn", ...more }) as Partial<View> as View;

function stream(lengths: number[], own: number[] = [], stack = "encoder") {
  const rows = STOPS.map((_, at) => lengths.map((length, token) => (token ? length : (own[at] ?? length))));
  const about = {
    stack,
    stops: STOPS.map(([name, layer]) => ({ name, layer })),
    sublayers: STOPS.map(([, , sublayer]) => sublayer),
    sublayer: "attn",
    tokens: ["cat", "sat", "⟨/s⟩", "<b>", "x"].slice(0, lengths.length),
    texts: TEXTS,
  };
  return readStream(payload({ lengths: rows, added: STOPS.map(() => lengths.map(() => 10)) }, about));
}

test("both axes end above the picked token, and a note names those that leave", () => {
  const data = stream([20, 24, 512, 90.4, 300]);
  const shown = streamAt(data, view({}));
  assert.ok(shown.own.ends.lengths >= 22 && shown.own.ends.lengths <= 32 && shown.own.ends.added <= 16);
  assert.equal(shown.beyond, "Beyond: «⟨/s⟩», up to 512; «x», up to 300; «<b>», up to 90");
  assert.equal(
    streamAt(stream([20, 60, 512, 90.4, 300]), view({}))
      .beyond.split("; ")
      .at(-1),
    "1 more, up to 60",
  );
  assert.equal(streamAt(data, view({ token: 2 })).beyond, "");
});

test("a longer vector is drawn higher, and stops stand in their order", () => {
  const shown = streamAt(stream([1, 2], [1, 2, 3, 4, 5]), view({ layer: 1 }));
  const all = drawn(residualStream.scene(shown, ROOM, null).marks);
  const curve = all.filter(({ kind, style }) => kind === "lines" && style.stroke === "accent");
  assert.equal(curve.length, 4);
  for (const {
    at: [x1 = 0, y1 = 0, x2 = 0, y2 = 0],
  } of curve)
    assert.ok(x2 > x1 && y2 < y1);
  const names = STOPS.map(([name]) => name as string);
  assert.deepEqual(
    texts(all).filter((words) => names.includes(words)),
    names,
  );
  const isBold = ({ words, style }: Drawn) => words === "layer 2" && style.bold;
  assert.ok(all.some(isBold) && texts(all).includes("layer 1"));
});

test("the decoder has not read later tokens", () => {
  const data = stream([1, 2, 3, 4], [], "decoder");
  assert.deepEqual(
    [0, 2].map((step) => streamAt(data, view({ step })).read.length),
    [1, 3],
  );
});

test("the pointer finds the nearest curve, and the keys the next sub-layer and token", () => {
  const shown = streamAt(stream([10, 12]), view({}));
  const scene = residualStream.scene(shown, ROOM, null);
  const [from = 0, to = 0] = scene.sight ?? [];
  const [curve] = drawn(scene.marks).filter(({ kind, style }) => kind === "lines" && style.stroke === "quiet");
  const spot = underPoint(scene, (from + to) / 2, (curve?.at[1] ?? 0) + 2);
  assert.deepEqual([spot?.at, spot?.token.label], [1, "sat"]);
  assert.equal(residualStream.reading(shown, spot), "«sat» after attention: 12.00");
  assert.equal(residualStream.reading(shown, null), "«cat» after attention: 10.00    attention adds 10.00");
  const { across, down } = residualStream.keys?.(shown) ?? assert.fail();
  assert.deepEqual([across.at, across.count, across.to(2), down.to(1)], [0, 3, { layer: 1, sublayer: "attn" }, { token: 1 }]);
  assert.equal(residualStream.pick?.(shown, { at: 0, token: shown.own }), null);
});

test("numbers that overflow leave the axes with a length", () => {
  const shown = streamAt(stream([Number.NaN, Number.POSITIVE_INFINITY]), view({}));
  assert.ok(shown.own.ends.lengths > 0);
  assert.ok(drawn(residualStream.scene(shown, ROOM, null).marks).length > 0);
});
