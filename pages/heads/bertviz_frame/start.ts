// Runs before bertviz: provides its data, and a substitute for require.js, since d3 and jQuery are in the page itself.

import type { Store } from "../../../viz_core/web/src/ui/store";
import type { Payload } from "./frame";

declare const jQuery: unknown;
declare const d3: unknown;

declare global {
  interface Window {
    payload: Payload;
    around(): Store | undefined;
    requirejs(names: string[], run: (...libraries: unknown[]) => void): void;
  }
}

type Nested = number | Nested[];

const KEY: unique symbol = Symbol.for("viz_core.store");
const payload: Payload & { scale: number } = JSON.parse(document.querySelector("#payload")?.textContent ?? "");
const divided = (value: Nested): Nested => (Array.isArray(value) ? value.map(divided) : value / payload.scale);
for (const kind of payload.params.attention) kind.attn = divided(kind.attn) as typeof kind.attn;
window.payload = payload;
// The store of the surrounding page, once it exists; a frame on its own keeps its own layer.
window.around = () => (parent === window ? undefined : (parent as Window & { [KEY]?: Store })[KEY]);
const shownLayer = (window.around()?.view.layer ?? NaN) + 1;
if (payload.params.layer && payload.params.include_layers.includes(shownLayer)) payload.params.layer = shownLayer;
window.requirejs = (_, run) => run(jQuery, d3);
