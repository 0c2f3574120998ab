// The texts of the browser's parts, from the `<language>.toml` beside the code; TypeScript knows their keys. The texts of a language are
// one module beside the bundle, loaded before the first part; a file contains them, and so does the bundle of a test.

import inBundle, { languages } from "viz:texts";

type Tables = (typeof inBundle)[string];

const all: Record<string, Tables> = { ...inBundle }; // by language

/** The texts of a page, of a folder of viz_core or of a table of either, such as `browser.next_token`, always in the language of the
 * page. Only tables named in a call of it are sent to the browser. */
export function textsIn<Name extends keyof Tables>(name: Name): Tables[Name] {
  const now = () => (all[document.documentElement.lang] ?? (Object.values(all)[0] as Tables))[name];
  return new Proxy({} as Tables[Name], {
    get: (_, key) => Reflect.get(now(), key),
    ownKeys: () => Reflect.ownKeys(now()),
    getOwnPropertyDescriptor: (_, key) => Reflect.getOwnPropertyDescriptor(now(), key),
  });
}

/** Takes the texts of a language from a file. */
export function takeTexts(language: string, texts: Tables) {
  all[language] = texts;
}

let bundle = ""; // its address

/** Loads the texts of a language once. from: the address of the bundle, the first time. */
export async function loadTexts(language: string, from = bundle) {
  bundle = from;
  const digest = languages[language];
  if (digest && !all[language])
    takeTexts(language, (await import(new URL(`texts.${language}.js?of=${digest}`, from).href)).default);
}

/** The language in which the app opens, by the rules of viz_core/app/language.py. */
export function firstLanguage(): string {
  const link = new URLSearchParams(location.search).get("lang");
  const chosen = /(?:^|; )viz_lang=(\w+)/.exec(document.cookie)?.[1];
  const wanted = [link, chosen, navigator.language.replace(/-.*/s, "").toLowerCase(), "en"];
  return wanted.find((code) => code && Object.hasOwn(languages, code)) as string;
}
