// The files of a site, each fetched once: recorded pages, talks, words of a language and models, which the engine is given.

import type { Site, SiteModel } from "./data";
import { type Engine, filesOf } from "./engine";

/** tell: of the share of a model that has come, 0 to 1. cut: a sentence for a model that did not come whole. */
export function makeLibrary(
  site: Site,
  root: URL,
  engine: Engine,
  tell: (share: number, model: string) => void,
  cut: (reason: string) => string,
) {
  const views = new Set<string>(); // that the engine can answer
  const opened = new Map<string, Promise<unknown>>(); // models, and words of languages

  const json = memoized(async (path: string) => {
    const answer = await fetch(new URL(path, root));
    if (!answer.ok) throw new Error(`${answer.status} ${path}`);
    return answer.json();
  });

  // Hands a model or a language's words to the engine, once.
  function openOnce(name: string, give: () => Promise<Parameters<Engine>[0]>) {
    const known = opened.get(name) ?? give().then(engine).then(hear);
    opened.set(name, known);
    known.catch(() => opened.delete(name));
    return known;
  }
  const hear = ({ error, views: known }: Awaited<ReturnType<Engine>>) => {
    if (error) throw new Error(error);
    for (const view of known ?? []) views.add(view);
  };
  const openModel = (model: string) =>
    openOnce(model, async () => {
      const about = site.models[model] as SiteModel;
      const files = filesOf(new URL(`models/${model}`, root).href, about, (share) => tell(share, model)).catch((error: Error) => {
        throw new Error(cut(error.message));
      });
      return { open: { model, files: await files } };
    });
  const openWords = (lang: string) => openOnce(`words ${lang}`, async () => ({ lang, words: await json(`words/${lang}.json`) }));

  return { json, openModel, openWords, views };
}

function memoized<Made>(make: (name: string) => Promise<Made>) {
  const made = new Map<string, Promise<Made>>();
  return (name: string) => {
    const known = made.get(name) ?? make(name);
    made.set(name, known);
    known.catch(() => made.delete(name));
    return known;
  };
}
