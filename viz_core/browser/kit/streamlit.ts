// What Streamlit has drawn around what is ours, which has no name of ours: the only place in the browser's code that knows its ids.

const DIALOG = "[data-testid=stDialog]";
const OPEN = `[data-testid=stPopoverBody], ${DIALOG}`;
const PARTS = "[data-testid^=stBidiComponent]";
const COLUMN = "[data-testid=stColumn] > [data-testid=stVerticalBlock]";
const MARKDOWN = "[data-testid=stMarkdownContainer]";
const DROP_ZONE = "[data-testid=stFileUploaderDropzone]";

// What scrolls the page; null in a file.
export const scroller = () => document.querySelector("#root main");

// What holds all of the page and is as high; null in a file.
export const wholePage = () => document.querySelector("#root main > div");

// Whether a window lies over the page.
export const isCovered = (page: Document) => page.querySelector(OPEN) !== null;

// Presses the button that closes a dialog. None is ours.
export function closeDialogs() {
  for (const button of document.querySelectorAll<HTMLElement>(`${DIALOG} button`)) button.click();
}

// Every browser-side part, and what stands in those that have no root of their own.
export const nodesOfParts = () => document.querySelectorAll(`${PARTS}, ${PARTS} *`);

// The column of the page in which an element stands, if it stands in one.
export const columnOf = (node: Element) => node.closest(COLUMN);

// Tables and lines with formulas that Markdown has made: on a phone they scroll.
export const wideIn = (body: Element) => body.querySelectorAll(`${MARKDOWN} table, ${MARKDOWN} p:has(.katex)`);

export const dropZonesIn = (body: Element) => body.querySelectorAll(DROP_ZONE);
