// The engine as a process, for tests/web/engine.py: a request in JSON a line, and an answer a line.

import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { readConfig } from "../../viz_core/web/src/engine/config";
import { recorder, type Trace } from "../../viz_core/web/src/engine/taps";
import { forward, type Model } from "../../viz_core/web/src/engine/transformer";
import { readWeights } from "../../viz_core/web/src/engine/weights";

type Request = { do: keyof typeof ANSWERS; folder: string; out: string; source: number[]; target: number[] };

const models = new Map<string, Model>();

function modelOf(folder: string) {
  const made = (): Model => ({
    config: readConfig(JSON.parse(new TextDecoder().decode(readFileSync(`${folder}/config.json`))).model),
    weights: readWeights(readFileSync(`${folder}/model.safetensors`)),
  });
  const model = models.get(folder) ?? made();
  models.set(folder, model);
  return model;
}

const ANSWERS = {
  /** Writes every site of a teacher-forced pass; tells how long it took, in ms. */
  pass({ folder, out, source, target }: Request) {
    const [model, trace]: [Model, Trace] = [modelOf(folder), new Map()];
    const start = performance.now();
    forward(model, source, target, recorder(trace));
    const ms = performance.now() - start;
    write(out, trace);
    return { ms };
  },
};

/** Writes arrays as a safetensors file. */
function write(path: string, trace: Trace) {
  let end = 0;
  const header: Record<string, object> = {};
  for (const [name, { shape, data }] of trace) {
    header[name] = { dtype: "F32", shape, data_offsets: [end, end + data.byteLength] };
    end += data.byteLength;
  }
  const json = new TextEncoder().encode(JSON.stringify(header));
  const file = openSync(path, "w");
  const length = new BigUint64Array([BigInt(json.length)]);
  for (const part of [length, json, ...Array.from(trace.values(), ({ data }) => data)]) writeSync(file, part);
  closeSync(file);
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const request: Request = JSON.parse(line);
  try {
    process.stdout.write(`${JSON.stringify(ANSWERS[request.do](request))}\n`);
  } catch (error) {
    process.stdout.write(`${JSON.stringify({ error: String((error as Error).stack) })}\n`);
  }
});
