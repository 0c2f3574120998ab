// Reads an address of a site: the model, the sentence, the edits, and the view.

import type { Texts } from "../../web/src/address";
import type { Placed, Site, SiteModel } from "./data";
import type { Sentence, Shell } from "./sentence";
import params from "viz:params";
import { fill } from "../kit/numbers";
import { textsIn } from "../../web/src/texts";
import type { View } from "../../web/src/view";

const said = textsIn("app.site");

/** The same address of another sentence; its own parameters from controls of the page. The right side, if there is one, follows in what
 * both sides had in common. right: what is known of it. */
export function movedTo(address: string, sentence: Texts, parameters: Texts = {}, right: Texts = {}) {
  const [path = "", query = ""] = address.split("?");
  const before = new URLSearchParams(query);
  const changed = new URLSearchParams(query);
  const put = (name: string, value: string) => (value ? changed.set(name, value) : changed.delete(name));
  const isShared = (name: string) => (before.get(`right_${name}`) ?? "") === (before.get(name) ?? "");
  for (const [name, value] of Object.entries(sentence)) {
    put(name, value);
    if (before.has("right_model") && isShared(name) && isShared("text")) put(`right_${name}`, value);
  }
  if (before.has("right_model")) for (const [name, value] of Object.entries(right)) put(`right_${name}`, value);
  for (const [name, value] of Object.entries(parameters)) if (changed.has(name) && !(name in sentence)) changed.set(name, value);
  return `${path}?${changed}`;
}

/** The parameters of the right side, from the address of a figure that shows two. */
export function rightOf(addresses: readonly string[]): Texts {
  const query = addresses.find((address) => address.includes("right_model=")) ?? "";
  return Object.fromEntries([...new URLSearchParams(query.split("?")[1])].filter(([name]) => name.startsWith("right_")));
}

/** The models that an address names beside the page's: of the right side, for mask-predict, and one to compare that with. */
export function modelsBeside({ data }: Pick<Placed, "data">) {
  const asked = new URLSearchParams(String(data?.address ?? "").split("?")[1]);
  return ["right_model", ...(asked.get("masked") ? ["masked", "beside"] : [])].flatMap((name) => asked.get(name) || []);
}

// The edits of an address, as `sync_from_url` in viz_core/app/edited.py reads them.

/** here: the edits of the page's model. right: the edits of the right side, on a page that compares the trained model with the edited one. */
export function editsOf(page: string, { edits: asked, everywhere, pair }: Texts, { draft: kept = "", applied }: Texts) {
  const isBeside = page === "what_if" || (page === "compare" && pair === "edits");
  const draft = asked !== undefined && (isBeside || !kept) ? asked : kept;
  const isOn = Boolean(draft) && (isBeside ? everywhere === "on" || applied === "on" : !kept);
  return {
    draft,
    here: isOn && !isBeside ? draft : "",
    right: isBeside ? draft : null,
    named: filled({ edits: isBeside || isOn ? draft : "", everywhere: isBeside && isOn ? "on" : "" }),
    carried: filled({ draft: isOn ? "" : draft, applied: isOn && !isBeside ? "on" : "" }),
  };
}

const filled = (texts: Texts): Texts => Object.fromEntries(Object.entries(texts).filter(([, text]) => text));

// The request of an address: model, sentence and edits; a missing one has its usual value.

const ALL = "999"; // merges of a word

/** carried: values that go from page to page outside the address. isTalk: whether it names a view of a talk, whose text it then keeps. */
export function requestOf(site: Site, page: string, lang: string, parameters: Texts, carried: Texts, isTalk: boolean) {
  const [usualLang, usualModel] = [site.languages[0] as string, Object.keys(site.models)[0] as string];
  const model = Object.keys(site.models).find((name) => name === parameters.model) ?? usualModel;
  const { usual } = site.models[model] as SiteModel;
  const edits = editsOf(page, parameters, carried);
  const text = parameters.text?.trim() ?? usual; // an emptied text counts as none, as in the app
  const sentence: Sentence = { model, text, target: parameters.target ?? "", edits: edits.here };
  const second = parameters.second?.trim();
  const right: Texts = { ...(edits.right === null ? {} : { edits: edits.right }), ...(second ? { text: second } : {}) };
  const { edits: _, everywhere: __, ...others } = parameters;
  const named: Texts = { ...others, model, ...edits.named, ...(isTalk ? { text } : {}) };
  const usuals: Texts = { lang: usualLang, model: usualModel, text: isTalk ? "" : usual, against: "" };
  return {
    parameters,
    model,
    sentence,
    edits,
    isUsual: text === usual && !sentence.target && !sentence.edits,
    /** The address of a view, recorded with another sentence. */
    moved: (address: string) => movedTo(address, sentence, { done: ALL, ...parameters, lang }, right),
    /** The parameters that stay in the address; first: the store's parameters, with the values that the address leaves out. */
    kept: (first: Texts): Texts =>
      Object.fromEntries(Object.entries(named).filter(([name, value]) => !(name in first) && value !== usuals[name])),
  };
}

// Layer and head with a clear pattern, on which a page opens until the reader has chosen one, as in viz_core/app/chosen.py.

type Visit = { parameters: Texts; isLink: boolean };

const OPENS_ON: Record<string, string> = { self_attention: "self", masked_attention: "masked" }; // the attention that a page is about

export function openingOf({ isLink, parameters }: Visit, page: string, shell: Shell, carried: Texts) {
  const began = page === "overview" && isLink && Object.keys(parameters).every((name) => name === "lang");
  const chosen = `${parameters.layer ?? 1}-${parameters.head ?? 1}`;
  if (!began && carried.opening !== chosen) return {};
  const [layer, head] = shell.opening[OPENS_ON[page] ?? "cross"] ?? [0, 0];
  return { layer, head };
}

/** The values that go from page to page outside the address, including the picked head. */
export const carriedOf = (
  { layer, head }: { layer?: number; head?: number },
  { opening: _, draft: __, applied: ___, tried: ____, ...carried }: Texts,
): Texts => (layer === undefined || head === undefined ? carried : { ...carried, opening: `${layer + 1}-${head + 1}` });

// The parameters of an address as fields of the view, as the classes of viz_core/params.py read them.

type Param = (typeof params.view)[string];

/** Invalid values are left out. */
export function viewOf(parameters: Texts): Partial<View> {
  const read = Object.values(params.view).flatMap((param) => {
    const text = parameters[param.name];
    const value = text === undefined ? undefined : param.name === "lecture" ? text === "on" : meaningOf(text, param);
    return value === undefined ? [] : [[param.name, value]];
  });
  return Object.fromEntries(read);
}

function meaningOf(text: string, { kind, first = 0, low = 0, high = 0, options = [], default: usual }: Param) {
  if (!text) return usual;
  if (kind === "OneOf") return options.includes(text) ? text : undefined;
  if (kind === "Item") return /^[1-9]\d{0,5}$/.test(text) ? Number(text) - first : undefined;
  if (kind === "Cell")
    return /^[1-9]\d{0,3}-[1-9]\d{0,3}$/.test(text) ? text.split("-").map((place) => Number(place) - 1) : undefined;
  const number = Number.parseFloat(text);
  return Number.isFinite(number) ? Math.min(Math.max(number, low), high) : undefined;
}

// Links of a page, see viz_core/browser/link/.

/** Whether a link leads to something that the site has (it has no snapshots) and that is not already shown. */
export function leadsOn({ page, asks, each, counts }: Record<string, unknown>, { pages, models }: Site, now: Texts) {
  const { model, snapshot } = asks as Texts;
  const isHere =
    !page &&
    !counts &&
    !(each as string[][])?.[0]?.length &&
    Object.entries(asks as Texts).every(([name, value]) => now[name] === value);
  return (!page || pages.includes(page as string)) && (!model || model in models) && !snapshot && !isHere;
}

/** The changes of the address that exchange both sentences. asks: the changes recorded for the opening sentences. */
export const swapped = (asks: Texts, text: string, { second = asks.text as string }: Texts) => ({
  ...asks,
  text: second,
  second: text,
});

/** Sentences about what the address names and the site lacks. */
export const absentOf = ({ talk, model, snapshot }: Texts, shown: { talk: string | undefined; model: string }) => [
  ...(talk && talk !== shown.talk ? [fill(said.no_talk, { talk })] : []),
  ...(model && model !== shown.model ? [fill(said.no_model, { model, shown: shown.model })] : []),
  ...(snapshot ? [said.no_snapshot] : []),
];
