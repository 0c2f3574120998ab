import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { type Answer, answering, type Request } from "../../viz_core/web/src/engine/answering";

const FOLDER = "checkpoints/zh-en-tiny"; // its source needs no rules but that each character is a word
const text = (name: string) => new TextDecoder().decode(readFileSync(`${FOLDER}/${name}`));
const files = () => ({
  config: JSON.parse(text("config.json")),
  weights: readFileSync(`${FOLDER}/model.safetensors`),
  tokenizer: text("tokenizer.json"),
  rules: { language: "zh" },
  target_rules: { language: "zh" },
  sentences: [],
  languages: ["zh", "en"] as [string, string],
});

function service() {
  const answers: Answer[] = [];
  const ask = answering(
    (answer) => answers.push(answer),
    () => Promise.resolve(),
    0,
  );
  const of = (id: number) => answers.filter((answer) => answer.id === id);
  return { of, ask: (request: Request) => ask(request) };
}

const shell = (sentence: string) => `data/shell?${new URLSearchParams({ model: "tiny", text: sentence })}`;

test("a newer sentence ends an older one, and each tells how much is written", async () => {
  const { ask, of } = service();
  await ask({ id: 1, open: { model: "tiny", files: files() } });
  assert.deepEqual(of(1), [{ id: 1 }]);
  await Promise.all([ask({ id: 2, address: shell("你好！") }), ask({ id: 3, address: shell("汤姆在睡觉。") })]);
  assert.deepEqual(of(2), [
    { id: 2, written: 0 },
    { id: 2, ended: true },
  ]);
  const told = of(3);
  assert.ok(told.slice(0, -1).every((answer, step) => answer.written === step) && told.at(-1)?.answer);
});

test("views of one sentence share its translation, and one about the model alone needs no sentence", async () => {
  const { ask, of } = service();
  await ask({ id: 1, open: { model: "tiny", files: files() } });
  await ask({ id: 2, address: "data/projection_weights?model=tiny&kind=self&role=q&layer=0&head=0" });
  assert.ok(of(2)[0]?.answer);
  await ask({ id: 3, address: shell("你好！") });
  await ask({ id: 4, address: shell("你好！").replace("shell", "next_token") });
  assert.ok(of(4).length === 1 && of(4)[0]?.answer);
});

test("what goes wrong is told in one sentence", async () => {
  const { ask, of } = service();
  const other = '{"type": "other"}';
  const { config, weights } = files();
  const sha256 = { ...config.sha256, "tokenizer.json": createHash("sha256").update(other).digest("hex") };
  await ask({ id: 1, address: shell("a") });
  await ask({ id: 2, open: { model: "tiny", files: { ...files(), tokenizer: other, config: { ...config, sha256 } } } });
  await ask({ id: 3, open: { model: "tiny", files: { ...files(), tokenizer: other } } });
  await ask({ id: 4, open: { model: "tiny", files: { ...files(), weights: weights.subarray(0, 99) } } });
  Object.defineProperty(globalThis, "crypto", { value: {}, configurable: true, writable: true }); // as on a page that came by http
  await ask({ id: 5, open: { model: "tiny", files: { ...files(), sum: 7 } } });
  await ask({ id: 6, open: { model: "tiny", files: files() } });
  assert.ok(of(5)[0]?.error?.includes("are not those of this model"));
  assert.equal(of(6)[0]?.error, undefined);
  const said = [1, 2, 3, 4].map((id) => of(id)[0]?.error?.split(/ of this|, exp/)[0]);
  const sizes = ["tokenizer.json: its 17 bytes are not those", "model.safetensors: its 99 bytes are not those"];
  assert.deepEqual(said, ["the model tiny is not open", "a vocabulary of kind other", ...sizes]);
});
