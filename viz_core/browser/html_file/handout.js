// The handout: a still of every view with its title, caption and note, each on a page of paper. The browser prints it, or saves
// it as PDF.

import { el, setText } from "../kit/dom.js";
import { fill } from "../kit/numbers.js";

export const HANDOUT = "#handout";
const PAPER = { width: 1030, height: 710 }; // px: A4 across, without its margins
const LEAST = 0.45; // to which a picture is shrunk at most, however long the note
const frame = () => new Promise((done) => requestAnimationFrame(done));

// views: of the talk; bring: (at) => a promise, this view is drawn; texts: of the file.
export async function showHandout(views, { bring, texts }, store) {
  const finish = keepLoading();
  const page = document.documentElement;
  const sheets = el("div", { class: "sheets" });
  const progress = el("p", { class: "progress", role: "status" });
  document.body.append(progress, sheets);
  page.toggleAttribute("data-handout", true);
  page.toggleAttribute("data-lecture", true);
  store.theme = { ...store.theme, still: true }; // nothing is caught on its way
  for (const [at, { heading, note }] of views.entries()) {
    setText(progress, fill(texts.drawing, { at: at + 1, views: views.length }));
    await bring(at);
    store.set({ lecture: true, revealed: true }, { quiet: true });
    await frame();
    await frame();
    const said = [...document.querySelector("header p").childNodes].map((node) => node.cloneNode(true));
    const picture = el(
      "div",
      { class: "still" },
      ...["nav", "main"].map((name) => still(document.querySelector(name))),
    );
    const place = el("i", {}, fill(texts.place, { at: at + 1, views: views.length }));
    const words = [el("h2", {}, heading, place), el("p", {}, ...said), picture, el("p", { class: "note" }, note)];
    const sheet = el("section", { class: "sheet" }, ...words);
    sheets.append(sheet);
    fit(picture, sheet);
  }
  for (const node of document.querySelectorAll("body > :is(nav, header, main)")) node.remove();
  setText(progress, texts.handout_ready);
  page.toggleAttribute("data-ready", true);
  finish();
}

// The page counts as loading until this is called: a browser without a window (--print-to-pdf) prints what has loaded.
function keepLoading() {
  const open = el("iframe", { hidden: true });
  document.body.append(open);
  open.contentDocument.open();
  return () => {
    open.contentDocument.close();
    open.remove();
  };
}

// As large as the words beside it leave it room on the paper.
function fit(picture, sheet) {
  const { width, height } = picture.getBoundingClientRect();
  const room = PAPER.height - (sheet.getBoundingClientRect().height - height);
  const zoom = Math.max(Math.min(1, PAPER.width / width, room / height), LEAST);
  for (const [name, value] of [
    ["--fit", zoom.toFixed(3)],
    ["--high", `${Math.ceil(height)}px`],
  ])
    picture.style.setProperty(name, value);
}

// A copy of what is drawn: with shadow roots, and canvases as they look now.
function still(node) {
  const copy = node.cloneNode(false);
  if (node instanceof HTMLCanvasElement && node.width && node.height) copy.getContext("2d").drawImage(node, 0, 0);
  if (node.shadowRoot) copy.attachShadow({ mode: "open" }).append(...[...node.shadowRoot.childNodes].map(still));
  if (node.hasChildNodes()) copy.append(...[...node.childNodes].map(still));
  return copy;
}
