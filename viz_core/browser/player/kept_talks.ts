// The reader's own talks, recorded or uploaded, are stored in this browser: they outlive a reload and the server.

import { isPreview } from "../kit/preview";
import { keep, stored } from "../kit/progress";

const KEPT = "viz-talks"; // key in local storage: [name, text of its file] of each talk, the newest last
const RECORDED = "recorded"; // the same name as in library.py
const MOST = 12; // talks
const LONGEST = 1_500_000; // characters of all talks together; browsers allow some 5 million
const YEAR = 60 * 60 * 24 * 365; // s

let answered: { session?: string; run?: number } = {}; // the last message that was handled

type Talks = [name: string, text: string][];

export interface Kept {
  kept: {
    here: string[]; // names of the talks in this session
    changed: Record<string, string>; // name → text of its file, "" if deleted
    awaited: string | null; // name of a talk that a link asks for
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
  const isLost = awaited !== null && answered.run !== run; // our message went to a run that was interrupted
  if (isNew ? awaited !== null || missing.length : isLost) send("kept", missing);
  answered = { session, run };
}

function read(): Talks {
  const talks = stored(KEPT);
  return Array.isArray(talks) ? talks.filter(isTalk) : [];
}

const isTalk = (talk: unknown) => Array.isArray(talk) && talk.length === 2 && talk.every((part) => typeof part === "string");

// Drops the oldest talks, but neither the recorded one nor the newest.
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

// Tells the next session's first run the names, by a cookie. All servers on this machine share cookies, hence the port in its name.
function nameTalks(talks: Talks) {
  const cookie = `viz_talks_${location.port}`;
  const names = talks.map(([name]) => name).join(".");
  if (!names && !document.cookie.includes(`${cookie}=`)) return;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API needs https, which a server in a lecture hall lacks
  document.cookie = `${cookie}=${names}; path=/; max-age=${names ? YEAR : 0}; samesite=lax`;
}
