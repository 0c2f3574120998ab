// Mounts parts as Streamlit does: each in an element of its own, most in a shadow root, called again with new data.

import { bytesOf } from "../../web/src/payload";
import { el } from "../kit/dom";
import type { Called } from "../kit/payload";
import type { Placed } from "./data";

type Run = (called: Called) => unknown;
type Mounted = { host: HTMLElement; root: ParentNode & Node; end: unknown };

const FOLLOWING = ["access", "rail"]; // rewrite their words; others are mounted anew in another language, as in components.py

export function makeMounter(part: (name: string) => Run, placeOf: (placed: Placed) => HTMLElement) {
  const keyOf = ({ name, key }: Placed) => (FOLLOWING.includes(name) ? key : `${key} ${document.documentElement.lang}`);
  const mounted = new Map<string, Mounted>();

  return {
    mount(placed: Placed, send: Called["setTriggerValue"]) {
      const { name, data, packed } = placed;
      const key = keyOf(placed);
      const known = mounted.get(key) ?? makeHost(placed);
      mounted.set(key, known);
      const place = placeOf(placed);
      if (known.host.parentElement !== place) place.append(known.host);
      const sent = (packed === undefined ? [data ?? {}] : bytesOf(packed)) as Called["data"];
      known.end = part(name)({ data: sent, parentElement: known.root, setTriggerValue: send });
    },

    // Takes away all others.
    leave(parts: readonly Placed[]) {
      const keys = new Set(parts.map(keyOf));
      for (const [key, { host, end }] of mounted) {
        if (keys.has(key)) continue;
        mounted.delete(key);
        host.remove();
        if (typeof end === "function") end();
      }
    },
  };
}

function makeHost({ name, inPage }: Placed): Mounted {
  const host = el("div", { "data-part": name });
  const root = inPage ? host : host.attachShadow({ mode: "open" });
  root.append(el("div", { class: `viz-part viz-${name.replaceAll("_", "-")}` }));
  return { host, root, end: null };
}
