// What Python sends: the life of a part in Streamlit, which brings payloads, and the reader of these.

import { answered } from "./data";
import { el } from "./dom";
import type { Tensor } from "../../web/src/payload";
import { theStore } from "../../web/src/state";
import type { Root, Store } from "../../web/src/ui/store";

// What a part is once it is mounted. ready: a promise, what was asked for is drawn.
export interface Mounted<Payload> {
  update(payload: Payload): void;
  destroy(): void;
  ready?(): Promise<unknown>;
}

export type Mount<Payload> = (root: Root, payload: Payload, store: Store) => Mounted<Payload>;

// run: in Streamlit, where `face` does not do.
export interface Part {
  mount: Mount<unknown>;
  run?(called: Called): unknown;
  style: string;
}

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

const BYTES: Record<string, number> = { F64: 8, F32: 4, F16: 2, I32: 4, U8: 1 };

interface Entry {
  dtype: string;
  shape: number[];
  data_offsets: [number, number];
}

export function readTensors<About, Name extends string>(bytes: Uint8Array) {
  const start = bytes.byteOffset;
  const view = new DataView(bytes.buffer, start, bytes.byteLength);
  const length = Number(view.getBigUint64(0, true));
  const { __metadata__: metadata, ...header } = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + length)));
  const about: About = JSON.parse(metadata?.about ?? "{}");
  const tensors: Record<string, Tensor> = {};
  for (const [name, { dtype, shape, data_offsets: offsets }] of Object.entries<Entry>(header)) {
    const [from, to] = offsets;
    if (!BYTES[dtype]) throw new Error(`${name}: ${dtype} is not read here`);
    const part = bytes.slice(8 + length + from, 8 + length + to).buffer; // a copy of its own, so that it is aligned
    tensors[name] = { shape, data: decode(dtype, part), exact: dtype !== "F16" };
  }
  return { about, tensors: tensors as Record<Name, Tensor> };
}

function decode(dtype: string, buffer: ArrayBuffer) {
  if (dtype === "F64") return new Float64Array(buffer);
  if (dtype === "F32") return new Float32Array(buffer);
  if (dtype === "I32") return new Int32Array(buffer);
  if (dtype === "U8") return new Uint8Array(buffer);
  const table = halves();
  return Float32Array.from(new Uint16Array(buffer), (bits) => table[bits] as number);
}

let halfTable: Float32Array | null = null;

function halves() {
  if (halfTable) return halfTable;
  halfTable = new Float32Array(65536);
  for (let bits = 0; bits < 65536; bits += 1) {
    const exponent = (bits >> 10) & 31;
    const fraction = bits & 1023;
    const sign = bits & 0x8000 ? -1 : 1;
    if (exponent === 31) halfTable[bits] = fraction ? NaN : sign * Infinity;
    else halfTable[bits] = sign * (exponent ? 2 ** (exponent - 15) * (1 + fraction / 1024) : 2 ** -14 * (fraction / 1024));
  }
  return halfTable;
}

// The part of an array at leading indices, without a copy: slice(weights, layer, head) is (Tq, Tk).
export function slice({ shape, data }: Tensor, ...at: number[]) {
  let size = 1;
  for (let axis = at.length; axis < shape.length; axis += 1) size *= shape[axis] as number;
  let index = 0;
  for (let axis = 0; axis < at.length; axis += 1) index = index * (shape[axis] as number) + (at[axis] as number);
  return data.subarray(index * size, (index + 1) * size);
}

// Where numbers are greatest, the first of equal ones; NaN is never.
export function greatestOf(numbers: ArrayLike<number>) {
  return Array.from(numbers).reduce((best, value, at) => (value > (numbers[best] || 0) ? at : best), 0);
}

export function bytesOf(base64: string) {
  return Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
}
