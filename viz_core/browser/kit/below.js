// What stands below a figure in words and formulas, such as the arithmetic of what is picked: written anew in the frame in which the
// view changes, or a little later where it is out of sight.

import { barHeight, dress, el } from "./dom.js";
import { solvedCards } from "./progress.js";
import { loadTypesetter, prose } from "./prose.js";

const REST = 150; // ms without a change until what is out of sight is written

// sections(view) → [{ name, heading, text, nodes }] from top to bottom, or nothing while what it is made of is still to come: name, a class; text, Markdown, else
// nodes() → elements; said, what they show, so that they are made anew only where that changes. Returns { repaint(), destroy() }.
export function mountBelow(root, store, sections) {
  let typeset = null;
  let waiting = 0;
  let gone = false;
  const shown = new Map(); // name → { said, node }

  const write = () => {
    clearTimeout(waiting);
    waiting = 0;
    if (gone) return;
    dress(root, store.theme);
    root.style.display = isAsked(store) ? "none" : "";
    const wanted = sections(store.view)?.filter(Boolean);
    if (!wanted) return; // still to come
    for (const section of wanted) {
      const said = JSON.stringify([section.text ?? section.said, section.heading, store.theme.ink, Boolean(typeset)]);
      const found = shown.get(section.name);
      if (found?.said === said) continue;
      const node = found?.node ?? el("section", { class: section.name });
      const heading = section.heading ? [el("h2", {}, section.heading)] : [];
      node.replaceChildren(...heading, ...(section.nodes ? section.nodes() : prose(section.text, typeset)));
      shown.set(section.name, { said, node });
    }
    const nodes = wanted.map(({ name }) => shown.get(name).node);
    if (nodes.length !== root.children.length || nodes.some((node, at) => node !== root.children[at]))
      root.replaceChildren(...nodes);
  };

  const paint = () => {
    const { top, bottom } = root.getBoundingClientRect();
    const isInSight = top < innerHeight - barHeight() && bottom > 0 && root.checkVisibility();
    clearTimeout(waiting);
    if (isInSight) write();
    else waiting = setTimeout(write, REST);
  };

  root.classList.add("viz-prose");
  loadTypesetter(store.formulas).then((loaded) => {
    typeset = loaded;
    write();
  });
  const off = store.subscribe(paint);
  return {
    repaint: write,
    destroy() {
      gone = true;
      clearTimeout(waiting);
      off();
    },
  };
}

// Whether an exercise asks for a number that may stand there.
function isAsked({ talk, view }) {
  return !view.lecture && talk?.exercise?.kind === "computed" && !solvedCards(talk.name).includes(talk.at);
}
