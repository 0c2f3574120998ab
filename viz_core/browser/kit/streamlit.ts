// Elements that Streamlit draws, which have no names of ours: the only place in the browser's code that knows its ids.

const DIALOG = "[data-testid=stDialog]";
const OPEN = `[data-testid=stPopoverBody], ${DIALOG}`;
const PARTS = ":is([data-testid^=stBidiComponent], [data-part])"; // in the app or on a site
const COLUMN = "[data-testid=stColumn] > [data-testid=stVerticalBlock]";
const MARKDOWN = "[data-testid=stMarkdownContainer]";
const DROP_ZONE = "[data-testid=stFileUploaderDropzone]";

// The element that scrolls the page; null in a file.
export const scroller = () => document.querySelector("#root main");

// The element as high as the whole page; null in a file.
export const wholePage = () => document.querySelector("#root main > div");

// Whether a dialog or pop-over of Streamlit's is open.
export const isCovered = (page: Document) => page.querySelector(OPEN) !== null;

// Closes Streamlit's dialogs by their button; none of these dialogs is ours.
export function closeDialogs() {
  for (const button of document.querySelectorAll<HTMLElement>(`${DIALOG} button`)) button.click();
}

// Every browser-side part, and the content of those without a shadow root.
export const nodesOfParts = () => document.querySelectorAll(`${PARTS}, ${PARTS} *`);

// The page's column that contains an element, if any.
export const columnOf = (node: Element) => node.closest(COLUMN);

// Tables and lines with formulas that Markdown has made: on a phone they scroll.
export const wideIn = (body: Element) => body.querySelectorAll(`${MARKDOWN} table, ${MARKDOWN} p:has(.katex)`);

export const dropZonesIn = (body: Element) => body.querySelectorAll(DROP_ZONE);
