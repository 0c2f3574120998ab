// The texts of the browser's parts, as they stand in the `<language>.toml` beside the code; TypeScript knows their keys.

import all from "viz:texts";

type Tables = (typeof all)[string];

/** The texts of a page, of a folder of viz_core or of a table of either, such as `browser.next_token`, always in the language of the
 * page. The bundle has the tables that are named in this way. */
export function textsIn<Name extends keyof Tables>(name: Name): Tables[Name] {
  const english = all.en as Tables;
  const now = () => all[document.documentElement.lang] ?? english;
  const texts = Object.keys(english[name]).map((key) => [key, { enumerable: true, get: () => now()[name][key as never] }]);
  return Object.defineProperties({}, Object.fromEntries(texts)) as Tables[Name];
}
