// The player's menu: less frequent actions of every page, including the buttons that Streamlit has at the foot of the page.
// here, too.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { Button, keys, Sign, useDismiss } from "../../web/src/ui/elements";
import { textsIn } from "../../web/src/texts";
import { useView } from "../../web/src/ui/part";
import { linkTo } from "../../web/src/address";
import type { Counterpart, Store } from "../../web/src/ui/store";
import { cover, fullScreen, switchLecture } from "../kit/keys";
import { savePng, saveSvg } from "../kit/save";
import { isPreview, keep, stored } from "../kit/progress";

const SCROLLED = 120; // ms for the page to scroll
const FOOT = ".st-key-_behind button";
const SAVERS = [
  ["png", savePng],
  ["svg", saveSvg],
] as const;

const texts = textsIn("app.player");

function savePicture(save: typeof savePng, store: Store) {
  if (store.picture) save(store.picture, store);
}

// Buttons for the bar, since lecture mode has no menu.
export function PictureButtons() {
  const { store } = useView();
  return (store.picture ? SAVERS : []).map(([kind, save]) => (
    <Button key={kind} class="picture" title={texts[kind]} act={() => savePicture(save, store)}>
      {kind.toUpperCase()}
    </Button>
  ));
}

export function Menu() {
  const { store } = useView();
  const [isOpen, setOpen] = useState(false);
  const node = useRef<HTMLSpanElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const close = () => setOpen(false);
  const items = () => [...(node.current?.querySelectorAll<HTMLElement>("[role=menuitem]") ?? [])];
  useDismiss(node, isOpen, close);
  useLayoutEffect(() => {
    if (isOpen) items()[0]?.focus();
  }, [isOpen]);

  const press = keys((event) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!isOpen) return;
    if (event.key === "Escape") {
      close();
      opener.current?.focus();
    } else if (event.key === "Tab") return close();
    else if (!by) return;
    else {
      const all = items();
      all.at((all.findIndex((item) => item.matches(":focus")) + by) % all.length)?.focus();
    }
    event.preventDefault();
    event.stopPropagation();
  });
  const choose = (act: () => unknown) => () => {
    close();
    opener.current?.focus();
    act();
  };
  return (
    <span class="menu" ref={node} onKeyDown={press}>
      {isOpen && (
        <div class="list" role="menu" aria-label={texts.menu}>
          {offers(store).map(([words, act, key]) => (
            <Button key={words} role="menuitem" tabIndex={-1} act={choose(act)}>
              {words}
              {key && <kbd aria-hidden="true">{key}</kbd>}
            </Button>
          ))}
        </div>
      )}
      <Sign
        class="more"
        named={texts.menu}
        ref={opener}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        act={() => setOpen(!isOpen)}
        words={texts.menu_sign}
      />
    </span>
  );
}

type Offer = [words: string, act: () => unknown, key?: string];

function offers(store: Store): Offer[] {
  const shared: Offer[] = store.share ? [[texts.share, () => cover(store, "share"), "Q"]] : [];
  const there = store.counterpart ? [[store.counterpart.words, () => location.assign(addressOfCounterpart(store))] as Offer] : [];
  const pictures = SAVERS.map(([kind, save]): Offer => [texts[kind], () => savePicture(save, store)]);
  const foot = [...document.querySelectorAll<HTMLElement>(FOOT)];
  return [
    [texts.lecture_sign, () => switchLecture(store), "L"],
    ...shared,
    ...there,
    [texts.full, fullScreen, "F"],
    [texts.keys, () => store.set({ help: true }), "?"],
    ...(store.picture ? pictures : []),
    ...foot.map((button): Offer => [footWords(button), () => pressFoot(button)]),
  ];
}

// The same view below the other of both addresses. model: the usual one here, which may be another there.
function addressOfCounterpart(store: Store) {
  const { from, to, model } = store.counterpart as Counterpart;
  const { pathname, searchParams } = new URL(linkTo(store.now()));
  if (!searchParams.has("model")) searchParams.set("model", model);
  return `${to}${pathname.slice(from.length).replace(/\/$/, "")}?${searchParams}`;
}

const footWords = (button: HTMLElement) => button.querySelector("p")?.textContent ?? button.textContent ?? "";

function pressFoot(button: HTMLElement) {
  button.scrollIntoView({ block: "center" });
  setTimeout(() => button.click(), SCROLLED); // the click on the menu, still under way, would close a pop-over at once
}

// The reader's own talks, recorded or uploaded, are stored in this browser: they outlive a reload and the server.

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
