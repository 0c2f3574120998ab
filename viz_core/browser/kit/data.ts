// Data by address, from viz_core/app/answers.py: each address is fetched once and its answer cached within a bound in bytes. What the page
// waits for is counted.

// Counts what the page is waiting for: data being fetched, and pauses before the address is written. While the count is above 0, the
// document has the attribute `data-busy`.

let waiting = 0;

export function count(more: 1 | -1): void {
  waiting += more;
  document.documentElement.toggleAttribute("data-busy", waiting > 0);
}

export const isBusy = () => waiting > 0;

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

const [ROOM, LESS] = [32e6, 4e6]; // bytes cached, the most recently used; less where an answer is soon made again
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
