// Data by address, of viz_core/app/answers.py: the browser asks once for what an address says, and keeps it while there is room.

import { count } from "./busy";

type Refusal = { error: string }; // a sentence for the reader
type Answer = Uint8Array | Refusal | "away";

const ROOM = 32e6; // bytes that are kept, those that were asked for last
const FIRST = 250; // ms until a server that is away is asked again
const LONGEST = 8000; // ms between two times later on

const kept = new Map<string, Uint8Array>(); // address → bytes, the last one asked for at the end
const coming = new Map<string, Promise<Answer>>(); // address → promise
let recorded: ((address: string) => Promise<Answer>) | null = null; // of a file, which has no server

// From now on answers come from there.
export function answerFrom(source: typeof recorded) {
  recorded = source;
}

// Of an address whose server is there: its bytes, or { error }, a sentence for the reader. Until then it asks again, as long as
// isWanted() says so; null where it no longer does. Meanwhile the page is busy.
export async function answered(address: string, isWanted: () => boolean) {
  count(1);
  try {
    return await asked(address, isWanted);
  } finally {
    count(-1);
  }
}

async function asked(address: string, isWanted: () => boolean) {
  for (let wait = FIRST; isWanted(); wait = Math.min(2 * wait, LONGEST)) {
    const found = await fetched(address);
    if (found !== "away") return found;
    await new Promise((done) => setTimeout(done, wait));
  }
  return null;
}

// Once: a promise of its bytes; of "away" where there is no server; of { error }, a sentence for the reader, where the address means
// nothing to it.
export async function fetched(address: string): Promise<Answer> {
  const known = kept.get(address);
  if (known) return keep(address, known);
  let answer = coming.get(address);
  if (!answer) {
    count(1);
    const ended = () => {
      coming.delete(address);
      count(-1);
    };
    answer = bring(address).finally(ended);
    coming.set(address, answer);
  }
  const found = await answer;
  return found instanceof Uint8Array ? keep(address, found) : found;
}

async function bring(address: string): Promise<Answer> {
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
export const siblingOf = (address: string, view: string) => address.replace(/[^/?]*(?=\?)/, view);

// Where a view of the same model is; own: the parameters that it has beside the model's.
export function ofModel(address: string, view: string, own: Readonly<Record<string, unknown>>) {
  const [path, query = ""] = siblingOf(address, view).split("?");
  const kept = query.split("&").filter((each) => /^(model|lang|of)=/.test(each));
  return `${path}?${[...kept, ...Object.entries(own).map((pair) => pair.join("="))].join("&")}`;
}

function keep(address: string, bytes: Uint8Array) {
  kept.delete(address);
  kept.set(address, bytes);
  let size = 0;
  for (const [each, { length }] of [...kept].reverse()) {
    size += length;
    if (size > ROOM && each !== address) kept.delete(each);
  }
  return bytes;
}
