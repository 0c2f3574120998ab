// The player's menu: less frequent actions of every page, including the buttons that Streamlit has at the foot of the page.
// here, too.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { Button, keys, Sign, useDismiss } from "../../web/src/ui/elements";
import { useView } from "../../web/src/ui/part";
import { linkTo } from "../../web/src/address";
import type { Counterpart, Store, Words } from "../../web/src/ui/store";
import { cover, fullScreen, switchLecture } from "../kit/keys";
import { savePng, saveSvg } from "../kit/save";

const SCROLLED = 120; // ms for the page to scroll
const FOOT = ".st-key-_behind button";
const SAVERS = [
  ["png", savePng],
  ["svg", saveSvg],
] as const;

export type MenuTexts = Words<"menu menu_sign lecture_sign share full keys png svg">;

function savePicture(save: typeof savePng, store: Store) {
  if (store.picture) save(store.picture, store);
}

// Buttons for the bar, since lecture mode has no menu.
export function PictureButtons({ texts }: { texts: Words<"png" | "svg"> }) {
  const { store } = useView();
  return (store.picture ? SAVERS : []).map(([kind, save]) => (
    <Button key={kind} class="picture" title={texts[kind]} act={() => savePicture(save, store)}>
      {kind.toUpperCase()}
    </Button>
  ));
}

export function Menu({ texts }: { texts: MenuTexts }) {
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
          {offers(store, texts).map(([words, act, key]) => (
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

function offers(store: Store, texts: MenuTexts): Offer[] {
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
