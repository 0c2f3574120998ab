// The languages of the app, each under its own name, at the foot of the rail. The browser remembers which one was chosen; the
// document says which one it is in, so that Chinese gets Chinese letters, not Japanese ones, and is read aloud as Chinese.

import { button, dress, el } from "../kit/dom.js";

const YEAR = 31_536_000; // s

// In Streamlit: on every page, also where there is no sentence and so no store. data: { chosen, comma: of its sentences,
// languages: [[code, name]], label, theme }.
export default function ({ data: [said], parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".viz-language");
  const shown = JSON.stringify(said);
  if (root.shown === shown) return; // or the button that was pressed would lose the focus
  root.shown = shown;
  dress(root, said.theme);
  document.documentElement.lang = said.chosen;
  document.documentElement.dataset.comma = said.comma;

  const choose = (code) => {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API needs https, which a server in a lecture hall lacks
    document.cookie = `viz_lang=${code}; path=/; max-age=${YEAR}; samesite=lax`;
    setTriggerValue("language", code);
  };
  const one = ([code, name]) => {
    const isChosen = code === said.chosen;
    return button(name, () => isChosen || choose(code), { lang: code, "aria-current": isChosen ? "true" : null });
  };
  root.replaceChildren(el("div", { role: "group", "aria-label": said.label }, ...said.languages.map(one)));
}
