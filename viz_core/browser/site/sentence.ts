// A sentence that the engine explains: what its view `shell` says of it.

import { readTensors } from "../../web/src/payload";
import type { Limits, Question } from "../../web/src/ui/store";
import { fetched } from "../kit/data";
import type { Data as TopBar } from "../top_bar/field";

/** As in an address; target and edits may be empty. */
export type Sentence = Record<"model" | "text" | "target" | "edits", string>;

/** opening: layer and head with a clear pattern, for each attention. */
export type Shell = Pick<TopBar, "source" | "target"> & {
  text: string;
  limits: Partial<Limits>;
  question: Partial<Question>;
  opening: Record<string, [layer: number, head: number]>;
  board: Record<string, unknown>; // of the page What if
  notices: { code: string; values: Record<string, string | number> }[];
};

/** While there is no sentence. */
export const NOTHING: Shell = { source: [], target: [], text: "", limits: {}, question: {}, opening: {}, board: {}, notices: [] };

/** Has the engine explain a sentence, which ends its work on an older one; null if a newer one has ended this. asked: Predict's question. draft: edits that another side shows.
 * Throws an error in one sentence. */
export async function shellOf(sentence: Sentence, lang: string, asked: string, draft = ""): Promise<Shell | null> {
  const answer = await fetched(`data/shell?${new URLSearchParams({ ...sentence, lang, question: asked, draft })}`);
  if (answer === "away") return null;
  if ("error" in answer) throw new Error(answer.error);
  return readTensors<Shell, string>(answer).about;
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
