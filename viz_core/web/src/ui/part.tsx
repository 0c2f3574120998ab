// A part of the page as a Preact component. A part has a style sheet and one file:
//
//   interface Data { names: string[] }     what Python sends; bytes are read first
//   const texts = textsIn("browser.vectors");     its words, [vectors] of viz_core/browser/en.toml
//   function Names({ names }: Data) { const { view, set } = useView(); return <ul>…</ul>; }
//   export const mountNames = part(Names);                 or part(Names, read), where read(payload) gives Data
//
// Listeners should read `store.view`, which is newer than `view` when two keys come within a frame.
//
// It renders at once when mounted or given new data, and in the frame of each change of the store, so that a key shows in the next
// frame. Local state is `useState`; elements that remain keep focus and caret. Shared elements are in `elements.tsx`. Write a data
// attribute with `flag(isOn)` and a key listener as `onKeyDown={keys(act)}`.

import { type ComponentType, createContext, render } from "preact";
import { useContext, useEffect, useLayoutEffect, useReducer, useRef, useState } from "preact/hooks";
import { dress, barHeight, saySideways, stopSideways, topOf, watchSize, windowScale } from "../../../browser/kit/dom";
import type { Root, Store, Theme } from "./store";
import { offerPicture } from "../../../browser/kit/save";

type Held = { store: Store; send: Root["send"]; root: Root };

const Held = createContext<Held | null>(null);

// The store and what Python sent, for a component. send(name, value): to Python; absent in a file.
export function useView() {
  const held = useContext(Held);
  if (!held) throw new Error("useView outside of a part");
  const { store } = held;
  return { view: store.view, set: store.set, ...held };
}

// (root, payload, store) => { update(payload), destroy() }, as Streamlit (`kit/payload.ts`) and files expect.
export function part<Data extends object, Payload = Data>(
  Shown: ComponentType<Data>,
  read: (payload: Payload) => Data = (payload) => payload as unknown as Data,
) {
  return (root: Root, payload: Payload, store: Store) => {
    let data = read(payload);
    const send = root.send && ((name: string, value: unknown) => root.send?.(name, value)); // Streamlit replaces root.send
    const paint = () => {
      dress(root, store.theme.ink || !("theme" in data) ? store.theme : (data.theme as Theme)); // the store's theme may arrive later
      root.toggleAttribute("data-lecture", store.view.lecture);
      render(
        <Held.Provider value={{ store, send, root }}>
          <Shown {...data} />
        </Held.Provider>,
        root,
      );
    };
    paint();
    const off = store.subscribe(paint);
    return {
      update(next: Payload) {
        data = read(next);
        paint();
      },
      destroy() {
        off();
        render(null, root);
      },
    };
  };
}

// Hooks for parts that draw.

const QUIET = 300; // ms without a change until it is read aloud

// The width of the part in px, 0 until it is laid out; renders again when it changes and when fonts load.
export function useWidth() {
  const { root } = useView();
  const measured = () => ({ width: Math.floor(root.getBoundingClientRect().width) });
  const [{ width }, measure] = useReducer(measured, null, measured);
  useLayoutEffect(() => watchSize(root, () => measure(null)), [root]);
  return width;
}

// The height in px that the window has for the part, scaled with the window in lecture mode.
export function useRoom() {
  const { root, view } = useView();
  useWidth();
  const zoom = view.lecture ? windowScale() : 1;
  root.style.zoom = String(zoom);
  return { height: (innerHeight - topOf(root) - barHeight()) / zoom };
}

// Marks an element while it is wider than its place.
export function useSideways<Node extends HTMLElement>() {
  const node = useRef<Node>(null);
  useLayoutEffect(() => {
    if (node.current) saySideways(node.current);
  }, []);
  return node;
}

// Lets the keyboard scroll an element while it is wider than its place.
export function useSidewaysStop<Node extends Element>() {
  const node = useRef<Node>(null);
  useLayoutEffect(() => {
    if (node.current) stopSideways(node.current);
  }, []);
  return node;
}

// A value as of its last rest, for screen readers; null at first.
export function useSettled<Value>(value: Value) {
  const [settled, settle] = useState<Value | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => settle(() => value), QUIET);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

// Offers the part's drawing to the menu. name: of the file.
export function usePicture(svg: () => string, name: () => string) {
  const { store, root } = useView();
  const now = useRef({ svg, name });
  now.current = { svg, name };
  useLayoutEffect(() => offerPicture({ svg: () => now.current.svg(), name: () => now.current.name() }, store, root), [store]);
}

// Shares what this part has read with other parts.
export function useGiven(name: string, read: unknown) {
  const { store } = useView();
  useLayoutEffect(() => {
    store.give(name, read);
    return () => store.takeBack(name, read);
  }, [read]);
}
