// Overlays over the whole page: the link with its QR code, a black screen, the end of the talk.

import { dress, el } from "../kit/dom.js";
import { fill } from "../kit/numbers.js";
import { copyLink } from "../kit/save.js";

const MESSAGE_TIME = 2500; // ms for which «copied» stands there

// root: where to draw; texts: { share, end }; store: what it follows. Returns { destroy }.
export function mountCovers(root, texts, store) {
  const out = () => store.set({ over: "" });
  const button = (text, act, more = {}) => el("button", { type: "button", onclick: act, ...more }, text);
  const drawn = {
    share: shareDialog(texts.share, store, button, out),
    black: black(texts, out),
    end: endDialog(texts.end, store, button, out),
  };
  root.replaceChildren(...Object.values(drawn).map((one) => one.dialog));
  const paint = (view) => {
    dress(root, store.theme);
    for (const [name, { dialog, write }] of Object.entries(drawn)) {
      const open = view.over === name;
      if (open) write(view);
      if (open && !dialog.open) dialog.showModal();
      else if (!open && dialog.open) dialog.close();
    }
  };
  paint(store.view);
  return { destroy: store.subscribe(paint) };
}

function shareDialog(texts, store, button, out) {
  const code = el("div", { class: "code" });
  const link = el("output", { class: "link" });
  const message = el("span", { class: "message", role: "status" });
  const only = el("p", { class: "only" });
  const copy = button(
    texts.copy,
    async () => {
      message.textContent = (await copyLink(store.share.link)) ? texts.copied : texts.not_copied;
      setTimeout(() => {
        message.textContent = "";
      }, MESSAGE_TIME);
    },
    { class: "main" },
  );
  const close = button(texts.close, out);
  const dialog = el(
    "dialog",
    { class: "share", "aria-label": texts.title, oncancel: out },
    code,
    el(
      "div",
      { class: "words" },
      el("h2", {}, texts.title),
      link,
      only,
      el("div", { class: "buttons" }, copy, close, message),
      el("p", { class: "any" }, texts.any),
    ),
  );
  const write = (view) => {
    const { share } = store;
    dialog.toggleAttribute("data-lecture", view.lecture);
    link.textContent = share.shown;
    only.textContent = share.problem;
    only.hidden = !share.problem;
    code.replaceChildren(share.code ? el("img", { src: share.code, alt: texts.code }) : el("p", {}, share.no_code));
  };
  return { dialog, write };
}

function black(texts, out) {
  const dialog = el("dialog", { class: "black", "aria-label": texts.black, oncancel: out, onclick: out });
  return { dialog, write() {} };
}

function endDialog(texts, store, button, out) {
  const title = el("h2");
  const message = el("p", {}, texts.said);
  const buttons = [
    button(texts.back, out, { class: "main" }),
    button(texts.again, () => store.turn(0)),
    button(texts.leave, () => {
      out();
      store.send?.("talk", { to: null, lecture: false });
    }),
  ];
  const dialog = el(
    "dialog",
    { class: "end", "aria-label": texts.title, oncancel: out },
    el("p", { class: "over" }, texts.title),
    title,
    el("div", { class: "buttons" }, ...buttons),
    message,
  );
  const write = () => {
    title.textContent = store.talk ? fill(texts.of, { title: store.talk.title }) : "";
  };
  return { dialog, write };
}
