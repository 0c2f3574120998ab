// The languages of the app, each under its own name, at the foot of the rail. The browser remembers which one was chosen; the
// document says which one it is in, so that Chinese gets Chinese letters, not Japanese ones, and is read aloud as Chinese.

import { button, dress, el } from "../kit/dom.js";

const YEAR = 31_536_000; // s

// data: { chosen, comma: of its sentences, languages: [[code, name]], label, theme }. Returns { update, destroy }.
export function mountLanguage(root, data) {
  const choose = (code) => {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API needs https, which a server in a lecture hall lacks
    document.cookie = `viz_lang=${code}; path=/; max-age=${YEAR}; samesite=lax`;
    root.send("language", code);
  };
  const paint = ({ chosen, comma, languages, label, theme }) => {
    dress(root, theme);
    document.documentElement.lang = chosen;
    document.documentElement.dataset.comma = comma;
    const one = ([code, name]) =>
      button(name, () => choose(code), { lang: code, "aria-current": code === chosen ? "true" : null });
    root.replaceChildren(el("div", { role: "group", "aria-label": label }, ...languages.map(one)));
  };
  paint(data);
  return { update: paint, destroy() {} };
}
