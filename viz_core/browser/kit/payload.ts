// Mounts and updates a part for Streamlit, which delivers its payload.

import { answered } from "./data";
import { el } from "./dom";
import { theStore } from "../../web/src/state";
import type { Root, Store } from "../../web/src/ui/store";

// A mounted part. ready: resolves once everything requested is drawn.
type Mounted<Payload> = { update(payload: Payload): void; destroy(): void; ready?(): Promise<unknown> };

type Mount<Payload> = (root: Root, payload: Payload, store: Store) => Mounted<Payload>;

// run: replaces `face` as what Streamlit calls.
export type Part = { mount: Mount<unknown>; run?(called: Called): unknown; style: string };

// The arguments with which Streamlit calls a part.
export interface Called<Data = Uint8Array | [Sent]> {
  data: Data;
  parentElement: ParentNode;
  setTriggerValue(name: string, value: unknown): void;
}

type Sent = Uint8Array | { address?: string };

interface Place<Payload> extends Root {
  asked?: Sent | null; // by the last call
  shown?: Sent | null;
  viz?: Mounted<Payload> | null;
}

// data: bytes, or [an object]; for { address } the payload is fetched from there. root.send(name, value) reaches Python.
// when(show): calls `show` once the part can be shown.
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
  const isWanted = () => root.asked === data; // whether no later call has replaced it
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
    answered(address, isWanted).then((answer) => {
      if (!isWanted() || !answer) return;
      root.address = address;
      if ("error" in answer) refuse(root, answer.error);
      else show(answer as Payload);
    });
  return () => {
    if (root.isConnected) return;
    root.asked = null;
    end(root);
  };
}

// For a part that does not wait for the store's view, because it is also shown without a sentence.
export const early =
  <Payload>(mount: Mount<Payload>) =>
  (called: Called) =>
    face(called, mount, (show) => show());

// Shows the server's refusal in place of the part; the rest of the page stays.
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
