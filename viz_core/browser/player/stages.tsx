// The operations inside a step, in a line of the player. On the overview they are grouped by block.

import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { Button, Group, Select, Sign } from "../../web/src/ui/elements";
import { useView } from "../../web/src/ui/part";
import type { Words } from "../../web/src/ui/store";
import { type Operation, isLast, namedPart, operationsOf, partOf, isAtEnd } from "../kit/operations";

export type StageTexts = Words<"stages stage_back stage_on long_stage_back long_stage_on speed"> & {
  blocks: Record<string, string>;
} & Record<string, string>;

const SPEEDS = [0.25, 0.5, 1, 2, 4].map((times) => [String(times), `${times} ×`]);

export function Stages({ texts }: { texts: StageTexts }) {
  const { view, store, set } = useView();
  const track = useRef<HTMLDivElement>(null);
  const isHeld = useRef(false);
  const { list, at } = operationsOf(store.limits.stages, view);
  const block = partOf(list[at]?.open ?? "");

  const goTo = (operation?: Operation & { scrub?: number }) => {
    const isElsewhere = operation?.open && operation.open !== store.view.open;
    set({ ...operation, playing: "", ...(isElsewhere ? { cell: null } : {}) });
  };
  const letGo = () => {
    isHeld.current = false;
    store.set({ scrub: null });
  };
  // Scrubbing: a finger or pressed mouse moves along the operations and through the animation of each; on release it plays on from there.
  const scrub = ({ buttons, clientX, currentTarget }: PointerEvent) => {
    if (isHeld.current && !buttons) letGo(); // released outside the window
    if (!isHeld.current || !(currentTarget instanceof Element)) return;
    const boxes = [...currentTarget.querySelectorAll("button")].map((place) => place.getBoundingClientRect());
    const index = boxes.findIndex(({ left, right }) => clientX >= left && clientX < right);
    const box = boxes[index];
    if (box) goTo({ ...list[index], scrub: (clientX - box.left) / box.width });
  };
  useEffect(() => {
    for (const name of ["pointerup", "pointercancel"]) addEventListener(name, letGo);
    return () => {
      for (const name of ["pointerup", "pointercancel"]) removeEventListener(name, letGo);
    };
  }, []);

  useLayoutEffect(() => {
    const { current: line } = track;
    const now = line?.querySelector("[aria-pressed=true]")?.parentElement;
    if (line && now && view.scrub === null && line.scrollWidth > line.clientWidth)
      line.scrollLeft = now.offsetLeft - line.offsetLeft - 8;
  }, [block]);

  // on the overview they appear with an open block
  if (!list.length || (at < 0 && (view.lecture || list[0]?.open))) return null;
  const isWhole = list.some(({ open }) => open);
  const place = (operation: Operation) => {
    const index = list.indexOf(operation);
    const { open = "", stage = namedPart(open) } = operation;
    return (
      <Button
        key={index}
        class={index < at ? "passed" : undefined}
        title={stage ? texts[`long_${stage}`] : texts.blocks[open]}
        aria-pressed={index === at}
        act={() => goTo(operation)}>
        {!isWhole && <i aria-hidden="true">{index + 1}</i>}
        {stage ? texts[stage] : texts.blocks[open]}
      </Button>
    );
  };
  // the operations of a block, with its name
  const together = (open: string) => {
    const own = list.filter((operation) => partOf(operation.open ?? "") === open);
    return (
      <span key={open} class="block" role="group" aria-label={texts.blocks[open]}>
        {own.length > 1 && <b aria-hidden="true">{texts.blocks[open]}</b>}
        {own.map(place)}
      </span>
    );
  };
  const step = (by: number) => () => {
    set({ playing: "" });
    store.operate(by);
  };
  const isOver = isLast({ list, at }) && (!list[0]?.open || isAtEnd(store));
  return (
    <div class="stages" role="toolbar" aria-label={texts.stages}>
      <Sign class="arrow" named={texts.long_stage_back} disabled={at <= 0} act={step(-1)} words={texts.stage_back} />
      <Group
        label={texts.stages}
        class="track"
        ref={track}
        onPointerMove={scrub}
        onPointerDown={({ button }) => {
          isHeld.current = button === 0;
        }}>
        {isWhole ? [...new Set(list.map(({ open }) => partOf(open ?? "")))].map(together) : list.map(place)}
      </Group>
      <Sign class="arrow" named={texts.long_stage_on} disabled={isOver} act={step(1)} words={texts.stage_on} />
      <Select
        {...{ label: texts.speed, title: texts.speed, class: "speed", options: SPEEDS, chosen: String(view.speed) }}
        choose={(speed) => set({ speed: Number(speed) })}
      />
    </div>
  );
}
