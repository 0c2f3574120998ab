// A sentence that the engine explains: what its view `shell` says of it.

import type { Texts } from "../../web/src/address";
import { readTensors } from "../../web/src/payload";
import { textsIn } from "../../web/src/texts";
import type { Exercise, Limits, Question, View } from "../../web/src/ui/store";
import { fetched } from "../kit/data";
import { fill, grouped, percent } from "../kit/numbers";
import { type Data as TopBar, texts } from "../top_bar/field";
import type { Site, SiteModel } from "./data";

const NOTICES: Record<string, string> = textsIn("app.notices");

/** As in an address; target and edits may be empty. */
export type Sentence = Record<"model" | "text" | "target" | "edits", string>;

/** opening: layer and head with a clear pattern, for each attention. */
export type Shell = Pick<TopBar, "source" | "target"> & {
  text: string;
  limits: Partial<Limits>;
  question: Partial<Question>;
  opening: Record<string, [layer: number, head: number]>;
  board: Record<string, unknown>; // of the page What if
  merges: Record<string, number>; // of a side: the most of a word
  rivals: [word: string, words: string][]; // to compare with
  signs: { spelt: number; mean: number } | null; // of a bad translation
  notices: Notice[];
};

/** isRight: about the right side, where there is one. */
type Notice = { code: string; values: Record<string, string | number>; isRight?: boolean };

type Place = Pick<View, "step" | "layer" | "head">;

/** While there is no sentence. */
export const NOTHING: Shell = {
  source: [],
  target: [],
  text: "",
  limits: {},
  question: {},
  opening: {},
  board: {},
  signs: null,
  merges: {},
  rivals: [],
  notices: [],
};

/** Has the engine explain a sentence, which ends its work on an older one; null if a newer one has ended this. asked: Predict's
 * question; draft: edits that another side shows; right: parameters of that side; against: the word that others are compared with, on a
 * page that does so. Throws an error in one sentence. */
export async function shellOf(
  sentence: Sentence,
  lang: string,
  asked: string,
  draft = "",
  right: Texts = {},
  against?: string,
): Promise<Shell | null> {
  const compared: Texts = against === undefined ? {} : { against };
  const answer = await fetched(
    `data/shell?${new URLSearchParams({ ...sentence, lang, question: asked, draft, ...right, ...compared })}`,
  );
  if (answer === "away") return null;
  if ("error" in answer) throw new Error(answer.error);
  return readTensors<Shell, string>(answer).about;
}

/** The exercise of this name, for the sentence and the view's step, layer and head; null if there is none. draft: edits of the page What if. */
export async function exerciseOf(name: string, sentence: Sentence, lang: string, { step, layer, head }: Place, draft: string) {
  if (!name) return null;
  const asked = { ...sentence, lang, name, step: String(step), layer: String(layer), head: String(head), draft };
  const answer = await fetched(`data/exercise?${new URLSearchParams(asked)}`);
  return answer === "away" || "error" in answer ? null : readTensors<Exercise, string>(answer).about;
}

/** The limits of a page with this sentence. */
export const limitsOf = (limits: Limits, { limits: own, question }: Shell): Limits => ({
  ...limits,
  ...own,
  snapshot: null,
  question: { ...limits.question, ...question } as Question,
});

/** The data of the top bar that depend on the sentence. */
export const barOf = ({ source, target, text }: Shell, sentence: Sentence) => ({
  source,
  target,
  typed: { source: sentence.text, target: sentence.target },
  suggested: { source: "", target: text },
});

/** The notices in words, the digits of their numbers grouped. */
export function noticesOf({ notices }: Pick<Shell, "notices">) {
  const written = (value: string | number) => (typeof value === "number" ? grouped(value) : value);
  return notices.map(({ code, values, isRight }) => {
    const named = Object.entries(values).map(([name, value]) => [name, written(value)]);
    const message = fill(NOTICES[code] ?? code, Object.fromEntries(named));
    return isRight ? fill(NOTICES.right as string, { message }) : message;
  });
}

/** Why the translation is probably bad, and the first model of the site for this script, as in viz_core/app/top_bar.py. */
export function doubtOf({ board, signs }: Shell, { models, doubts }: Site, model: string): Pick<TopBar, "doubt" | "fits"> {
  const isForeign = (name: string) => foreignShare(board.words as string[], models[name] as SiteModel) > doubts.script;
  const reasons = {
    script: () => isForeign(model),
    foreign: () => at("spelt") >= doubts.foreign,
    improbable: () => at("mean") < doubts.improbable,
  };
  const at = (sign: "spelt" | "mean") => (signs as NonNullable<Shell["signs"]>)[sign];
  const reason = signs && (["script", "foreign", "improbable"] as const).find((name) => reasons[name]());
  if (!reason) return { doubt: "", fits: null };
  const [language] = (models[model] as SiteModel).languages;
  const values = {
    share: percent(at(reason === "foreign" ? "spelt" : "mean")),
    language: (texts.from as Record<string, string>)[language] ?? language,
  };
  const fitting =
    reason === "script" && Object.keys(models).find((name) => models[name]?.languages[0] !== language && !isForeign(name));
  return { doubt: fill(texts.doubts[reason], values), fits: fitting ? [fitting, fill(texts.switch, { model: fitting })] : null };
}

/** The share of the words with letters that are in another script than the language of a model. */
function foreignShare(words: readonly string[], { scripts }: SiteModel) {
  const own = new RegExp(scripts.map((script) => `\\p{Script=${script}}`).join("|"), "u");
  const letters = words.flatMap((word) => /\p{L}/u.exec(word) ?? []);
  return scripts.length && letters.length ? letters.filter((letter) => !own.test(letter)).length / letters.length : 0;
}
