// Data by address, of viz_core/app/answers.py: the browser asks once for what an address says, and keeps it while there is room.

import { fetched } from "./fetched.js";

const ROOM = 32e6; // bytes that are kept, those that were asked for last
const FIRST = 250; // ms until a server that is away is asked again
const LONGEST = 8000; // ms between two times later on

const kept = new Map(); // address → bytes, the last one asked for at the end
let waiting = 0; // figures whose data are on their way

// Of an address whose server is there: its bytes, or { error }, a sentence for the reader. Until then it asks again, as long as
// isWanted() says so; null where it no longer does. Meanwhile the document says that something is on its way.
export async function answered(address, isWanted) {
  say(1);
  try {
    return await asked(address, isWanted);
  } finally {
    say(-1);
  }
}

function say(more) {
  waiting += more;
  document.documentElement.toggleAttribute("data-fetching", waiting > 0);
}

async function asked(address, isWanted) {
  for (let wait = FIRST; isWanted(); wait = Math.min(2 * wait, LONGEST)) {
    const found = kept.get(address) ?? (await fetched(address));
    if (found instanceof Uint8Array) keep(address, found);
    if (found !== "away" && found !== "gone") return found;
    await new Promise((done) => setTimeout(done, wait));
  }
  return null;
}

// Where another view of the same sentence is.
export const siblingOf = (address, view) => address.replace(/[^/?]*(?=\?)/, view);

function keep(address, bytes) {
  kept.delete(address);
  kept.set(address, bytes);
  let size = 0;
  for (const [each, { length }] of [...kept].reverse()) {
    size += length;
    if (size > ROOM && each !== address) kept.delete(each);
  }
}
