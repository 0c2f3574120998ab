// The engine as a service that answers the addresses of views: in a Web Worker (worker.ts), in a test in the test itself.

import { bytesOf, inflated, interleaved } from "../payload";
import { readConfig, readWeights, verified, type Weights } from "./config";
import { readGate } from "./decoding/copying";
import { type Explanation, explaining, type Translator } from "./explain";
import { readTokenizer } from "./tokenizer/library";
import { type Rules, splitterOf } from "./tokenizer/spacy";
import type { StoredHeads } from "./views/heads";
import { answerOf, type Scene, type Words } from "./views/view";
import { VIEWS } from "./views/views";

/** The files of a checkpoint, the rules for words of its two languages, their codes, and our own sentences in the first. sha256: of the
 * other files, in hex. weights: their bytes, or a text as a live file packs them. sum: of the weights. */
export type Files = {
  config: { model: object; sha256: Readonly<Record<string, string>> };
  weights: Uint8Array | string;
  tokenizer: string;
  source_tokenizer?: string;
  heads?: string;
  copy_gate?: Uint8Array;
  rules: Rules;
  target_rules: Rules;
  sentences: string[];
  languages: [string, string];
  sum?: number;
};

/** open: a model by its name. words: tables of texts by language. address: of a view. */
export type Request = {
  id: number;
  open?: { model: string; files: Files };
  words?: Record<string, ReturnType<Words>>;
  lang?: string;
  address?: string;
};

/** written: tokens so far; share: of a long computation, 0 to 1. ended: a newer sentence took the place of this one. */
export type Answer = {
  id: number;
  written?: number;
  share?: number;
  answer?: Uint8Array;
  ended?: true;
  error?: string;
};

type Open = Translator & Pick<Files, "languages" | "sentences"> & { heads: StoredHeads | null; gate: Weights | null };

const KEPT = 2; // explanations: those of two sides
const ENDED = new Error("a newer sentence is wanted");

/** Raises an error in one sentence if a file is not the one that its config.json names. */
export async function translatorOf(files: Files): Promise<Open> {
  const { sha256 } = files.config;
  if (typeof files.weights === "string") files.weights = interleaved(await inflated(bytesOf(files.weights)));
  await verified("model.safetensors", files.weights, sha256["model.safetensors"], files.sum);
  for (const name of ["tokenizer", "source_tokenizer"] as const) {
    const text = files[name];
    if (text !== undefined) await verified(`${name}.json`, text, sha256[`${name}.json`]);
  }
  const model = { config: readConfig(files.config.model), weights: readWeights(files.weights) };
  const target = { tokenizer: readTokenizer(files.tokenizer, model.config), split: splitterOf(files.target_rules) };
  const own = files.source_tokenizer ? readTokenizer(files.source_tokenizer, model.config) : target.tokenizer;
  const heads: StoredHeads | null = files.heads ? JSON.parse(files.heads) : null;
  return {
    model,
    source: { tokenizer: own, split: splitterOf(files.rules) },
    target,
    languages: files.languages,
    sentences: files.sentences,
    heads: heads?.sha256 === sha256["model.safetensors"] ? heads : null, // or of other weights
    gate: files.copy_gate ? readGate(files.copy_gate, sha256["model.safetensors"]) : null,
  };
}

/** Answers requests by `send`; `turn` lets messages arrive between two steps, so that a newer sentence ends an older one. pause: ms of
 * work after which it does so. */
export function answering(send: (answer: Answer) => void, turn: () => Promise<void>, pause = 16) {
  const models = new Map<string, Open>();
  const words = new Map<string, Record<string, ReturnType<Words>>>();
  const explained = new Map<string, Promise<Explanation>>(); // by sentence, the most recently used last
  const wanted = new Set<string>(); // sentences that the page shows

  // A page asks for the view `shell` of its sentence first: then no other sentence is wanted any more.
  async function answer(id: number, address: string) {
    const [path = "", query = ""] = address.split("?");
    const [view, asked] = [path.slice(path.lastIndexOf("/") + 1), new URLSearchParams(query)];
    const make = VIEWS[view];
    if (!make) throw new Error(`the engine has no view ${view}`);
    if (view === "shell") {
      if (wanted.size === 1 && !wanted.has(keyOf(asked, SENTENCE))) explained.clear(); // nothing shows it any more
      wanted.clear();
    }
    const scene = await sceneOf(id, asked, SENTENCE);
    if (!asked.has("right_model")) {
      const made = make(scene, asked);
      return made instanceof Uint8Array ? made : inSteps(id, made, keyOf(asked, SENTENCE));
    }
    const names = SENTENCE.map((name) => `right_${name}`);
    const explaining = sceneOf(id, asked, names);
    // The page needs the left side, whatever the right one lacks.
    const right = await (view === "shell" ? explaining.catch(() => undefined) : explaining);
    return answerOf(make, { ...scene, right }, asked);
  }

  async function sceneOf(id: number, asked: URLSearchParams, names: readonly string[]): Promise<Scene> {
    const [model = "", text = "", target = "", edits = ""] = names.map((name) => asked.get(name) ?? "");
    const open = opened(model);
    const tables = words.get(asked.get("lang") ?? "en") ?? {};
    const scene = { ...open, name: model, words: (name: string) => tables[name] ?? {}, others: opened };
    if (!asked.has(names[1] as string)) return { ...scene, explanation: NONE }; // a view about the model alone
    const key = keyOf(asked, names);
    wanted.add(key);
    const explanation = await (explained.get(key) ?? keep(key, inSteps(id, explaining(open, text, target, edits), key)));
    return { ...scene, explanation };
  }

  function opened(model: string) {
    const open = models.get(model);
    if (!open) throw new Error(`the model ${model} is not open`);
    return open;
  }

  function keep(key: string, explanation: Promise<Explanation>) {
    explained.set(key, explanation);
    for (const old of [...explained.keys()].slice(0, -KEPT)) explained.delete(old);
    explanation.catch(() => explained.delete(key));
    return explanation;
  }

  async function inSteps<Made>(id: number, steps: Generator<unknown, Made>, key: string) {
    for (let began = performance.now(); ; ) {
      const { done, value } = steps.next();
      if (done) return value;
      if (performance.now() - began < pause) continue;
      if (typeof value === "number") send({ id, share: value });
      else if (Array.isArray(value)) send({ id, written: value.length });
      await turn();
      if (!wanted.has(key)) throw ENDED;
      began = performance.now();
    }
  }

  return async ({ id, open, words: tables, lang = "en", address = "" }: Request) => {
    try {
      if (tables) words.set(lang, tables);
      if (open) models.set(open.model, await translatorOf(open.files));
      send(tables || open ? { id } : { id, answer: await answer(id, address) });
    } catch (error) {
      send(error === ENDED ? { id, ended: true } : { id, error: (error as Error).message });
    }
  };
}

const keyOf = (asked: URLSearchParams, names: readonly string[]) => JSON.stringify(names.map((name) => asked.get(name) ?? ""));

const NONE = {} as Explanation;
const SENTENCE = ["model", "text", "target", "edits"];
