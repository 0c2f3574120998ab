// The menu of the player: what one needs now and then on every page. What Streamlit has at the foot of the page is offered
// here, too.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { Button, keys, Sign, useDismiss } from "../../web/src/ui/elements";
import { useView } from "../../web/src/ui/part";
import type { Store, Words } from "../../web/src/ui/store";
import { cover, fullScreen, switchLecture } from "../kit/keys";
import { pagePicture } from "../kit/page_picture";
import { savePng, saveSvg } from "../kit/save";

const SCROLLED = 120; // ms
const FOOT = ".st-key-_behind button";
const SAVERS = [
  ["png", savePng],
  ["svg", saveSvg],
] as const;

export type MenuTexts = Words<"menu menu_sign lecture_sign share full keys png svg">;

// What can be saved of what is shown: the drawing of a part that offers one, else of the page.
const pictureOf = (store: Store) => store.picture ?? pagePicture(store);

function savePicture(save: typeof savePng, store: Store) {
  const picture = pictureOf(store);
  if (picture) save(picture, store);
}

// For the bar: in lecture mode, which has no menu.
export function PictureButtons({ texts }: { texts: Words<"png" | "svg"> }) {
  const { store } = useView();
  return SAVERS.map(([kind, save]) => (
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
  const pictures = SAVERS.map(([kind, save]): Offer => [texts[kind], () => savePicture(save, store)]);
  const foot = [...document.querySelectorAll<HTMLElement>(FOOT)];
  return [
    [texts.lecture_sign, () => switchLecture(store), "L"],
    ...shared,
    [texts.full, fullScreen, "F"],
    [texts.keys, () => store.set({ help: true }), "?"],
    ...(pictureOf(store) ? pictures : []),
    ...foot.map((found): Offer => [footWords(found), () => pressFoot(found)]),
  ];
}

const footWords = (found: HTMLElement) => found.querySelector("p")?.textContent ?? found.textContent ?? "";

function pressFoot(found: HTMLElement) {
  found.scrollIntoView({ block: "center" });
  setTimeout(() => found.click(), SCROLLED); // a click that is not over yet would close it again
}
