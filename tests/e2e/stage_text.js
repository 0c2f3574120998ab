// What of the text on stage cannot be read from the last row: too small, cut at an edge, outside the window, below the bar at the
// foot, or on top of other text. Text on a canvas is heard as it is drawn.

(() => {
  const drawn = new Map(); // canvas → what was written on it since the last `forget`
  const { fillText } = CanvasRenderingContext2D.prototype;
  CanvasRenderingContext2D.prototype.fillText = function (text, x, y, ...rest) {
    const { a, b, c, d, e, f } = this.getTransform();
    const size = Number.parseFloat(this.font.match(/([\d.]+)px/)[1]) * Math.hypot(a, b);
    const width = this.measureText(text).width * Math.hypot(a, b);
    const shift = { center: 0.5, right: 1, end: 1 }[this.textAlign] ?? 0;
    const { canvas, globalAlpha: alpha } = this;
    const place = { x: a * x + c * y + e, y: b * x + d * y + f, shift, flat: Math.abs(b) < 1e-6 };
    const said = { text, size, width, alpha, ...place, sides: sidesOf(canvas) };
    drawn.set(canvas, [...(drawn.get(canvas) ?? []), said]);
    return fillText.call(this, text, x, y, ...rest);
  };

  const sidesOf = ({ width, height }) => `${width} ${height}`;
  const parent = (node) => node.parentElement ?? node.getRootNode().host;
  const UNREAD = ["STYLE", "SCRIPT", "TITLE", "NOSCRIPT", "OPTION", "SELECT"];
  const TOUCHING = 0.25; // of the smaller one's box, which is higher than its letters
  const LEADING = 0.25; // of its size: what a letter's box has above and below it
  const FOOT = ".viz-bar, .transport, .away";

  function* elements(root) {
    for (const node of root.querySelectorAll("*")) {
      yield node;
      if (node.shadowRoot) yield* elements(node.shadowRoot);
    }
  }

  const WINDOW = { left: -1e6, top: -1e6, right: 1e6, bottom: 1e6 };
  const meet = (one, other) => ({
    left: Math.max(one.left, other.left),
    top: Math.max(one.top, other.top),
    right: Math.min(one.right, other.right),
    bottom: Math.min(one.bottom, other.bottom),
  });

  // What a node and all around it let through. known: node → what was found before.
  function opening(node, known) {
    if (!node || known.has(node)) return known.get(node) ?? WINDOW;
    const { overflowX: x, overflowY: y, position, clipPath } = getComputedStyle(node);
    const { left, top, right, bottom } = node.getBoundingClientRect();
    const around = position === "fixed" ? WINDOW : opening(parent(node), known);
    const own = meet(x === "visible" ? WINDOW : { ...WINDOW, left, right }, y === "visible" ? WINDOW : { ...WINDOW, top, bottom });
    const found = node instanceof SVGElement ? around : meet(around, own);
    known.set(node, clipPath === "none" ? found : { left: 0, top: 0, right: 0, bottom: 0 });
    return known.get(node);
  }

  function scaleOf(node) {
    if (node instanceof SVGElement) {
      const matrix = node.getScreenCTM();
      return matrix ? Math.hypot(matrix.a, matrix.b) : 1;
    }
    const scale = node.offsetWidth ? node.getBoundingClientRect().width / node.offsetWidth : 1;
    return Math.round(scale * 20) / 20; // widths are whole px
  }

  // A slanted label fills little of its box.
  function isSlanted(node) {
    const matrix = node instanceof SVGElement && node.getScreenCTM();
    return Boolean(matrix) && Math.min(Math.abs(matrix.a), Math.abs(matrix.b)) > 0.01;
  }

  // How much of the smaller of two boxes the other one covers, 0 to 1.
  function shared(one, other) {
    const both = meet(one, other);
    if (both.right <= both.left || both.bottom <= both.top) return 0;
    const area = ({ left, right, top, bottom }) => (right - left) * (bottom - top);
    return area(both) / Math.min(area(one), area(other));
  }

  // [{ text, size, box, seen: the part that can be seen, node }]
  function written() {
    const found = [];
    const known = new Map();
    for (const node of elements(document)) {
      const texts = [...node.childNodes].filter((one) => one.nodeType === 3 && one.textContent.trim());
      if (!texts.length || UNREAD.includes(node.nodeName)) continue;
      if (!node.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
      const size = Number.parseFloat(getComputedStyle(node).fontSize) * scaleOf(node);
      for (const text of texts) {
        const range = document.createRange();
        range.selectNodeContents(text);
        const box = range.getBoundingClientRect();
        const seen = meet(box, opening(node, known));
        if (seen.right - seen.left > 2 && seen.bottom - seen.top > 2) found.push({ text: text.textContent.trim(), size, box, seen, node });
      }
    }
    for (const [canvas, all] of drawn) {
      if (!canvas.isConnected || !canvas.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
      const edge = canvas.getBoundingClientRect();
      const css = edge.width / canvas.width;
      for (const { text, size, width, x, y, shift, flat, alpha, sides } of all) {
        if (!text.trim() || !alpha || sides !== sidesOf(canvas)) continue; // the canvas was emptied with each new size
        const left = edge.left + (x - (flat ? shift * width : 0)) * css;
        const middle = edge.top + y * css;
        const box = { left, right: left + (flat ? width * css : 1), top: middle - 1, bottom: middle + 1 };
        found.push({ text, size: size * css, box, seen: box, node: canvas });
      }
    }
    return found;
  }

  function overlapping(all) {
    const flat = all.filter(({ node }) => !(node instanceof HTMLCanvasElement) && !isSlanted(node));
    return flat.flatMap((one, at) =>
      flat
        .slice(at + 1)
        .filter((other) => one.node !== other.node && !one.node.contains(other.node) && !other.node.contains(one.node))
        .filter((other) => shared(one.seen, other.seen) > TOUCHING)
        .map((other) => [one, other]),
    );
  }

  const scrolls = (node) => Boolean(node.closest?.(".row")); // a long sentence goes with the step

  globalThis.stage = {
    forget: () => drawn.clear(),
    text: () =>
      written()
        .map(({ text }) => text)
        .join(" "),
    // least, raised: px that a letter must have, and one that is raised or lowered.
    unreadable(least, raised) {
      const foot = Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue("--viz-foot")) || 0;
      const wrong = new Set();
      const all = written();
      for (const { text, size, box, seen, node } of all) {
        const short = text.slice(0, 24);
        const small = node.closest?.("sup, sub") || /^[⁰¹²³⁴⁵⁶⁷⁸⁹₀-₉ᵀᴼᴷⱽ]+$/.test(text) ? raised : least;
        const inFoot = [...upwards(node)].some((one) => one.matches(FOOT));
        if (size < small - 0.05) wrong.add(`small ${size.toFixed(1)} px: ${short} (${nameOf(node)})`);
        if (box.right > innerWidth + 1 || box.left < -1 || box.bottom > innerHeight + 1) {
          if (!scrolls(node)) wrong.add(`outside: ${short} (${nameOf(node)})`);
        } else if (!inFoot && seen.bottom > innerHeight - foot + 2) wrong.add(`below the bar: ${short} (${nameOf(node)})`);
        const lost = Math.max(seen.left - box.left, box.right - seen.right, seen.top - box.top - LEADING * size, box.bottom - seen.bottom - LEADING * size);
        if (lost > 2 && !scrolls(node)) wrong.add(`cut by ${lost.toFixed(0)} px: ${short} (${nameOf(node)})`);
      }
      for (const [one, other] of overlapping(all))
        wrong.add(`on top of each other: ${one.text.slice(0, 24)} | ${other.text.slice(0, 24)} (${nameOf(one.node)})`);
      return [...wrong];
    },
  };

  function* upwards(node) {
    for (let at = node; at; at = parent(at)) yield at;
  }

  function nameOf(node) {
    const of = (one) => [one.nodeName.toLowerCase(), ...[...one.classList].slice(0, 2)].join(".");
    const above = parent(node);
    return above ? `${of(above)} > ${of(node)}` : of(node);
  }
})();
