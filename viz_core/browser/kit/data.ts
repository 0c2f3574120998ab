// Data by address, from viz_core/app/answers.py: each address is fetched once and its answer cached within a bound in bytes.

import { el } from "./dom";
import { theStore } from "../../web/src/state";
import type { Root, Store } from "../../web/src/ui/store";

// Counts what the page is waiting for: data being fetched, and pauses before the address is written. While the count is above 0, the
// document has the attribute `data-busy`.

let waiting = 0;

export function count(more: 1 | -1): void {
  waiting += more;
  document.documentElement.toggleAttribute("data-busy", waiting > 0);
}

// Calls `act` once `pause` ms have passed since the last begin().
export function afterPause(act: () => void, pause: number) {
  let timer = 0;
  const stop = () => {
    if (timer) count(-1);
    clearTimeout(timer);
    timer = 0;
  };
  const begin = () => {
    if (!timer) count(1);
    clearTimeout(timer);
    timer = window.setTimeout(() => {
      stop();
      act();
    }, pause);
  };
  return { begin, stop };
}

type Refusal = { error: string }; // a sentence for the reader
type Answer = Uint8Array | Refusal | "away";

const [ROOM, LESS] = [32e6, 8e6]; // bytes cached, the most recently used; less where an answer is soon made again
const FIRST = 250; // ms until an unreachable server is asked again
const LONGEST = 8000; // ms, the longest wait between attempts
const PATIENCE = 60_000; // ms until an attempt is given up; what the server has computed meanwhile it sends at once

const cache = new Map<string, Uint8Array>(); // the most recently used address is last
const pending = new Map<string, Promise<Answer>>();
let recorded: ((address: string) => Promise<Answer>) | null = null; // answers stored in a file, which has no server

// From now on takes answers from there instead of the server.
export function answerFrom(source: typeof recorded) {
  recorded = source;
}

// The bytes at an address, or { error } with a sentence for the reader. Tries again until the server answers; null once isWanted() says
// no. Meanwhile the page counts as busy.
export async function answered(address: string, isWanted: () => boolean) {
  count(1);
  try {
    return await retried(address, isWanted);
  } finally {
    count(-1);
  }
}

async function retried(address: string, isWanted: () => boolean) {
  for (let wait = FIRST; isWanted(); wait = Math.min(2 * wait, LONGEST)) {
    const answer = await fetched(address);
    if (answer !== "away") return answer;
    await new Promise((done) => setTimeout(done, wait));
  }
  return null;
}

// One attempt: the bytes; "away" if no server answers; { error } if the server refuses the address.
export async function fetched(address: string): Promise<Answer> {
  const known = cache.get(address);
  if (known) return keep(address, known);
  let answer = pending.get(address);
  if (!answer) {
    count(1);
    const done = () => {
      pending.delete(address);
      count(-1);
    };
    answer = bring(address).finally(done);
    pending.set(address, answer);
  }
  const bytes = await answer;
  return bytes instanceof Uint8Array ? keep(address, bytes) : bytes;
}

async function bring(address: string): Promise<Answer> {
  if (recorded) return recorded(address);
  try {
    const answer = await fetch(new URL(address, location.origin), { signal: AbortSignal.timeout(PATIENCE) });
    if (answer.ok) return new Uint8Array(await answer.arrayBuffer());
    return answer.headers.get("Content-Type") === "application/json" ? await answer.json() : "away";
  } catch {
    return "away";
  }
}

// The address of another view of the same sentence.
export const siblingOf = (address: string, view: string) => address.replace(/[^/?]*(?=\?)/, view);

// The address of a view of the same model. own: that view's parameters besides the model's.
export function ofModel(address: string, view: string, own: Readonly<Record<string, unknown>>) {
  const [path, query = ""] = siblingOf(address, view).split("?");
  const kept = query.split("&").filter((parameter) => /^(model|lang|of)=/.test(parameter));
  return `${path}?${[...kept, ...Object.entries(own).map((pair) => pair.join("="))].join("&")}`;
}

function keep(address: string, bytes: Uint8Array) {
  cache.delete(address);
  cache.set(address, bytes);
  let size = 0;
  for (const [cached, { length }] of [...cache].reverse()) {
    size += length;
    if (size > (recorded ? LESS : ROOM) && cached !== address) cache.delete(cached);
  }
  return bytes;
}

// Mounts and updates a part for Streamlit, which delivers its payload.

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
