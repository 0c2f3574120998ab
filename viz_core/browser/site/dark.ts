// The dark theme of a site, whose pages are recorded in the light one: its palette takes the other's place where they are read.

import type { Theme } from "../../web/src/ui/store";
import { dress } from "../kit/dom";
import type { Site } from "./data";

const HEX = /#[0-9A-F]{6}/g;
const PACKED = ["packed", "recorded"]; // base64; a colour takes as many bytes in either theme

/** Dresses the document in the theme that the reader's system asks for; a change of it opens the page anew. Returns what JSON.parse needs
 * to read recorded pages in that theme. */
export function inTheme({ themes: { light, dark } }: Site) {
  const wanted = matchMedia("(prefers-color-scheme: dark)");
  wanted.addEventListener("change", () => location.reload(), { once: true });
  dress(document.documentElement, (wanted.matches ? dark : light) as Theme);
  return wanted.matches ? darkened(light, dark) : undefined;
}

type Palette = Site["themes"]["light"];

/** Exchanges the palette, and its colours within strings. Recorded parts have no colour scales: the browser draws the cells. */
export function darkened(light: Palette, dark: Palette) {
  const pairs = new Map<string, string>();
  for (const [name, colour] of Object.entries(light))
    if (typeof colour === "string" && name !== "surface") pairs.set(colour, String(dark[name]));
  const exchanged = (text: string) => text.replace(HEX, (colour) => pairs.get(colour) ?? colour);
  return (key: string, value: unknown) => {
    if (key === "theme") return dark;
    if (typeof value !== "string") return value;
    return PACKED.includes(key) ? btoa(exchanged(atob(value))) : exchanged(value);
  };
}
