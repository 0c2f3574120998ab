// The reader's own talks, recorded or opened, are kept in this browser: they outlive a reload, and the server.

import { isPreview } from "../kit/preview";
import { keep, stored } from "../kit/progress";

const KEPT = "viz-talks"; // in the browser's storage: [name, text of its file] of each, the newest last
const RECORDED = "recorded"; // as library.py names it
const MOST = 12; // talks
const LONGEST = 1_500_000; // characters of all together; browsers give some 5 million
const YEAR = 60 * 60 * 24 * 365; // s

let answered: { session?: string; run?: number } = {}; // { session, run } that have been looked at

type Talks = [name: string, text: string][];

export interface Kept {
  kept: {
    here: string[]; // the names of the talks that this session has
    changed: Record<string, string>; // name → text of its file, "" where it goes
    awaited: string | null; // the name of one that a link asks for
  };
  session: string;
  run: number;
}

export function keepTalks({ kept: { here, changed, awaited }, session, run }: Kept, send: (event: string, message: Talks) => void) {
  const before = read();
  if (!isPreview()) {
    const after = within([
      ...before.filter(([name]) => !Object.hasOwn(changed, name)),
      ...Object.entries(changed).filter(([, text]) => text),
    ]);
    if (Object.keys(changed).length) keep(KEPT, after);
    nameTalks(after);
  }
  const missing = before.filter(([name]) => !here.includes(name) && !Object.hasOwn(changed, name));
  const isNew = answered.session !== session;
  const isLost = awaited !== null && answered.run !== run; // the message, with a run that another one interrupted
  if (isNew ? awaited !== null || missing.length : isLost) send("kept", missing);
  answered = { session, run };
}

function read(): Talks {
  const found = stored(KEPT);
  return Array.isArray(found) ? found.filter(isTalk) : [];
}

const isTalk = (each: unknown) => Array.isArray(each) && each.length === 2 && each.every((part) => typeof part === "string");

// The oldest go, but neither the recorded one nor the newest.
function within(talks: Talks) {
  const left = [...talks];
  const isTooMuch = () => left.length > MOST || left.reduce((sum, [, text]) => sum + text.length, 0) > LONGEST;
  while (isTooMuch()) {
    const oldest = left.slice(0, -1).findIndex(([name]) => name !== RECORDED);
    if (oldest < 0) break;
    left.splice(oldest, 1);
  }
  return left;
}

// For the first run of the next session. Cookies are those of all servers of this machine, so the name has the port.
function nameTalks(talks: Talks) {
  const cookie = `viz_talks_${location.port}`;
  const names = talks.map(([name]) => name).join(".");
  if (!names && !document.cookie.includes(`${cookie}=`)) return;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API needs https, which a server in a lecture hall lacks
  document.cookie = `${cookie}=${names}; path=/; max-age=${names ? YEAR : 0}; samesite=lax`;
}
