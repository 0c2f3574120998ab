// What stands below a figure in words and formulas, such as the arithmetic of what is picked: written anew in the frame in which the
// view changes, or a little later where it is out of sight.

import type { View } from "../../web/src/figure";
import { type Payload, readPayload } from "../../web/src/payload";
import type { Root, Store } from "../../web/src/ui/store";
import { afterPause } from "./busy";
import { barHeight, dress, el } from "./dom";
import { solvedCards } from "./progress";
import { type Typesetter, loadTypesetter, prose } from "./prose";

const REST = 150; // ms without a change until what is out of sight is written

/** A part of the text. name: a class; text: Markdown, else nodes() → elements, which are made anew only where `shows`, what they
 * show, changes. */
export type Section = { name: string; heading?: string } & ({ text: string } | { shows: unknown; nodes: () => (Node | string)[] });

/** A part of the page that shows sections from top to bottom; null while what they are made of is still to come. */
export function below<About, Name extends string = never>(
  sections: (payload: Payload<About, Name>, view: View, store: Store) => (Section | null)[] | null,
) {
  return (root: Root, bytes: Uint8Array, store: Store) => {
    let payload = readPayload<About, Name>(bytes);
    let typeset: Typesetter | null = null;
    let gone = false;
    const written = new Map<string, { key: string; node: HTMLElement }>();

    function nodeOf(section: Section) {
      const text = "text" in section;
      const shows = text ? section.text : section.shows;
      const key = JSON.stringify([shows, section.heading, store.theme.ink, Boolean(typeset)]);
      const known = written.get(section.name);
      if (known?.key === key) return known.node;
      const node = known?.node ?? el("section", { class: section.name });
      const heading = section.heading ? [el("h2", {}, section.heading)] : [];
      node.replaceChildren(...heading, ...(text ? prose(section.text, typeset) : section.nodes()));
      written.set(section.name, { key, node });
      return node;
    }

    function write() {
      pausing.stop();
      if (gone) return;
      dress(root, store.theme);
      root.style.display = isAsked(store) ? "none" : "";
      const nodes = sections(payload, { ...store.view }, store)
        ?.filter((section) => section !== null)
        .map(nodeOf);
      if (nodes && (nodes.length !== root.children.length || nodes.some((node, at) => node !== root.children[at])))
        root.replaceChildren(...nodes);
    }

    const pausing = afterPause(write, REST);

    function paint() {
      const { top, bottom } = root.getBoundingClientRect();
      const isInSight = top < innerHeight - barHeight() && bottom > 0 && root.checkVisibility();
      if (isInSight) write();
      else pausing.begin();
    }

    root.classList.add("viz-prose");
    loadTypesetter(store.formulas).then((loaded) => {
      typeset = loaded;
      write();
    });
    const off = store.subscribe(paint);
    return {
      update(next: Uint8Array) {
        payload = readPayload(next);
        write();
      },
      destroy() {
        gone = true;
        pausing.stop();
        off();
      },
    };
  };
}

// Whether an exercise asks for a number that may stand there.
function isAsked({ talk, view }: Store) {
  return !view.lecture && talk?.exercise?.kind === "computed" && !solvedCards(talk.name).includes(talk.at);
}
