// Entry of the bundle: in the app it gives Streamlit its parts, in a file it shows what the file holds.

import { parts } from "viz:parts";
import { theStore } from "../web/src/state";
import { firstLanguage, loadTexts, takeTexts } from "../web/src/texts";
import { openAlone } from "./html_file/html_file";
import { type Called, face, type Part } from "./kit/payload";
import { openSite } from "./site/host";

const sheets = new Map<string, CSSStyleSheet>(); // by name of the part

// The function that Streamlit calls to show a part. Its style sheet is adopted by the part's root, a shadow root or the page.
export function part(name: string) {
  const { mount, run = (called) => face(called, mount), style } = parts[name] as Part;
  return ({ data, parentElement, setTriggerValue }: Called) => {
    adopt(parentElement.getRootNode() as Document | ShadowRoot, name, style);
    return run({ data, parentElement, setTriggerValue: afterTheView(setTriggerValue) });
  };
}

// Tells Python the current view before any other message.
function afterTheView(send: Called["setTriggerValue"]): typeof send {
  return (event, value) => {
    if (event !== "visit") theStore().sync();
    send(event, value);
  };
}

function adopt({ adoptedStyleSheets }: Partial<DocumentOrShadowRoot>, name: string, style: string) {
  const sheet = sheets.get(name) ?? new CSSStyleSheet();
  if (!sheets.has(name)) sheet.replaceSync(style);
  sheets.set(name, sheet);
  if (!adoptedStyleSheets?.includes(sheet)) adoptedStyleSheets?.push(sheet);
}

// In a frame of a slide or a course page: the figure and its transport alone.
document.documentElement.toggleAttribute("data-embed", new URLSearchParams(location.search).get("embed") === "on");

const file = document.querySelector('script#data[type="application/json"]');
const data = file && JSON.parse(file.textContent);
if (data?.texts) takeTexts(document.documentElement.lang, data.texts);
else await loadTexts(firstLanguage(), import.meta.url);
if (data?.pages) openSite(data, () => new Worker(new URL("engine.js", import.meta.url)), part);
else if (data) openAlone(data, parts);
