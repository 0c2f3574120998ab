// The menu of the player: what one needs now and then on every page. What Streamlit has at the foot of the page is offered
// here, too.

import { onKeys } from "../kit/composing.js";
import { cover, fullScreen, switchLecture } from "../kit/keys.js";
import { dismissible } from "../kit/dismiss.js";
import { button, el, setAttributes } from "../kit/dom.js";
import { pagePicture } from "../kit/page_picture.js";
import { savePng, saveSvg } from "../kit/save.js";

const SCROLLED = 120; // ms
const FOOT = ".st-key-_foot [data-testid=stPopover] button";

const SAVERS = new Map([
  ["png", savePng],
  ["svg", saveSvg],
]);

// What can be saved of what is shown: the drawing of a part that offers one, else of the page.
const pictureOf = (store) => store.picture ?? pagePicture(store);

// For the bar: in lecture mode, which has no menu.
export function pictureButtons(texts, store) {
  return [...SAVERS].map(([kind, save]) => {
    const act = () => {
      const picture = pictureOf(store);
      if (picture) save(picture, store);
    };
    return button(kind.toUpperCase(), act, { class: "picture", title: texts[kind] });
  });
}

// Returns { node, close }. texts: of the player.
export function mountMenu(texts, store) {
  const list = el("div", { class: "list", role: "menu", "aria-label": texts.menu, hidden: true });
  const opener = button(texts.menu_sign, () => (list.hidden ? open() : close()), {
    class: "more",
    title: texts.menu,
    "aria-label": texts.menu,
    "aria-haspopup": "menu",
    "aria-expanded": "false",
  });
  const node = el("span", { class: "menu" }, list, opener);

  const show = (shown) => {
    list.hidden = !shown;
    setAttributes(opener, { "aria-expanded": shown });
    watch(shown);
  };
  const close = () => show(false);
  const watch = dismissible(node, store, close);

  const item = ([words, act, key = ""]) => {
    const made = button(words, () => {
      close();
      opener.focus();
      act();
    });
    setAttributes(made, { role: "menuitem", tabindex: -1 });
    if (key) made.append(el("kbd", { "aria-hidden": true }, key));
    return made;
  };

  function open() {
    const items = [
      [texts.lecture_sign, () => switchLecture(store), "L"],
      ...(store.share ? [[texts.share, () => cover(store, "share"), "Q"]] : []),
      [texts.full, fullScreen, "F"],
      [texts.keys, () => store.set({ help: true }), "?"],
      ...(pictureOf(store)
        ? [...SAVERS].map(([kind, save]) => [texts[kind], () => save(pictureOf(store), store)])
        : []),
      ...[...document.querySelectorAll(FOOT)].map((found) => [
        found.querySelector("p")?.textContent ?? found.textContent,
        () => {
          found.scrollIntoView({ block: "center" });
          setTimeout(() => found.click(), SCROLLED); // a click that is not over yet would close it again
        },
      ]),
    ];
    list.replaceChildren(...items.map(item));
    show(true);
    list.firstChild.focus();
  }

  onKeys(node, (event) => {
    if (list.hidden) return;
    const all = [...list.children];
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape") {
      close();
      opener.focus();
    } else if (event.key === "Tab") close();
    else if (by) all.at((all.indexOf(list.getRootNode().activeElement) + by) % all.length).focus();
    else return;
    if (event.key !== "Tab") event.preventDefault();
    event.stopPropagation();
  });

  return { node, close };
}
