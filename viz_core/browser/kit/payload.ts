// The life of a part in Streamlit, which brings payloads.

import { answered } from "./data";
import { el } from "./dom";
import { theStore } from "../../web/src/state";
import type { Root, Store } from "../../web/src/ui/store";

// What a part is once it is mounted. ready: a promise, what was asked for is drawn.
type Mounted<Payload> = { update(payload: Payload): void; destroy(): void; ready?(): Promise<unknown> };

export type Mount<Payload> = (root: Root, payload: Payload, store: Store) => Mounted<Payload>;

// run: in Streamlit, where `face` does not do.
export type Part = { mount: Mount<unknown>; run?(called: Called): unknown; style: string };

// What Streamlit calls a part with.
export interface Called<Data = Uint8Array | [Sent]> {
  data: Data;
  parentElement: ParentNode;
  setTriggerValue(name: string, value: unknown): void;
}

type Sent = Uint8Array | { address?: string };

interface Place<Payload> extends Root {
  asked?: Sent | null; // in the last call
  shown?: Sent | null;
  viz?: Mounted<Payload> | null;
}

// data: bytes, or [an object]; of { address } the payload is what the server answers there. mount: (root, payload, store) =>
// { update, destroy }. root.send(name, value) reaches Python. when(show): calls show once the part can be shown.
export function face<Payload>(
  { data: sent, parentElement, setTriggerValue }: Called,
  mount: Mount<Payload>,
  when = theStore().ready,
) {
  const store = theStore();
  const root = parentElement.querySelector(".viz-part") as Place<Payload>;
  const data: Sent = Array.isArray(sent) ? sent[0] : sent;
  root.send = setTriggerValue;
  root.asked = data;
  const isWanted = () => root.asked === data; // no later call has brought something newer
  const show = (payload: Payload) =>
    when(() => {
      if (!isWanted()) return;
      if (!root.viz) root.viz = mount(root, payload, store);
      else if (!alike(root.shown, data)) root.viz.update(payload);
      root.shown = data;
    });
  const address = "address" in data ? data.address : "";
  if (!address || (root.viz && alike(root.shown, data))) show(data as Payload);
  else
    answered(address, isWanted).then((found) => {
      if (!isWanted() || !found) return;
      root.address = address;
      if ("error" in found) refuse(root, found.error);
      else show(found as Payload);
    });
  return () => {
    if (root.isConnected) return;
    root.asked = null;
    end(root);
  };
}

// Of a part that does not wait for the store: where there is no sentence yet, there is none.
export const early =
  <Payload>(mount: Mount<Payload>) =>
  (called: Called) =>
    face(called, mount, (show) => show());

// What the server says of an address that means nothing to it, in place of the part; the rest of the page stays.
function refuse(root: Place<never>, error: string) {
  end(root);
  root.replaceChildren(el("p", { role: "alert" }, error));
}

function end(root: Place<never>) {
  root.viz?.destroy();
  root.viz = root.shown = null;
}

function alike(one: Sent | null | undefined, other: Sent) {
  if (!(one instanceof Uint8Array && other instanceof Uint8Array)) return JSON.stringify(one) === JSON.stringify(other);
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}
