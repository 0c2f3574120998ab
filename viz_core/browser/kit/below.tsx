// Text and formulas below a figure, such as the arithmetic of the picked cell. Rewritten in the frame in which the view changes, or a
// little later while out of sight.

import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useReducer, useRef } from "preact/hooks";
import type { View } from "../../web/src/figure";
import { type Payload, readPayload } from "../../web/src/payload";
import { part, useView } from "../../web/src/ui/part";
import type { Root, Store } from "../../web/src/ui/store";
import { afterPause } from "./data";
import { barHeight } from "./dom";
import { solvedCards } from "./progress";
import { type Typesetter, loadTypesetter, prose } from "./numbers";

const REST = 150; // ms without a change until text out of sight is rewritten

/** A section of the text. name: its CSS class; text: Markdown, otherwise `children`. */
export type Section = { name: string; heading?: string; text?: string; children?: ComponentChildren };

/** A part that shows sections from top to bottom. sections: returns null while their data is still loading. */
export function below<About, Name extends string = never>(
  sections: (payload: Payload<About, Name>, view: View, store: Store, root: Root) => (Section | null)[] | null,
) {
  function Below({ payload }: { payload: Payload<About, Name> }) {
    const { view, store, root } = useView();
    const held = useRef({ all: [] as Section[], isDue: true, typeset: null as Typesetter | null });
    const { current: now } = held;
    const [, again] = useReducer((count: number) => count + 1, 0);
    const write = () => {
      now.isDue = true;
      again(0);
    };
    const pausing = useMemo(() => afterPause(write, REST), []);
    useEffect(() => {
      loadTypesetter(store.formulas).then((loaded) => {
        now.typeset = loaded;
        write();
      });
      return pausing.stop;
    }, []);
    const { top, bottom } = root.getBoundingClientRect();
    const isInSight = top < innerHeight - barHeight() && bottom > 0 && root.checkVisibility();
    if (isInSight || now.isDue) {
      pausing.stop();
      const all = sections(payload, { ...view }, store, root)?.filter((section) => section !== null);
      Object.assign(now, { all: all ?? now.all, isDue: false });
    } else pausing.begin();
    root.classList.add("viz-prose"); // before any text is there, so that Predict can hide it
    root.style.display = isAsked(store) ? "none" : "";
    return now.all.map(({ name, heading, text, children }) => (
      <section key={name} class={name}>
        {heading && <h2>{heading}</h2>}
        {text === undefined ? children : <Prose text={text} typeset={now.typeset} />}
      </section>
    ));
  }
  return part(Below, (bytes: Uint8Array) => ({ payload: readPayload<About, Name>(bytes) }));
}

const Prose = ({ text, typeset }: { text: string; typeset: Typesetter | null }) =>
  useMemo(() => <>{prose(text, typeset)}</>, [text, typeset]);

// Whether an unsolved exercise asks for a number that the text may contain.
function isAsked({ talk, view }: Store) {
  return !view.lecture && talk?.exercise?.kind === "computed" && !solvedCards(talk.name).includes(talk.at);
}
