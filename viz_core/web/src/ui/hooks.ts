// Hooks of parts that draw.

import { useEffect, useLayoutEffect, useReducer, useRef, useState } from "preact/hooks";
import { barHeight, saySideways, topOf, watchSize, windowScale } from "../../../browser/kit/dom";
import { offerPicture } from "../../../browser/kit/save";
import { useView } from "./part";

const QUIET = 300; // ms until what is shown is also read aloud

// Px that the part is wide, 0 until it is laid out; drawn again where that changes, and where fonts arrive.
export function useWidth() {
  const { root } = useView();
  const measured = () => ({ width: Math.floor(root.getBoundingClientRect().width) });
  const [{ width }, measure] = useReducer(measured, null, measured);
  useLayoutEffect(() => watchSize(root, () => measure(null)), [root]);
  return width;
}

// Px of height that the window has for the part; in lecture mode it is as many times larger as the window.
export function useRoom() {
  const { root, view } = useView();
  useWidth();
  const zoom = view.lecture ? windowScale() : 1;
  root.style.zoom = String(zoom);
  return { height: (innerHeight - topOf(root) - barHeight()) / zoom };
}

// Marks an element while it is wider than its place.
export function useSideways<Node extends Element>() {
  const node = useRef<Node>(null);
  useLayoutEffect(() => {
    if (node.current) saySideways(node.current);
  }, []);
  return node;
}

// What a value was when it last stayed for a moment: for those who hear the page. null at first.
export function useSettled<Value>(value: Value) {
  const [settled, settle] = useState<Value | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => settle(() => value), QUIET);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

// Offers the part's drawing to the menu. name: of its file.
export function usePicture(svg: () => string, name: () => string) {
  const { store } = useView();
  const now = useRef({ svg, name });
  now.current = { svg, name };
  useLayoutEffect(() => offerPicture({ svg: () => now.current.svg(), name: () => now.current.name() }, store), [store]);
}

// Gives other parts what this one has read.
export function useGiven(name: string, read: unknown) {
  const { store } = useView();
  useLayoutEffect(() => {
    store.give(name, read);
    return () => store.takeBack(name, read);
  }, [read]);
}
