// How much room the window leaves the overview, in px.

import { barHeight, lettersScale } from "../kit/dom";

const STRIP = 46;
const AROUND = 8; // the reading strip, and what stays free below it
const HEIGHT = { least: 370, most: 900 }; // of the flow
const ON_STAGE = 440; // in lecture mode, at least
const BESIDE_ROWS = 205;
const ROW_ON_STAGE = 24;
const MOST_ROWS = 14; // so many rows are to be seen without scrolling
const NEAR = 16;

// top: of the figure in the window.
export function heightOf(top: number, zoom: number) {
  const free = (innerHeight - barHeight() - top) / zoom - STRIP - AROUND;
  return Math.min(Math.max(free, HEIGHT.least), HEIGHT.most);
}

// In lecture mode it is as large as the page's letters, if all of it is still seen at once. S, T: rows of both sides.
export function enlarged(top: number, { S, T }: Record<"S" | "T", number>) {
  const needs = Math.max(ON_STAGE, BESIDE_ROWS + ROW_ON_STAGE * Math.min(Math.max(S, T), MOST_ROWS)) + STRIP;
  return Math.max(1, Math.min(lettersScale(), (innerHeight - barHeight() - top - AROUND) / needs));
}

// Of the page's title, where nothing stands between it and the figure: in its place the lens says where one is.
export function aboveFigure(figure: HTMLElement) {
  const head = document.querySelector(".st-key-_head")?.getBoundingClientRect();
  if (!head) return 0;
  const gap = figure.getBoundingClientRect().top - head.bottom;
  return gap >= 0 && gap < NEAR ? head.height + gap : 0;
}
