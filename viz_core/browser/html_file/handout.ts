// The handout: a still of every view with its title, caption and, unless they are left out, its note, each on a page of paper. The
// browser prints it, or saves it as PDF.

import type { Store } from "../../web/src/ui/store";
import { el, setText } from "../kit/dom";
import { fill } from "../kit/numbers";
import type { FileView, Texts } from "./data";

export const HANDOUT = "#handout";
const PAPER = { width: 1030, height: 710 }; // px: A4 across, without its margins
const WINDOW = 720; // px: as high as the window for which pictures are drawn, whatever this one is
const LEAST = 0.45; // to which a picture is shrunk at most, however long the note
const frame = () => new Promise((done) => requestAnimationFrame(done));

// views: of the talk; bring: draws one of them, as a promise.
export async function showHandout(views: FileView[], bring: (at: number) => Promise<void>, texts: Texts, store: Store) {
  const finish = keepLoading();
  const page = document.documentElement;
  const sheets = el("div", { class: "sheets" });
  const progress = el("p", { class: "progress", role: "status" });
  document.body.append(progress, sheets);
  page.toggleAttribute("data-handout", true);
  page.toggleAttribute("data-lecture", true);
  page.style.setProperty("--viz-bar", `${innerHeight - WINDOW}px`); // the room that the window has for a picture ends there
  store.theme = { ...store.theme, still: true }; // nothing is caught on its way
  const pictures: HTMLElement[] = [];
  for (const [at, { heading, note }] of views.entries()) {
    setText(progress, fill(texts.drawing, { at: at + 1, views: views.length }));
    await bring(at);
    store.set({ lecture: true, revealed: true }, { quiet: true });
    await frame();
    await frame();
    const said = [...(document.querySelector("header p")?.childNodes ?? [])].map((node) => node.cloneNode(true));
    const picture = el("div", { class: "still" }, ...[...document.querySelectorAll("body > :is(nav, main)")].map(still));
    const place = el("i", {}, fill(texts.place, { at: at + 1, views: views.length }));
    const words = [el("h2", {}, heading, place), el("p", {}, ...said), picture];
    const sheet = el("section", { class: "sheet" }, ...words, ...(note ? [el("p", { class: "note" }, note)] : []));
    sheets.append(sheet);
    scrollAlike();
    pictures.push(picture);
    fit(picture);
  }
  for (const node of document.querySelectorAll("body > :is(nav, header, main)")) node.remove();
  setText(progress, texts.handout_ready);
  if (views.some(({ note }) => note)) progress.after(notesSwitch(texts, pictures));
  page.toggleAttribute("data-ready", true);
  finish();
}

// The page counts as loading until this is called: a browser without a window (--print-to-pdf) prints what has loaded.
function keepLoading() {
  const open = el("iframe", { hidden: true });
  document.body.append(open);
  open.contentDocument?.open();
  return () => {
    open.contentDocument?.close();
    open.remove();
  };
}

// Whether each sheet has its note; without, the picture is larger.
function notesSwitch(texts: Texts, pictures: HTMLElement[]) {
  const box = el("input", { type: "checkbox", checked: true });
  box.addEventListener("change", () => {
    document.documentElement.toggleAttribute("data-no-notes", !box.checked);
    for (const picture of pictures) fit(picture);
  });
  return el("label", { class: "with-notes" }, box, ` ${texts.with_notes}`);
}

// As large as the words beside it leave it room on the paper.
function fit(picture: HTMLElement) {
  for (const name of ["--fit", "--high"]) picture.style.removeProperty(name);
  const { width, height } = picture.getBoundingClientRect();
  const room = PAPER.height - ((picture.parentElement ?? picture).getBoundingClientRect().height - height);
  const zoom = Math.max(Math.min(1, PAPER.width / width, room / height), LEAST);
  picture.style.setProperty("--fit", zoom.toFixed(3));
  picture.style.setProperty("--high", `${Math.ceil(height)}px`);
}

const scrolled = new Map<Element, [left: number, top: number]>(); // copy → of what it is a copy of

// A copy of what is drawn, as it looks now: with shadow roots, the pixels of canvases, and what was chosen in lists; all of what
// scrolls, but for a canvas, which draws only what is in sight.
export function still<Original extends Node>(node: Original): Original {
  const copy = node.cloneNode(false) as Original;
  if (!(node instanceof Element && copy instanceof Element)) return copy;
  if (node instanceof HTMLCanvasElement && copy instanceof HTMLCanvasElement && node.width && node.height)
    copy.getContext("2d")?.drawImage(node, 0, 0);
  if (node.shadowRoot) copy.attachShadow({ mode: "open" }).append(...[...node.shadowRoot.childNodes].map(still));
  copy.append(...[...node.childNodes].map(still));
  // which no attribute says
  if (node instanceof HTMLSelectElement && copy instanceof HTMLSelectElement)
    [...copy.options].forEach((option, at) => {
      option.selected = node.options[at]?.selected ?? false;
    });
  if (node instanceof HTMLInputElement && copy instanceof HTMLInputElement) copy.indeterminate = node.indeterminate;
  if (node instanceof HTMLElement && copy instanceof HTMLElement) unfold(node, copy);
  return copy;
}

const SCROLLS = ["auto", "scroll"];

// Paper has no scroll bar.
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

// Once they are on the page, copies are scrolled to where the originals are.
export function scrollAlike() {
  for (const [copy, [left, top]] of scrolled) copy.scrollTo(left, top);
  scrolled.clear();
}
