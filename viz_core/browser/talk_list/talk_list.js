// The talks that one can give: each with its length, what it is about, and the buttons that start it.

import { button, dress, el } from "../kit/dom.js";

// data: { talks: [{ name, title, size, about, starts: whether it has a view, is_lesson }], texts }. Returns { update, destroy }.
export function mountTalkList(root, data, store) {
  const paint = ({ talks, texts }) => {
    dress(root, store.theme);
    const start = (name, lecture) => () => root.send("start", { name, lecture });
    const rows = talks.map(({ name, title, size, about, starts, is_lesson: isLesson }) => {
      const text = el("p", {}, el("strong", {}, title), ` · ${size}`, el("br"), about);
      const buttons = [
        starts && button(texts.start, start(name, false), { "aria-label": `${texts.start}: ${title}` }),
        // a lesson is for one reader
        starts &&
          !isLesson &&
          button(texts.start_in_lecture_mode, start(name, true), {
            "aria-label": `${texts.start_in_lecture_mode}: ${title}`,
          }),
      ];
      return el("li", {}, text, el("span", {}, ...buttons.filter(Boolean)));
    });
    root.replaceChildren(el("ul", {}, ...rows));
  };
  paint(data);
  return { update: paint, destroy() {} };
}
