// The handout: a still of every view of a talk with its title, caption and (optionally) note, each on a sheet of paper. The browser prints
// it or saves it as PDF.

import { textsIn } from "../../web/src/texts";
import type { Store } from "../../web/src/ui/store";
import { el, setText } from "../kit/dom";
import { fill } from "../kit/numbers";
import type { FileView } from "./live";

const texts = textsIn("app.downloads.alone");

export const HANDOUT = "#handout";
const PAPER = { width: 1030, height: 710 }; // px of A4 landscape without its margins
const WINDOW = 720; // px of the window height that pictures are designed for, whatever the real one
const LEAST = 0.45; // the smallest scale of a picture, however long its note
const frame = () => new Promise((done) => requestAnimationFrame(done));

// views: of the talk; bring: draws one of them.
export async function showHandout(views: FileView[], bring: (at: number) => Promise<void>, store: Store) {
  const finish = keepLoading();
  const page = document.documentElement;
  const sheets = el("div", { class: "sheets" });
  const progress = el("p", { class: "progress", role: "status" });
  document.body.append(progress, sheets);
  page.toggleAttribute("data-handout", true);
  page.toggleAttribute("data-lecture", true);
  page.style.setProperty("--viz-bar", `${innerHeight - WINDOW}px`); // ends the room for pictures there
  store.theme = { ...store.theme, still: true }; // no animation is caught half-way
  const pictures: HTMLElement[] = [];
  for (const [at, { heading, note }] of views.entries()) {
    setText(progress, fill(texts.drawing, { at: at + 1, views: views.length }));
    await bring(at);
    store.set({ lecture: true, revealed: true }, { quiet: true });
    await frame();
    await frame();
    const caption = [...(document.querySelector("header p")?.childNodes ?? [])].map((node) => node.cloneNode(true));
    const picture = el("div", { class: "still" }, ...[...document.querySelectorAll("body > :is(nav, main)")].map(still));
    const place = el("i", {}, fill(texts.place, { at: at + 1, views: views.length }));
    const words = [el("h2", {}, heading, place), el("p", {}, ...caption), picture];
    const sheet = el("section", { class: "sheet" }, ...words, ...(note ? [el("p", { class: "note" }, note)] : []));
    sheets.append(sheet);
    scrollAlike();
    pictures.push(picture);
    fit(picture);
  }
  for (const node of document.querySelectorAll("body > :is(nav, header, main)")) node.remove();
  setText(progress, texts.handout_ready);
  if (views.some(({ note }) => note)) progress.after(notesSwitch(pictures));
  page.toggleAttribute("data-ready", true);
  finish();
}

// Keeps the page in the state of loading until the returned function is called: headless browsers (--print-to-pdf) print once it has loaded.
function keepLoading() {
  const open = el("iframe", { hidden: true });
  document.body.append(open);
  open.contentDocument?.open();
  return () => {
    open.contentDocument?.close();
    open.remove();
  };
}

// A check box for the notes; without them pictures are larger.
function notesSwitch(pictures: HTMLElement[]) {
  const box = el("input", { type: "checkbox", checked: true });
  box.addEventListener("change", () => {
    document.documentElement.toggleAttribute("data-no-notes", !box.checked);
    for (const picture of pictures) fit(picture);
  });
  return el("label", { class: "with-notes" }, box, ` ${texts.with_notes}`);
}

// Scales a picture to the room that the words leave on its sheet.
function fit(picture: HTMLElement) {
  for (const name of ["--fit", "--high"]) picture.style.removeProperty(name);
  const { width, height } = picture.getBoundingClientRect();
  const room = PAPER.height - ((picture.parentElement ?? picture).getBoundingClientRect().height - height);
  const zoom = Math.max(Math.min(1, PAPER.width / width, room / height), LEAST);
  picture.style.setProperty("--fit", zoom.toFixed(3));
  picture.style.setProperty("--high", `${Math.ceil(height)}px`);
}

const scrolled = new Map<Element, [left: number, top: number]>(); // scroll positions of the originals, by copy

// A copy of what is drawn, as it looks now: with shadow roots, the pixels of canvases and the choices in lists. Scrollers are unfolded,
// except around a canvas, which draws only what is in sight.
export function still<Original extends Node>(node: Original): Original {
  const copy = node.cloneNode(false) as Original;
  if (!(node instanceof Element && copy instanceof Element)) return copy;
  if (node instanceof HTMLCanvasElement && copy instanceof HTMLCanvasElement && node.width && node.height)
    copy.getContext("2d")?.drawImage(node, 0, 0);
  if (node.shadowRoot) copy.attachShadow({ mode: "open" }).append(...[...node.shadowRoot.childNodes].map(still));
  copy.append(...[...node.childNodes].map(still));
  // form state is not in attributes
  if (node instanceof HTMLSelectElement && copy instanceof HTMLSelectElement)
    [...copy.options].forEach((option, at) => {
      option.selected = node.options[at]?.selected ?? false;
    });
  if (node instanceof HTMLInputElement && copy instanceof HTMLInputElement) copy.indeterminate = node.indeterminate;
  if (node instanceof HTMLElement && copy instanceof HTMLElement) unfold(node, copy);
  return copy;
}

const SCROLLS = ["auto", "scroll"];

// Unfolds a scroller, since paper has no scroll bars, or notes its scroll position.
function unfold(node: HTMLElement, copy: HTMLElement) {
  if (node.scrollHeight <= node.clientHeight && node.scrollWidth <= node.clientWidth) return;
  const { overflowX, overflowY } = getComputedStyle(node);
  if (!SCROLLS.includes(overflowX) && !SCROLLS.includes(overflowY)) return;
  copy.style.scrollbarWidth = "none";
  const isText = node instanceof HTMLTextAreaElement;
  if (isText || node.querySelector("canvas") || node.scrollHeight <= node.clientHeight)
    scrolled.set(copy, [node.scrollLeft, node.scrollTop]);
  else Object.assign(copy.style, { height: "auto", maxHeight: "none" });
}

// Once the copies are on the page, scrolls them like their originals.
export function scrollAlike() {
  for (const [copy, [left, top]] of scrolled) copy.scrollTo(left, top);
  scrolled.clear();
}
