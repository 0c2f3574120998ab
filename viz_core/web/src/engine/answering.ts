// The engine as a service that answers the newest request: in a Web Worker (worker.ts), in a test in the test itself.

import { readConfig } from "./config";
import { type Explaining, explaining, type Translator } from "./explain";
import { readTokenizer } from "./tokenizer/read";
import type { Rules } from "./tokenizer/spacy";
import { splitterOf } from "./tokenizer/words";
import { readWeights, verified } from "./weights";

/** The files of a checkpoint, and the rules for words of its two languages. sha256: of the other files, in hex. */
export type Files = {
  config: { model: object; sha256: Readonly<Record<string, string>> };
  weights: Uint8Array;
  tokenizer: string;
  source_tokenizer?: string;
  rules: Rules;
  target_rules: Rules;
};

export type Request = { id: number; open?: Files; text?: string; target?: string; edits?: string };

/** progress: ids written so far. ended: a newer request took the place of this one. */
export type Answer = {
  id: number;
  ready?: true;
  progress?: readonly number[];
  explanation?: unknown;
  ended?: true;
  error?: string;
};

export function translatorOf(files: Files): Translator {
  const model = { config: readConfig(files.config.model), weights: readWeights(files.weights) };
  const target = { tokenizer: readTokenizer(files.tokenizer, model.config), split: splitterOf(files.target_rules) };
  const own = files.source_tokenizer ? readTokenizer(files.source_tokenizer, model.config) : target.tokenizer;
  return { model, source: { tokenizer: own, split: splitterOf(files.rules) }, target };
}

/** Answers requests by `send`; `turn` lets messages arrive between two steps, so that a newer request ends an older one. */
export function answering(send: (answer: Answer) => void, turn: () => Promise<void>) {
  let [newest, translator]: [number, Translator | null] = [-1, null];
  return async ({ id, open, text = "", target, edits }: Request) => {
    newest = id;
    try {
      if (open) {
        const { sha256 } = open.config;
        await verified("model.safetensors", open.weights, sha256["model.safetensors"]);
        await verified("tokenizer.json", open.tokenizer, sha256["tokenizer.json"]);
        if (open.source_tokenizer) await verified("source_tokenizer.json", open.source_tokenizer, sha256["source_tokenizer.json"]);
        translator = translatorOf(open);
        return send({ id, ready: true });
      }
      if (!translator) throw new Error("no model is open");
      const steps: Explaining = explaining(translator, text, target, edits);
      while (true) {
        const { done, value } = steps.next();
        if (done) return send({ id, explanation: value });
        send({ id, progress: [...value] });
        await turn();
        if (newest !== id) return send({ id, ended: true });
      }
    } catch (error) {
      return send({ id, error: (error as Error).message });
    }
  };
}
