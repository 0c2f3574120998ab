import assert from "node:assert/strict";
import { test } from "node:test";
import { ROOM, drawn, payload, view } from "./drawn";
import { readStream, residualStream, streamAt } from "../../pages/residual/browser/residual_stream";
import { underPoint } from "../../viz_core/web/src/figure";

const STOPS = ["input", "add 0 self_attn", "add 0 ffn", "add 1 self_attn", "norm"].map((stop) => stop.split(" "));
const at = (more: object = {}) => view({ sublayer: "encoder_self_attn", ...more });

function stream(lengths: number[], stack = "encoder", rise = 0) {
  const stops = STOPS.map(([kind, layer, block = ""]) => ({ kind, layer: layer ? Number(layer) : null, block }));
  const tokens = ["cat", "sat", "⟨/s⟩", "<b>", "x"].slice(0, lengths.length);
  const tensors = {
    lengths: STOPS.map((_, stop) => lengths.map((each) => each + rise * stop)),
    added: STOPS.map(() => lengths.map(() => 7)),
  };
  return readStream(payload(tensors, { stack, stops, sublayer: `${stack}_self_attn`, tokens }));
}

test("both axes end above the picked token, whatever its numbers, and a note names those that leave", () => {
  const data = stream([20, 24, 512, 90.4, 300]);
  const shown = streamAt(data, at());
  assert.ok(shown.own.ends.lengths >= 22 && shown.own.ends.lengths <= 32 && shown.own.ends.added <= 16);
  assert.equal(shown.beyond, "Beyond the axis: «⟨/s⟩», up to 512; «x», up to 300; «<b>», up to 90");
  assert.ok(streamAt(stream([20, 60, 512, 90.4, 300]), at()).beyond.endsWith("; 1 more, up to 60"));
  assert.equal(streamAt(data, at({ token: 2 })).beyond, "");
  assert.ok(streamAt(stream([Number.NaN, Number.POSITIVE_INFINITY]), at()).own.ends.lengths > 0);
});

test("the decoder has not read later tokens", () => {
  const data = stream([1, 2, 3, 4], "decoder");
  assert.deepEqual([streamAt(data, at()).read.length, streamAt(data, at({ step: 2 })).read.length], [1, 3]);
});

test("the pointer finds the nearest curve, and the keys the next sub-layer and token", () => {
  const shown = streamAt(stream([10, 12], "encoder", 1), at());
  const scene = residualStream.scene(shown, ROOM, null);
  const [from = 0, to = 0] = scene.sight ?? [];
  const [curve] = drawn(scene.marks).filter(({ kind, style }) => kind === "lines" && style.stroke === "quiet");
  const spot = underPoint(scene, (from + to) / 2, (curve?.at[3] ?? 0) + 2);
  assert.deepEqual([spot?.at, spot?.token.label], [1, "sat"]);
  assert.equal(residualStream.reading(shown, spot), "«sat» after attention: 13.00");
  assert.equal(residualStream.reading(shown, null), "«cat» after attention: 11.00    «cat»: attention adds 7.00");
  const { across, down } = residualStream.keys?.(shown) ?? assert.fail();
  assert.deepEqual([across.at, across.count], [0, 3]);
  assert.deepEqual([across.to(2), down.to(1)], [{ layer: 1, sublayer: "encoder_self_attn" }, { token: 1 }]);
  assert.deepEqual(
    [0, 2].map((at) => residualStream.pick?.(shown, { at, token: shown.own })),
    [null, { layer: 0, sublayer: "encoder_ffn" }],
  );
  assert.deepEqual(residualStream.asks?.({ sublayer: "encoder_ffn" }), { sublayer_encoder: "encoder_ffn" });
});
