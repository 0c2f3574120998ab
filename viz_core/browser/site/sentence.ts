// A sentence that the engine explains: what its view `shell` says of it.

import { readTensors } from "../../web/src/payload";
import type { Limits, Question, Share, Talk, Words } from "../../web/src/ui/store";
import { fetched } from "../kit/data";
import type { Data as TopBar } from "../top_bar/field";
import type { Texts } from "../../web/src/address";

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

// The rail's data on a site: paths below its root, and its own languages.

export type RailData = {
  sections: [name: string, pages: { name: string; href: string }[]][];
  languages: [code: string, name: string][];
};

export function railOf(data: RailData, pathOf: (page: string) => string, languages: readonly string[]) {
  const known = data.languages.filter(([code]) => languages.includes(code));
  return {
    ...data,
    sections: data.sections.map(([section, pages]) => [section, pages.map((page) => ({ ...page, href: pathOf(page.name) }))]),
    languages: known.length > 1 ? known : [],
  };
}

// What the dialog of the link shows, which the app has from `share.py`.

const ONLY_HERE = /(^|\.)localhost$|^127\.|^\[::1\]$|^0\.0\.0\.0$/;

/** Before somebody asks for the code. onlyHere: says that another machine cannot open the link. */
export const uncoded = (onlyHere: string): Share => ({
  code: "",
  no_code: "",
  problem: ONLY_HERE.test(location.hostname) ? onlyHere : "",
});

/** The code of a link. script: the address of `qr.ts`; tooLong: says so. */
export async function codeOf(link: string, script: string, tooLong: string): Promise<Partial<Share>> {
  try {
    const { qrCode }: typeof import("./qr") = await import(script);
    return { code: qrCode(link) };
  } catch (error) {
    return { no_code: error instanceof RangeError ? tooLong : (error as Error).message };
  }
}

// What `viz_core/app/site/` writes for a page without a server.

/** A part of a page. data: for the part, also `recorded`, of the opening sentence, like packed; packed: base64 of its bytes; own: whether it is the same with every sentence; inPage: whether the
 * page's style sheets apply to it. */
export type Placed = { name: string; key: string; data?: Record<string, unknown>; packed?: string; own: boolean; inPage: boolean };

/** A page with some values of its own controls, as in an address. open: whether no figure gives the next word away. */
export type PageState = { asked: Texts; heading: string; caption: string[]; parts: Placed[]; open: boolean };

/** One model, as its pages are recorded. usual: the sentence that needs no naming. files: of the checkpoint, to be fetched. */
export type SiteModel = { languages: [string, string]; files: string[]; digest: string; bytes: number; usual: string };

/** A view of a talk. talk: what the player shows of it. */
export type SiteView = {
  page: string;
  parameters: Texts;
  title: string;
  caption: string;
  talk: Pick<Talk, "name" | "title" | "titles"> & Record<string, unknown>;
};

/** What the page itself says. */
export type SiteTexts =
  Words<"no_talk no_model no_snapshot cut loading opening less_here only_here no_worker failed local too_long in_app"> &
    Words<"region_bar region_controls region_below region_foot">;

/** The whole. base: of the site, relative to the document. formulas, offline, app: the addresses of the typesetter, of the service
 * worker and of an app that shows the same views, relative to the site. */
export type Site = {
  base: string;
  languages: string[];
  pages: string[]; // the first is at the base
  models: Record<string, SiteModel>; // the first is the usual one
  formulas?: string;
  app?: string;
  offline?: string;
  texts: Record<string, SiteTexts>; // by language
};
