// Data by address, of viz_core/app/answers.py: the browser asks once for what an address says, and keeps it while there is room.

import { count } from "./busy";

const ROOM = 32e6; // bytes that are kept, those that were asked for last
const FIRST = 250; // ms until a server that is away is asked again
const LONGEST = 8000; // ms between two times later on

const kept = new Map(); // address → bytes, the last one asked for at the end
const coming = new Map(); // address → promise
let recorded = null; // of a file, which has no server: address → a promise of bytes

// From now on answers come from there.
export function answerFrom(source) {
  recorded = source;
}

// Of an address whose server is there: its bytes, or { error }, a sentence for the reader. Until then it asks again, as long as
// isWanted() says so; null where it no longer does. Meanwhile the page is busy.
export async function answered(address, isWanted) {
  count(1);
  try {
    return await asked(address, isWanted);
  } finally {
    count(-1);
  }
}

async function asked(address, isWanted) {
  for (let wait = FIRST; isWanted(); wait = Math.min(2 * wait, LONGEST)) {
    const found = await fetched(address);
    if (found !== "away") return found;
    await new Promise((done) => setTimeout(done, wait));
  }
  return null;
}

// Once: a promise of its bytes; of "away" where there is no server; of { error }, a sentence for the reader, where the address means
// nothing to it.
export async function fetched(address) {
  if (kept.has(address)) return keep(address, kept.get(address));
  if (!coming.has(address)) {
    count(1);
    const ended = () => {
      coming.delete(address);
      count(-1);
    };
    coming.set(address, bring(address).finally(ended));
  }
  const found = await coming.get(address);
  return found instanceof Uint8Array ? keep(address, found) : found;
}

async function bring(address) {
  if (recorded) return recorded(address);
  try {
    const answer = await fetch(new URL(address, location.origin));
    if (answer.ok) return new Uint8Array(await answer.arrayBuffer());
    return answer.headers.get("Content-Type") === "application/json" ? await answer.json() : "away";
  } catch {
    return "away";
  }
}

// Where another view of the same sentence is.
export const siblingOf = (address, view) => address.replace(/[^/?]*(?=\?)/, view);

// Where a view of the same model is; own: the parameters that it has beside the model's.
export function ofModel(address, view, own) {
  const [path, query] = siblingOf(address, view).split("?");
  const kept = query.split("&").filter((each) => /^(model|lang|of)=/.test(each));
  return `${path}?${[...kept, ...Object.entries(own).map((pair) => pair.join("="))].join("&")}`;
}

function keep(address, bytes) {
  kept.delete(address);
  kept.set(address, bytes);
  let size = 0;
  for (const [each, { length }] of [...kept].reverse()) {
    size += length;
    if (size > ROOM && each !== address) kept.delete(each);
  }
  return bytes;
}
