// Faults of the layout that can be seen in the boxes of the text: a list of sentences, empty where all is well.
// So are the boxes of what one presses or types in, which may lie on each other without any text there. Text in a canvas has no
// boxes and is not looked at.
(() => {
  const EDGE = 1.5; // px by which two boxes may touch
  const LEADING = 0.22; // of a line box is above, and below, the body of its letters: lines set tightly share it
  const main = document.querySelector("[data-testid=stMain]") ?? document.scrollingElement;
  const up = (node) => node.assignedSlot ?? node.parentElement ?? node.getRootNode().host ?? null;
  const faults = new Set();

  for (const page of [document.scrollingElement, main])
    if (page.scrollWidth > page.clientWidth + 1)
      faults.add(`the page scrolls sideways: ${page.scrollWidth} px of ${page.clientWidth}`);

  const meet = (a, b) => ({
    left: Math.max(a.left, b.left),
    right: Math.min(a.right, b.right),
    top: Math.max(a.top, b.top),
    bottom: Math.min(a.bottom, b.bottom),
  });
  const isEmpty = ({ left, right, top, bottom }) => right - left < 2 || bottom - top < 2;

  // What each element does to what is in it, computed once.
  const known = new Map();
  function about(element) {
    if (known.has(element)) return known.get(element);
    const style = getComputedStyle(element);
    const inSvg = element instanceof SVGElement;
    const cuts = (value) => (inSvg ? element.localName === "svg" && value !== "visible" : /hidden|clip/.test(value));
    const scrolls = (value, whole, shown) => /auto|scroll/.test(value) && whole > shown + 1;
    const clipped = style.clipPath !== "none" || (style.clip !== "auto" && style.position === "absolute");
    const found = {
      box: element.getBoundingClientRect(),
      cutsX: cuts(style.overflowX) || clipped,
      cutsY: cuts(style.overflowY) || clipped,
      scrollsX: !inSvg && scrolls(style.overflowX, element.scrollWidth, element.clientWidth),
      scrollsY: !inSvg && scrolls(style.overflowY, element.scrollHeight, element.clientHeight),
      says: style.textOverflow === "ellipsis" || style.maskImage !== "none" || element.hasAttribute("title"),
      saysMore: style.maskImage !== "none" || element.matches("[data-sideways]"),
      layer: /fixed|sticky/.test(style.position),
    };
    known.set(element, found);
    return found;
  }

  function* textsIn(root) {
    const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
      if (node.nodeType === Node.TEXT_NODE) yield node;
      else if (node.shadowRoot) yield* textsIn(node.shadowRoot);
    }
  }

  // The corners of a line of text: of turned text in an SVG the turned ones, else those of an upright box.
  function corners(node, rect) {
    const upright = [
      [rect.left, rect.top],
      [rect.right, rect.top],
      [rect.right, rect.bottom],
      [rect.left, rect.bottom],
    ];
    const text = node.parentElement.closest("tspan.line, text");
    const matrix = text?.getScreenCTM?.();
    if (!matrix || Math.abs(matrix.b) + Math.abs(matrix.c) < 0.01) return shrunk(upright);
    const { x, y, width, height } = text.getBBox();
    const whole = [[x, y], [x + width, y], [x + width, y + height], [x, y + height]]; // biome-ignore format: four corners
    return shrunk(
      whole.map(([a, b]) => [a * matrix.a + b * matrix.c + matrix.e, a * matrix.b + b * matrix.d + matrix.f]),
    );
  }

  function shrunk([a, b, c, d]) {
    const along = (from, to, px) => {
      const length = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1;
      return [from[0] + ((to[0] - from[0]) * px) / length, from[1] + ((to[1] - from[1]) * px) / length];
    };
    const less = LEADING * Math.hypot(d[0] - a[0], d[1] - a[1]);
    const [p, q, r, s] = [along(a, d, less), along(b, c, less), along(c, b, less), along(d, a, less)];
    return [along(p, q, EDGE), along(q, p, EDGE), along(r, s, EDGE), along(s, r, EDGE)];
  }

  const texts = [];
  for (const node of textsIn(document.body)) {
    const words = node.data.trim();
    const parent = node.parentElement ?? node.getRootNode().host;
    if (!words || /^(script|style|option|title|annotation)$/.test(parent.localName)) continue;
    if (!parent.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const rect of range.getClientRects()) {
      if (rect.width < 2 || rect.height < 4) continue;
      const hangs = getComputedStyle(parent).whiteSpace === "pre-wrap" && rect.left > parent.getBoundingClientRect().right - EDGE;
      if (hangs) continue; // spaces at the end of a line
      const text = { node, words, parent, rect, scroller: null, layer: null, inner: rect, outer: rect };
      if (look(text)) texts.push(text);
    }
  }

  // Follows the text up to the page: by what it is cut, and what of it can be seen. `inner` is what can be seen of it when the part
  // in which it scrolls is scrolled there, `outer` what can be seen now; the page itself may always be scrolled down.
  function look(text) {
    const { rect, words } = text;
    const blame = (fault, by) => faults.add(`${fault}: «${words}» by ${name(by)}`);
    let [says, freeX, freeY] = [false, false, false];
    for (let at = text.parent; at && at !== main && at !== document.body; at = up(at)) {
      const part = about(at);
      says ||= part.says;
      if (part.layer) text.layer ??= at;
      const [cutX, cutY] = [part.cutsX && !freeX, part.cutsY && !freeY];
      text.inner = meet(text.inner, sides(part.box, cutX, cutY));
      text.outer = meet(text.outer, sides(part.box, part.cutsX || part.scrollsX, part.cutsY || part.scrollsY));
      if (isEmpty(text.inner)) {
        // For screen readers alone the box is of 1 px; in a larger one it was meant to be read.
        if (Math.min(part.box.width, part.box.height) > 8 && !hiddenOnPurpose(text.parent)) blame("cut off", at);
        return false;
      }
      const beside = Math.max(part.box.left - rect.left, rect.right - part.box.right);
      const below = Math.max(part.box.top - rect.top, rect.bottom - part.box.bottom);
      if (cutX && beside > 2 * EDGE && !says) blame("cut sideways", at);
      if (cutY && below > 0.4 * rect.height && !says) blame("cut in height", at);
      if (part.scrollsX && beside > 2 * EDGE && !part.saysMore && !freeX) blame("beside, and nothing says so", at);
      freeX ||= part.scrollsX;
      freeY ||= part.scrollsY;
      if (freeX || freeY) text.scroller ??= at;
    }
    const { left, right } = text.inner;
    if (!freeX && (right > innerWidth + EDGE || left < -EDGE)) faults.add(`cut by the window: «${words}»`);
    text.corners = corners(text.node, rect);
    return true;
  }

  function sides({ left, right, top, bottom }, x, y) {
    const [x0, x1] = x ? [left, right] : [-1e6, 1e6];
    const [y0, y1] = y ? [top, bottom] : [-1e6, 1e6];
    return { left: x0, right: x1, top: y0, bottom: y1 };
  }

  // What one presses or types in: none covers another or reaches beyond the window, but for what scrolls inside itself.
  const CONTROLS = "button, a[href], select, textarea, summary, input, [role=button], [role=radio]";

  function* controlsIn(root) {
    for (const node of root.querySelectorAll("*")) {
      if (node.shadowRoot) yield* controlsIn(node.shadowRoot);
      if (node instanceof HTMLElement && node.matches(CONTROLS)) yield node;
    }
  }

  const controls = [];
  for (const node of controlsIn(document)) {
    const { pointerEvents, clipPath } = getComputedStyle(node);
    if (pointerEvents === "none" || clipPath !== "none" || hiddenOnPurpose(node)) continue;
    if (!node.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    let [seen, scrolls, layer] = [node.getBoundingClientRect(), false, null];
    for (let at = node; at && at !== main && at !== document.body; at = up(at)) {
      const part = about(at);
      if (part.layer) layer ??= at;
      if (at === node) continue;
      scrolls ||= part.scrollsX;
      seen = meet(seen, sides(part.box, part.cutsX || part.scrollsX, part.cutsY || part.scrollsY));
    }
    if (isEmpty(seen)) continue;
    const said = (node.getAttribute("aria-label") ?? node.textContent.trim()) || node.localName;
    if (!scrolls && (seen.right > innerWidth + EDGE || seen.left < -EDGE)) faults.add(`beyond the window: ${said}`);
    controls.push({ node, said, seen, layer });
  }
  const holds = (a, b) => {
    for (let at = b; at; at = up(at)) if (at === a) return true;
    return false;
  };
  controls.forEach((a, index) => {
    for (const b of controls.slice(index + 1)) {
      const both = meet(a.seen, b.seen);
      if (a.layer !== b.layer || both.right - both.left < 3 || both.bottom - both.top < 3) continue;
      if (!holds(a.node, b.node) && !holds(b.node, a.node)) faults.add(`covering: «${a.said}» and «${b.said}»`);
    }
  });

  for (const { words, parent, outer, layer } of texts) {
    const low = LEADING * (outer.bottom - outer.top);
    const body = { ...outer, top: outer.top + low, bottom: outer.bottom - low };
    for (const control of controls) {
      const both = meet(body, control.seen);
      if (layer !== control.layer || both.right - both.left < 3 || both.bottom - both.top < 3) continue;
      if (!holds(control.node, parent) && !holds(parent, control.node)) faults.add(`under «${control.said}»: «${words}»`);
    }
  }

  // A repetition that is cut on purpose says so; plotly's texts are hidden from screen readers because the figure has a name.
  function hiddenOnPurpose(element) {
    return Boolean(element.closest("[aria-hidden=true]")) && !element.closest(".js-plotly-plot");
  }

  function name(element) {
    const own = element.getAttribute("class") || element.dataset.testid || "";
    return `${element.localName}.${own}`.slice(0, 60);
  }

  // Whether two convex shapes cross: there is no line between them.
  function cross(a, b) {
    for (const shape of [a, b])
      for (let i = 0; i < 4; i += 1) {
        const [x0, y0] = shape[i];
        const [x1, y1] = shape[(i + 1) % 4];
        const side = ([x, y]) => x * (y0 - y1) + y * (x1 - x0);
        const [of, to] = [a.map(side), b.map(side)];
        if (Math.max(...of) <= Math.min(...to) || Math.max(...to) <= Math.min(...of)) return false;
      }
    return true;
  }

  function deliberate(a, b) {
    if (a.layer !== b.layer) return true; // a bar that stays in its place while the page goes by below it
    const formula = a.parent.closest(".katex");
    return Boolean(formula) && formula === b.parent.closest(".katex"); // set by KaTeX, whose fonts have tall boxes
  }

  texts.sort((a, b) => a.rect.top - b.rect.top);
  for (let i = 0; i < texts.length; i += 1)
    for (let j = i + 1; j < texts.length && texts[j].rect.top < texts[i].rect.bottom; j += 1) {
      const [a, b] = [texts[i], texts[j]];
      if (a.node === b.node || a.parent.closest("text, math") === (b.parent.closest("text, math") ?? 0)) continue;
      const seen = a.scroller === b.scroller ? meet(a.inner, b.inner) : meet(a.outer, b.outer);
      if (isEmpty(seen) || deliberate(a, b) || !cross(a.corners, b.corners)) continue;
      faults.add(`crossing: «${a.words}» and «${b.words}»`);
    }
  return [...faults].map((fault) => fault.replace(/\s+/g, " "));
})();
