// Beam search as a tree: the kept, finished and pruned hypotheses of each step, with the paths of the best one and of greedy decoding.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { barHeight, fadeEdges, lettersScale, nameScroller, topOf, windowScale } from "../../../viz_core/browser/kit/dom";
import { forAudience } from "../../../viz_core/browser/kit/save";
import { canvasPen, sizeCanvas } from "../../../viz_core/browser/kit/pen";
import { guessedFrom } from "../../../viz_core/web/src/view";
import { svgPen } from "../../../viz_core/browser/kit/svg_pen";
import { useGiven, usePicture, useSettled, useWidth, part, useView } from "../../../viz_core/web/src/ui/part";
import {
  type Candidate,
  HEAD,
  type Tree,
  columnsSeen,
  highOf,
  layoutOf,
  nodeUnder,
  readTree,
  scrolledTo,
  stepUnder,
  wholeRows,
} from "./data";
import { drawTree } from "./picture";
import { Candidates, Endings, readingOfNode, spokenTree } from "./tables";

const TALLEST = 480; // px, outside lecture mode, of a tree with scores in its nodes
const BELOW = 84; // px below the tree in lecture mode
const BAR = 12; // px of a scroll bar
const MARGIN = 16; // px around a file

/** Lays out the tree and sets the part's scale: in lecture mode that of the page's letters, or what the window allows. */
function fit(tree: Tree, root: HTMLElement, lecture: boolean, step: number) {
  const letters = lecture ? lettersScale() : 1;
  const room = innerHeight - topOf(root) - barHeight();
  const tall = highOf(tree, true) <= (lecture ? room / letters - BELOW : TALLEST);
  const zoom = lecture ? Math.max(windowScale(), Math.min(letters, room / (highOf(tree, tall) + BELOW))) : 1;
  const layout = layoutOf(tree, tall, step, lecture ? Math.floor(room / zoom - BELOW) : Number.POSITIVE_INFINITY);
  root.style.zoom = String(zoom);
  const wide = Math.floor(root.getBoundingClientRect().width / zoom);
  const h = lecture ? wholeRows(layout, Math.max(room / zoom - BELOW, 200)) : layout.height;
  return { layout, zoom, wide, w: Math.min(wide, layout.width), h };
}

// A picked candidate is stored as `cell`: [step, rank].
function BeamTree({ tree }: { tree: Tree }) {
  const { view, set, store, root } = useView();
  useWidth();
  const [hovered, hover] = useState<Candidate | null>(null);
  const [scrolled, scroll] = useState<readonly [number, number]>([0, 0]);
  const canvas = useRef<HTMLCanvasElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const seen = useRef({ tree, step: view.step, of: "" });
  const { about, columns, say } = tree;
  const limit = store.limits.steps;

  // Hides steps that are to be guessed; once the last one is revealed, all is visible.
  const from = guessedFrom(view);
  const guess = from >= limit ? Number.POSITIVE_INFINITY : from;
  const known = (node: Candidate | null) => (node && node.step < guess ? node : null);
  const picked = known(tree.at(view.cell));
  const step = picked && picked.step >= limit ? picked.step : view.step;
  const path = known(hovered && columns[hovered.step]?.includes(hovered) ? hovered : null) ?? picked;
  const { layout, zoom, wide, w, h } = fit(tree, root, view.lecture, step);
  const scene = { tree, layout, theme: store.theme, step, guess, limit, path };
  const [left, top] = [Math.min(scrolled[0], Math.max(0, layout.width - w)), Math.min(scrolled[1], Math.max(0, layout.height - h))];
  const now = spokenTree(tree, step, guess, limit);
  const spoken = useSettled(now) ?? now;
  const isHidden = guess < limit;
  const hint = about.steps > limit ? say("later", { steps: about.steps, limit }) : say("hint");

  useLayoutEffect(() => {
    if (seen.current.step !== view.step && (view.cell?.[0] ?? 0) >= limit) set({ cell: null }); // it is beyond the steps of the keys
    seen.current.step = view.step;
  }, [view.step]);

  // Scrolls to the step's column when the selection changes.
  useLayoutEffect(() => {
    const isNew = seen.current.tree !== tree || !seen.current.of.startsWith(`${wide} `);
    const of = [wide, view.step, view.cell, view.lecture].join(" ");
    if (!wide || !scroller.current || (!isNew && seen.current.of === of)) return;
    Object.assign(seen.current, { tree, of });
    const to = scrolledTo(layout, Math.min(step, columns.length - 1), isNew ? 0 : left, w);
    scroller.current.scrollLeft = to * zoom;
    scroll([to, isNew ? 0 : top]);
  });

  useLayoutEffect(() => {
    if (!wide || !canvas.current || !scroller.current) return;
    nameScroller(scroller.current, layout.width > wide || layout.height > h, say("region"));
    fadeEdges(scroller.current);
    const context = sizeCanvas(canvas.current, w, h, zoom);
    const pen = canvasPen(context);
    pen.box(0, 0, w, h, { fill: store.theme.surface });
    context.translate(-left, -top);
    drawTree(pen, scene, ...columnsSeen(tree, layout, left, w), top);
    root.toggleAttribute("data-highlighted", path !== null);
  });

  useGiven("beam_tree", tree);
  usePicture(
    () => {
      const whole = svgPen(layout.width + MARGIN, layout.height + MARGIN, { ground: store.theme.surface });
      drawTree(whole, scene, 0, columns.length);
      return whole.finish();
    },
    () => say("file", { size: about.size }),
  );

  const pick = (node: Candidate) =>
    set({ cell: node === tree.at(store.view.cell) ? null : [node.step, node.rank], ...(node.step < limit && { step: node.step }) });

  // What the pointer is on: a node, or a column's heading; −1 for no column.
  const pointed = ({ clientX, clientY, currentTarget }: MouseEvent) => {
    const box = (currentTarget as HTMLElement).getBoundingClientRect();
    const [x, y] = [(clientX - box.left) / zoom + left, (clientY - box.top) / zoom];
    return y < HEAD
      ? { column: stepUnder(tree, layout, x), node: null }
      : { column: -1, node: known(nodeUnder(tree, layout, x, y + top)) };
  };
  const move = (event: PointerEvent) => {
    const { node, column } = pointed(event);
    (event.currentTarget as HTMLElement).style.cursor = node || column >= 0 ? "pointer" : "";
    hover(node);
  };
  const click = (event: MouseEvent) => {
    const { node, column } = pointed(event);
    const first = column < guess ? columns[column]?.[0] : null;
    if (node) pick(node);
    else if (column >= 0 && column < limit) set({ step: column });
    else if (first) pick(first);
  };
  const size = { width: `${layout.width}px`, height: `${layout.height}px` };
  return (
    <div class="tree">
      <p class="message">{isHidden ? say("guess") : tree.message}</p>
      <div
        class="scroll"
        ref={scroller}
        style={{ width: `${wide}px`, height: `${h + (layout.width > wide ? BAR : 0)}px` }}
        onScroll={({ currentTarget: { scrollLeft, scrollTop } }) => scroll([scrollLeft / zoom, scrollTop / zoom])}>
        <div class="spacer" style={size}>
          <canvas
            role="img"
            class="picture"
            ref={canvas}
            aria-label={spoken}
            onPointerMove={move}
            onPointerLeave={() => hover(null)}
            onClick={click}
          />
        </div>
      </div>
      <p class="reading">{path ? readingOfNode(path, tree) : forAudience(hint, view)}</p>
      <div class="under">
        <p class="legend">
          {["best", "greedy", "pruned", "ended"].map((name) => (
            <span key={name}>
              <i class={name} />
              {say(`legend.${name}`)}
            </span>
          ))}
          <span>{say("legend.width")}</span>
        </p>
      </div>
      <div class="tables">
        <Candidates {...{ tree, step, picked, hover, pick }} hidden={step >= guess} />
        <Endings tree={tree} hidden={isHidden} />
      </div>
    </div>
  );
}

export const mountBeamTree = part(BeamTree, (payload: Uint8Array) => ({ tree: readTree(payload) }));
