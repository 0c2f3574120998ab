import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { type Answer, answering } from "../../viz_core/web/src/engine/answering";

const FOLDER = "checkpoints/zh-en-tiny"; // its source needs no rules but that each character is a word
const text = (name: string) => new TextDecoder().decode(readFileSync(`${FOLDER}/${name}`));
const open = () => ({
  config: JSON.parse(text("config.json")),
  weights: readFileSync(`${FOLDER}/model.safetensors`),
  tokenizer: text("tokenizer.json"),
  rules: { language: "zh" },
  target_rules: { language: "zh" },
});

test("a newer request ends an older one, and each tells its progress", async () => {
  const answers: Answer[] = [];
  const ask = answering(
    (answer) => answers.push(answer),
    () => Promise.resolve(),
  );
  await ask({ id: 1, open: open() });
  await Promise.all([ask({ id: 2, text: "你好！" }), ask({ id: 3, text: "汤姆在睡觉。" })]);
  const of = (id: number) => answers.filter((answer) => answer.id === id);
  assert.deepEqual(of(1), [{ id: 1, ready: true }]);
  assert.deepEqual(of(2), [
    { id: 2, progress: [] },
    { id: 2, ended: true },
  ]);
  const written = of(3).map(({ progress }) => progress?.length);
  assert.deepEqual(
    written.slice(0, -1),
    written.slice(0, -1).map((_, step) => step),
  );
  assert.ok(of(3).at(-1)?.explanation !== undefined);
});

test("what goes wrong is told in one sentence", async () => {
  const answers: Answer[] = [];
  const ask = answering(
    (answer) => answers.push(answer),
    () => Promise.resolve(),
  );
  await ask({ id: 1, text: "a" });
  const other = '{"type": "other"}';
  const sha256 = { ...open().config.sha256, "tokenizer.json": createHash("sha256").update(other).digest("hex") };
  await ask({ id: 2, open: { ...open(), tokenizer: other, config: { ...open().config, sha256 } } });
  await ask({ id: 3, open: { ...open(), tokenizer: other } });
  await ask({ id: 4, open: { ...open(), weights: open().weights.subarray(0, 99) } });
  assert.deepEqual(
    answers.map(({ error }) => error?.split(/ of this|, exp/)[0]),
    [
      "no model is open",
      "a vocabulary of kind other",
      "tokenizer.json: its 17 bytes are not those",
      "model.safetensors: its 99 bytes are not those",
    ],
  );
});
