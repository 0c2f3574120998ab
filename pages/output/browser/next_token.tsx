// The next-token distribution, step by step: the sentence so far, the temperature, the most probable tokens, and an
// overview of all steps.

import { useMemo, useRef, useState } from "preact/hooks";
import { barHeight } from "../../../viz_core/browser/kit/dom";
import { fill } from "../../../viz_core/browser/kit/numbers";
import { useGiven, usePicture, useWidth } from "../../../viz_core/web/src/ui/hooks";
import { part, useView } from "../../../viz_core/web/src/ui/part";
import { Bars } from "./bars";
import { Controls, List } from "./controls";
import { type NextToken, type Shown, type Texts, readNextToken, readingOf, readingOfStep, shownAt, temperatureText } from "./data";
import { Sentence, Steps, drawn } from "./sentence";

const ON_STAGE = [930, 415] as const; // px, width and height of what lecture mode shows
const ABOVE = 11.5; // rem, at least, of the title and the strip above it
const NARROWEST = 280; // px: on a narrower screen one scrolls sideways

// A picked candidate is `cell`: [step, index of the candidate].
function Figure({ nextToken }: { nextToken: NextToken }) {
  const { view, texts, set, store, root } = useView<Texts>();
  const width = useWidth();
  const [{ bar = null, step = null }, hover] = useState<{ bar?: number | null; step?: number | null }>({});
  const node = useRef<HTMLDivElement>(null);
  const kept = useRef<Shown | null>(null);
  const isThere = view.step < nextToken.steps; // else the next sentence's payload is on its way
  const now = useMemo(() => (isThere ? shownAt(nextToken, view) : kept.current), [nextToken, view]);
  kept.current = now;
  useGiven("next_token", nextToken);
  usePicture(
    () => drawn([...(node.current?.querySelectorAll("svg") ?? [])], now?.entropy ?? "", store.theme),
    () => fill(texts.file, { step: view.step + 1, t: temperatureText(view.temperature) }),
  );
  if (!now || !width) return null;
  const scale = view.lecture ? enlargement(root, width) : 1;
  const size = { width: Math.max(NARROWEST, Math.floor(width / scale)), scale };
  const bars = {
    pick: (index: number) => set({ cell: [view.step, index] }),
    hover: (bar: number | null) => hover({ bar }),
  };
  const steps = { pick: (step: number) => set({ step }), hover: (step: number | null) => hover({ step }) };
  const row = now.rows.find(({ index }) => index === bar);
  const reading = row ? readingOf(row, nextToken, now) : step === null ? now.entropy : readingOfStep(nextToken, step, view);
  return (
    <div class="next-token" ref={node} style={{ "--scale": scale }}>
      <Sentence sentence={now.sentence} {...size} />
      <Controls />
      <p class="reading">{reading}</p>
      <Bars now={now} {...size} highlighted={bar} act={bars} />
      <List now={now} act={bars} />
      {/* one idea a screen, and the strip has the steps */}
      {!view.lecture && <Steps nextToken={nextToken} {...size} act={steps} />}
    </div>
  );
}

export const mountNextToken = part(Figure, (payload: Uint8Array) => {
  const nextToken = readNextToken(payload);
  return { nextToken, texts: nextToken.about.texts };
});

// In lecture mode as large as the window allows.
function enlargement(root: HTMLElement, width: number) {
  const style = getComputedStyle(document.documentElement);
  const [wide, high] = ON_STAGE;
  // also where one has scrolled
  const above = Math.max(root.getBoundingClientRect().top, ABOVE * parseFloat(style.fontSize));
  const room = innerHeight - above - barHeight();
  return Math.min(Math.max(Math.min(width / wide, room / high), 1), 3);
}
