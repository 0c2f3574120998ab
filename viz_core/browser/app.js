// All that runs in the browser, as one module: in the app Streamlit takes its parts from it, in a file it shows what the file holds.

import { parts } from "viz:parts";
import { openAlone } from "./html_file/html_file.js";
import { face } from "./kit/payload";
import { theStore } from "../web/src/state";

const sheets = new Map(); // name of a part → its style sheet

// What Streamlit calls to show a part. Its style sheet goes into the root in which it stands, a shadow root or the page itself.
export function part(name) {
  const { mount, run = (streamlit) => face(streamlit, mount) } = parts[name];
  return ({ data, parentElement, setTriggerValue }) => {
    adopt(parentElement.getRootNode(), name);
    return run({ data, parentElement, setTriggerValue: afterTheView(setTriggerValue) });
  };
}

// Before anything is said, Python hears what the reader looks at.
function afterTheView(send) {
  return (event, value) => {
    if (event !== "view") theStore().flush();
    send(event, value);
  };
}

function adopt({ adoptedStyleSheets }, name) {
  if (!sheets.has(name)) {
    const made = new CSSStyleSheet();
    made.replaceSync(parts[name].style);
    sheets.set(name, made);
  }
  if (!adoptedStyleSheets?.includes(sheets.get(name))) adoptedStyleSheets?.push(sheets.get(name));
}

const file = document.querySelector('script#data[type="application/json"]');
if (file) openAlone(JSON.parse(file.textContent), parts);
