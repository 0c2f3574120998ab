// What Python sends: the life of a part in Streamlit, which brings payloads, and the reader of these.

import { answered } from "./data";
import { el } from "./dom";
import { theStore } from "../../web/src/state";

// data: bytes, or [an object]; of { address } the payload is what the server answers there. mount: (root, payload, store) =>
// { update, destroy }. root.send(name, value) reaches Python. when(show): calls show once the part can be shown.
export function face({ data: sent, parentElement, setTriggerValue }, mount, when = theStore().ready) {
  const store = theStore();
  const root = parentElement.querySelector(".viz-part");
  const data = Array.isArray(sent) ? sent[0] : sent;
  root.send = setTriggerValue;
  root.asked = data;
  const isWanted = () => root.asked === data; // no later call has brought something newer
  const show = (payload) =>
    when(() => {
      if (!isWanted()) return;
      if (!root.viz) root.viz = mount(root, payload, store);
      else if (!alike(root.shown, data)) root.viz.update(payload);
      root.shown = data;
    });
  if (!data.address || (root.viz && alike(root.shown, data))) show(data);
  else
    answered(data.address, isWanted).then((found) => {
      if (!isWanted()) return;
      root.address = data.address;
      if (found.error) refuse(root, found.error);
      else show(found);
    });
  return () => {
    if (root.isConnected) return;
    root.asked = null;
    end(root);
  };
}

// What the server says of an address that means nothing to it, in place of the part; the rest of the page stays.
function refuse(root, error) {
  end(root);
  root.replaceChildren(el("p", { role: "alert" }, error));
}

function end(root) {
  root.viz?.destroy();
  root.viz = root.shown = null;
}

function alike(one, other) {
  if (!(one instanceof Uint8Array && other instanceof Uint8Array)) return JSON.stringify(one) === JSON.stringify(other);
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}

const BYTES = { F64: 8, F32: 4, F16: 2, I32: 4, U8: 1 };

export function readTensors(bytes) {
  const start = bytes.byteOffset;
  const view = new DataView(bytes.buffer, start, bytes.byteLength);
  const length = Number(view.getBigUint64(0, true));
  const { __metadata__: metadata, ...header } = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + length)));
  const about = JSON.parse(metadata?.about ?? "{}");
  const tensors = {};
  for (const [name, { dtype, shape, data_offsets: offsets }] of Object.entries(header)) {
    const [from, to] = offsets;
    if (!BYTES[dtype]) throw new Error(`${name}: ${dtype} is not read here`);
    const part = bytes.slice(8 + length + from, 8 + length + to).buffer; // a copy of its own, so that it is aligned
    tensors[name] = { shape, data: decode(dtype, part), exact: dtype !== "F16" };
  }
  return { about, tensors };
}

function decode(dtype, buffer) {
  if (dtype === "F64") return new Float64Array(buffer);
  if (dtype === "F32") return new Float32Array(buffer);
  if (dtype === "I32") return new Int32Array(buffer);
  if (dtype === "U8") return new Uint8Array(buffer);
  const table = halves();
  return Float32Array.from(new Uint16Array(buffer), (bits) => table[bits]);
}

let halfTable = null;

function halves() {
  if (halfTable) return halfTable;
  halfTable = new Float32Array(65536);
  for (let bits = 0; bits < 65536; bits += 1) {
    const exponent = (bits >> 10) & 31;
    const fraction = bits & 1023;
    const sign = bits & 0x8000 ? -1 : 1;
    if (exponent === 31) halfTable[bits] = fraction ? NaN : sign * Infinity;
    else
      halfTable[bits] = sign * (exponent ? 2 ** (exponent - 15) * (1 + fraction / 1024) : 2 ** -14 * (fraction / 1024));
  }
  return halfTable;
}

// The part of an array at leading indices, without a copy: slice(weights, layer, head) is (Tq, Tk).
export function slice({ shape, data }, ...at) {
  let size = 1;
  for (let axis = at.length; axis < shape.length; axis += 1) size *= shape[axis];
  let index = 0;
  for (let axis = 0; axis < at.length; axis += 1) index = index * shape[axis] + at[axis];
  return data.subarray(index * size, (index + 1) * size);
}

// Where numbers are greatest, the first of equal ones; NaN is never.
export function greatestOf(numbers) {
  return numbers.reduce((best, value, at) => (value > (numbers[best] || 0) ? at : best), 0);
}

export function bytesOf(base64) {
  return Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
}
