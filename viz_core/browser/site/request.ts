// What an address asks for: the model, the sentence and the edits, with the usual values where it names none.

import type { Texts } from "../../web/src/address";
import { movedTo } from "./addresses";
import type { Site, SiteModel } from "./data";
import { editsOf } from "./edited";
import type { Sentence } from "./sentence";

/** carried: values that go from page to page outside the address. isTalk: whether it names a view of a talk, whose text it then keeps. */
export function requestOf(site: Site, page: string, lang: string, parameters: Texts, carried: Texts, isTalk: boolean) {
  const [usualLang, usualModel] = [site.languages[0] as string, Object.keys(site.models)[0] as string];
  const model = Object.keys(site.models).find((name) => name === parameters.model) ?? usualModel;
  const { usual } = site.models[model] as SiteModel;
  const edits = editsOf(page, parameters, carried);
  const text = parameters.text?.trim() || usual;
  const sentence: Sentence = { model, text, target: parameters.target ?? "", edits: edits.here };
  const second = parameters.second?.trim();
  const right: Texts = { ...(edits.right === null ? {} : { edits: edits.right }), ...(second ? { text: second } : {}) };
  const { edits: _, everywhere: __, ...others } = parameters;
  const named: Texts = { ...others, model, ...edits.named, ...(isTalk ? { text } : {}) };
  const usuals: Texts = { lang: usualLang, model: usualModel, text: isTalk ? "" : usual };
  return {
    parameters,
    model,
    sentence,
    edits,
    isUsual: text === usual && !sentence.target && !sentence.edits,
    /** The address of a view, recorded with another sentence. */
    moved: (address: string) => movedTo(address, sentence, { ...parameters, lang }, right),
    /** What stays in the address; first: parameters that the store has, with the values that it leaves out. */
    kept: (first: Texts): Texts =>
      Object.fromEntries(Object.entries(named).filter(([name, value]) => !(name in first) && value !== usuals[name])),
  };
}
