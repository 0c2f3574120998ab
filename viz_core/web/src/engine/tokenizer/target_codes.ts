// Codes such as >>fra<< at the start of a text, which name the target language, as in viz_core/tokenizer/target_codes.py.

import { signsOf, stripped } from "./text";

const COMMON = ["eng", "fra", "deu", "spa", "ita", "por", "rus", "cmn_Hans", "zho", "jpn", "ara"].map((code) => `>>${code}<<`);
const NAMED = 8; // how many a message lists

/** The code at the start of a text; empty if there is none. */
export const codeOf = (text: string) => /^>>.*?<</su.exec(text)?.[0] ?? "";

/** The codes in a vocabulary, those of widely spoken languages first, the rest sorted. */
export function codesOf(vocab: Iterable<string>) {
  const rank = (code: string) => (COMMON.includes(code) ? COMMON.indexOf(code) : COMMON.length);
  return Array.from(vocab)
    .filter((entry) => /^>>[^<>\s]+<<$/u.test(entry))
    .sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
}

/** The notice on a text without a code that the model knows. codes: of the model; empty if it has one target language. */
export function problem(codes: readonly string[], text: string): [string, Record<string, string>] | null {
  const [code, typed] = [codeOf(text), stripped(text)];
  if (!codes.length || !typed || codes.includes(code)) return null;
  const some = codes.slice(0, NAMED).join(", ") + (codes.length > NAMED ? ` … (${codes.length})` : "");
  const begun = (text: string) => signsOf(text).slice(0, 40).join("");
  return code
    ? ["code_unknown", { code: begun(code), codes: some }]
    : ["code_wanted", { codes: some, example: `${codes[0]} ${begun(typed)}` }];
}
