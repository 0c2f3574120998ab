// The engine as a process, for tests/web/conftest.py: a request in JSON a line, and an answer a line.

import { closeSync, existsSync, openSync, readFileSync, writeFileSync, writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { logitAttribution, logitLens } from "../../viz_core/web/src/engine/analysis/logits";
import { readConfig, readWeights } from "../../viz_core/web/src/engine/config";
import { readGate } from "../../viz_core/web/src/engine/decoding/copying";
import { type BeamSettings, beam } from "../../viz_core/web/src/engine/decoding/beam";
import { likelyLengths, maskPredictSteps } from "../../viz_core/web/src/engine/decoding/non_autoregressive";
import { greedy, type Changes } from "../../viz_core/web/src/engine/decoding/reading";
import { type SampleSettings, sample } from "../../viz_core/web/src/engine/decoding/sampling";
import { explain, type Translator, forcedToken } from "../../viz_core/web/src/engine/explain";
import type { Token } from "../../viz_core/web/src/engine/tokenizer/base";
import { readTokenizer } from "../../viz_core/web/src/engine/tokenizer/library";
import { type Rules, splitterOf } from "../../viz_core/web/src/engine/tokenizer/spacy";
import type { Tensor } from "../../viz_core/web/src/engine/tensor";
import { recorder, type Trace } from "../../viz_core/web/src/engine/taps";
import { encode, forward, type Model } from "../../viz_core/web/src/engine/transformer";
import { answerOf, type Scene, type View, type Words } from "../../viz_core/web/src/engine/views/view";
import { VIEWS } from "../../viz_core/web/src/engine/views/views";
import { memoized } from "../../viz_core/web/src/payload";

type Asked = {
  folder: string; // of the checkpoint
  texts: string[];
  rules: Rules; // of the source
  target_rules: Rules;
  languages: [string, string];
  sentences: string[];
};

type Request = Asked & {
  do: keyof typeof ANSWERS;
  out: string; // the file for arrays
  source: number[];
  target: number[];
  step: number;
  passes: number;
  tokens: number[];
  side: string;
  view: string;
  asked: string; // the parameters of an address
  right?: Asked;
  words: Record<string, object>; // tables of texts by name
  forced?: [number, number][];
  settings: BeamSettings | SampleSettings;
};

const changes = (forced: Request["forced"]): Changes => ({ forced: new Map(forced) });

const text = (path: string) => new TextDecoder().decode(readFileSync(path));
const configOf = memoized((folder: string) => readConfig(JSON.parse(text(`${folder}/config.json`)).model));
const weightsOf = memoized((folder: string) => readWeights(readFileSync(`${folder}/model.safetensors`)));
const modelOf = (folder: string): Model => ({ config: configOf(folder), weights: weightsOf(folder) });
const tokenizerOf = memoized((path: string, folder: string) => readTokenizer(text(path), configOf(folder)));
const splitOf = memoized((rules: string) => splitterOf(JSON.parse(rules)));

const explained = memoized((folder: string, rules: string, targets: string, text: string, target: string, edits: string) =>
  explain(translatorOf(folder, JSON.parse(rules), JSON.parse(targets)), text, target, edits),
);

/** Milliseconds of a core, whatever else the machine does. */
const clock = () => process.cpuUsage().user / 1000;

const listed = (tokens: readonly Token[]) => tokens.map((token) => Object.values(token));

function translatorOf(folder: string, rules: Rules, targetRules: Rules): Translator {
  const [tokenizer, own] = [`${folder}/tokenizer.json`, `${folder}/source_tokenizer.json`];
  return {
    model: modelOf(folder),
    source: { tokenizer: tokenizerOf(existsSync(own) ? own : tokenizer, folder), split: splitOf(JSON.stringify(rules)) },
    target: { tokenizer: tokenizerOf(tokenizer, folder), split: splitOf(JSON.stringify(targetRules)) },
  };
}

function sceneOf(
  { folder, texts: [typed = "", given = "", edits = ""], rules, target_rules: targets, languages, sentences }: Asked,
  words: Words,
): Scene {
  const translator = translatorOf(folder, rules, targets);
  const explanation = explained(folder, JSON.stringify(rules), JSON.stringify(targets), typed, given, edits);
  const name = folder.split("/").at(-1) ?? "";
  const measured = `${folder}/heads.json`;
  const heads = existsSync(measured) ? JSON.parse(text(measured)) : null;
  const others = (model: string) => translatorOf(`${folder}/../${model}`, rules, targets);
  const stored = `${folder}/copy_gate.safetensors`;
  const digest = JSON.parse(text(`${folder}/config.json`)).sha256?.["model.safetensors"];
  const gate = existsSync(stored) ? readGate(readFileSync(stored), digest) : null;
  return { ...translator, name, explanation, languages, words, heads, gate, sentences, others };
}

const ANSWERS = {
  /** Writes every site of a teacher-forced pass; tells how long it took, in ms. */
  pass({ folder, out, source, target }: Request) {
    const [model, trace]: [Model, Trace] = [modelOf(folder), new Map()];
    const start = clock();
    forward(model, source, target, recorder(trace));
    const ms = clock() - start;
    write(out, trace);
    return { ms };
  },
  /** What is arithmetic on the trace of a pass, at one step. */
  analyse({ folder, out, source, target, step, tokens: [token = 0, rival] }: Request) {
    const [model, trace]: [Model, Trace] = [modelOf(folder), new Map()];
    forward(model, source, target, recorder(trace));
    write(out, new Map([["lens", logitLens(model, trace, step)]]));
    return logitAttribution(model, trace, step, token, rival);
  },
  /** How long greedy decoding takes, its trace included. */
  greedy({ folder, source }: Request) {
    const start = clock();
    greedy(modelOf(folder), source);
    return { ms: clock() - start };
  },
  /** The whole tree of a beam search. */
  beam: ({ folder, source, forced, settings }: Request) => beam(modelOf(folder), source, settings as BeamSettings, changes(forced)),
  /** The tokens after each pass of mask-predict, of the most probable length. */
  fill({ folder, source, passes }: Request) {
    const [model, encoded] = [modelOf(folder), encode(modelOf(folder), source)];
    return maskPredictSteps(model, encoded, likelyLengths(model, encoded, 1)[0] ?? 1, passes);
  },
  /** The steps of each draw. */
  sample: ({ folder, source, forced, settings }: Request) =>
    sample(modelOf(folder), source, settings as SampleSettings, changes(forced)),
  /** A sentence and its translation, or a typed target, with edits. */
  explain({ folder, out, texts: [typed = "", given, edits], rules, target_rules: targetRules }: Request) {
    const [model, start] = [translatorOf(folder, rules, targetRules), clock()];
    const { trace, source, target, output, ...rest } = explain(model, typed, given, edits);
    const ms = clock() - start;
    write(out, trace);
    return { ...rest, source: listed(source.tokens), target: listed(target.tokens), output: listed(output), ms };
  },
  /** Writes what a view answers. */
  view({ out, view, asked, words, right, ...left }: Request) {
    const table = (name: string) => tableOf(words, name);
    const scene = { ...sceneOf(left, table), ...(right && { right: sceneOf(right, table) }) };
    writeFileSync(out, answerOf(VIEWS[view] as View, scene, new URLSearchParams(asked)));
    return {};
  },
  /** The tokens that typed texts stand for. */
  forced: ({ folder, texts }: Request) =>
    texts.map((typed) => Object.values(forcedToken(typed, tokenizerOf(`${folder}/tokenizer.json`, folder)))),
  /** The words of each text: [text, start, end]. */
  words: ({ texts, rules }: Request) =>
    texts.map(splitOf(JSON.stringify(rules))).map((words) => words.map((word) => Object.values(word))),
  /** The tokens of each text, and of what they spell: [id, label, word, start, end, first]. */
  tokens({ folder, texts, rules, side }: Request) {
    const [tokenizer, split] = [tokenizerOf(`${folder}/${side}.json`, folder), splitOf(JSON.stringify(rules))];
    return texts.map((typed) => {
      const { tokens } = tokenizer.encode(typed, split);
      const read = tokenizer.read([...tokens.map(({ id }) => id), configOf(folder).eos_id], split);
      return {
        tokens: tokens.map((token) => Object.values(token)),
        text: read.text,
        read: read.tokens.map((token) => Object.values(token)),
      };
    });
  },
};

function tableOf(words: Request["words"], name: string) {
  const table = words[name];
  if (!table) throw new Error(`LIVE_TEXTS lacks ${name}`);
  return table;
}

/** Writes arrays as a safetensors file. */
function write(path: string, trace: ReadonlyMap<string, Tensor>) {
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
