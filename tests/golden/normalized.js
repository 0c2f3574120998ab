// What an SVG shows, one line for each element in the order of drawing, with all transforms and inherited styles resolved:
// kind, numbers (px), colours, words. Groups, attributes' order, ids and fonts leave no trace.
async (source) => {
  const host = document.createElement("div");
  host.style.cssText = "all: initial; position: fixed; left: 0; top: 0; visibility: hidden";
  document.body.append(host);
  const root = new DOMParser().parseFromString(source, "image/svg+xml").documentElement;
  const [, , width, height] = root.getAttribute("viewBox").split(" ").map(Number);
  root.setAttribute("width", width);
  root.setAttribute("height", height);
  host.attachShadow({ mode: "open" }).append(root);
  const origin = root.getScreenCTM().inverse();
  const px = (value) => Math.round(value * 2) / 2;
  const hex = (parts) => `#${parts.map((part) => Math.round(part).toString(16).padStart(2, "0")).join("")}`;
  const paint = (value, alpha) => {
    if (value.startsWith("url(")) {
      const of = root.querySelector(value.match(/#[^")]+/)[0]);
      const inks = [...of.querySelectorAll("*")].map((node) => {
        const style = getComputedStyle(node);
        return of.localName === "pattern" ? style.stroke === "none" ? style.fill : style.stroke : style.stopColor;
      });
      return inks.map((ink) => paint(ink, alpha)).join("");
    }
    const [red, green, blue, own = 1] = (value.match(/[\d.]+/g) ?? [0, 0, 0, 0]).map(Number);
    return own * alpha ? hex([red, green, blue, own * alpha * 255]) : "-";
  };
  // The corners and control points of each part of a path: [[x, y], …] each.
  const parts = (d) => {
    const found = [];
    let [x, y] = [0, 0];
    for (const [, sign, rest] of d.matchAll(/([a-zA-Z])([^a-zA-Z]*)/g)) {
      const numbers = (rest.match(/-?\d*\.?\d+(?:e-?\d+)?/g) ?? []).map(Number);
      const [kind, base] = [sign.toUpperCase(), () => (sign === sign.toLowerCase() ? [x, y] : [0, 0])];
      const size = { M: 2, L: 2, T: 2, H: 1, V: 1, C: 6, S: 4, Q: 4, A: 7, Z: 0 }[kind];
      for (let at = 0; at === 0 || at < numbers.length; at += size) {
        const [dx, dy] = base();
        let all = numbers.slice(at, at + size);
        if (kind === "Z") {
          [x, y] = found.at(-1)[0];
          break;
        }
        if (kind === "H") all = [all[0], y - dy];
        if (kind === "V") all = [x - dx, all[0]];
        if (kind === "A") all = all.slice(5);
        const points = Array.from({ length: all.length / 2 }, (_, each) => [all[2 * each] + dx, all[2 * each + 1] + dy]);
        if (kind === "M" && at === 0) found.push(points);
        else found.at(-1).push(...points);
        [x, y] = points.at(-1);
      }
    }
    return found;
  };
  const box = ({ x, y, width: w, height: h }) => [[x, y], [x + w, y + h]];
  const shapes = {
    rect: (node) => [box(node.getBBox())],
    circle: (node) => [box(node.getBBox())],
    ellipse: (node) => [box(node.getBBox())],
    line: (node) => [["x1", "y1", "x2", "y2"].map((name) => node[name].baseVal.value)].map(([a, b, c, d]) => [[a, b], [c, d]]),
    polyline: (node) => [[...node.points].map(({ x, y }) => [x, y])],
    polygon: (node) => [[...node.points].map(({ x, y }) => [x, y])],
    path: (node) => parts(node.getAttribute("d") ?? ""),
    image: (node) => [box(node.getBBox())],
  };
  const pixels = async (node) => {
    const image = new Image();
    image.src = node.href.baseVal;
    await image.decode();
    const [w, h] = [Math.min(image.naturalWidth, 48), Math.min(image.naturalHeight, 48)];
    const pen = new OffscreenCanvas(w, h).getContext("2d");
    pen.imageSmoothingEnabled = false;
    pen.drawImage(image, 0, 0, w, h);
    const { data } = pen.getImageData(0, 0, w, h);
    const inks = Array.from({ length: w * h }, (_, at) => (data[4 * at + 3] ? hex([...data.slice(4 * at, 4 * at + 4)]) : "-"));
    return `${image.naturalWidth}×${image.naturalHeight} ${inks.join("")}`;
  };
  const lines = [`size ${px(width)} ${px(height)}`];
  const visit = async (node, opacity) => {
    if (node.nodeType !== Node.ELEMENT_NODE || ["defs", "clipPath", "pattern", "title", "style"].includes(node.localName)) return;
    const style = getComputedStyle(node);
    const alpha = opacity * Number(style.opacity);
    if (style.display === "none" || !alpha) return;
    const matrix = origin.multiply(node.getScreenCTM?.() ?? new DOMMatrix());
    const place = ([x, y]) => [matrix.a * x + matrix.c * y + matrix.e, matrix.b * x + matrix.d * y + matrix.f].map(px);
    const inks = () => {
      const fill = ["line", "polyline"].includes(node.localName) ? "-" : paint(style.fill, alpha * style.fillOpacity);
      const stroke = paint(style.stroke, alpha * style.strokeOpacity);
      const [thick, dash] = [px(Number.parseFloat(style.strokeWidth) * Math.hypot(matrix.a, matrix.b)), style.strokeDasharray];
      return stroke === "-" ? fill : `${fill} ${stroke} ${thick}${dash === "none" ? "" : ` ${dash.replaceAll("px", "")}`}`;
    };
    if (node.localName === "text") {
      const words = node.textContent;
      if (!words.trim()) return;
      const [from, to] = [node.getStartPositionOfChar(0), node.getEndPositionOfChar(node.getNumberOfChars() - 1)];
      const angle = Math.round((Math.atan2(matrix.b, matrix.a) * 180) / Math.PI);
      const size = px(Number.parseFloat(style.fontSize) * Math.hypot(matrix.a, matrix.b));
      const bold = style.fontWeight >= 600 ? " bold" : "";
      const centre = place([(from.x + to.x) / 2, (from.y + to.y) / 2]);
      lines.push(`text${bold} ${[...centre, size, angle].join(" ")} ${inks()} ${JSON.stringify(words)}`);
    } else if (shapes[node.localName]) {
      const about = node.localName === "image" ? await pixels(node) : inks();
      if (about !== "-")
        for (const part of shapes[node.localName](node))
          lines.push(`${node.localName} ${part.flatMap(place).join(" ")} ${about}`);
    } else for (const child of node.children) await visit(child, alpha);
  };
  await visit(root, 1);
  host.remove();
  return lines;
}
