// What is chosen and looks, but for colours, as if it were not: a list of sentences. Its computed style is asked for twice, as it is
// and with what marks it taken away. () => [...]
() => {
  const CHOSEN = "[aria-pressed=true], [aria-checked=true], [aria-selected=true], [aria-current]:not([aria-current=false])";
  const CLASSES = ["read", "next", "now", "here", "picked", "highlighted", "passed", "past"];
  const OF_BOXES = ["height", "transform"]; // the browser lays out the page for these: asked for where nothing else differs
  const SHAPES = ["textDecorationLine", "fontWeight", "outlineStyle", "outlineWidth", "boxShadow", "strokeWidth", "strokeDasharray",
    "opacity", "visibility", "backgroundImage",
    ...["Top", "Right", "Bottom", "Left"].flatMap((side) => [`border${side}Width`, `border${side}Style`])]; // biome-ignore format: a table
  const forced = matchMedia("(forced-colors: active)").matches;
  const all = (root) =>
    [...root.querySelectorAll("*")].flatMap((node) => [node, ...(node.shadowRoot ? all(node.shadowRoot) : [])]);

  // A border that has the colour of what is around it is none; in the system's colours a shadow is none.
  const shape = (node, pseudo) => {
    const style = getComputedStyle(node, pseudo);
    const drawn = ["Top", "Right", "Bottom", "Left"].map((side) => {
      const colour = style[`border${side}Color`];
      return colour === "rgba(0, 0, 0, 0)" || (forced && colour === canvas) ? "none" : "drawn";
    });
    return SHAPES.map((name) => (forced && name === "boxShadow" ? "" : style[name])).concat(drawn);
  };
  const probe = document.body.appendChild(document.createElement("i"));
  probe.style.cssText = "forced-color-adjust: none; color: Canvas";
  const canvas = getComputedStyle(probe).color;
  probe.remove();
  const within = (node) =>
    [node, ...[...node.querySelectorAll("*")].slice(0, 12), node.matches("input") && node.nextElementSibling].filter(Boolean);
  const shapes = (node) => JSON.stringify(within(node).flatMap((each) => [shape(each), shape(each, "::before")]));
  const boxes = (node) =>
    JSON.stringify(within(node).flatMap((each) => [null, "::before"].map((pseudo) => {
      const style = getComputedStyle(each, pseudo);
      return OF_BOXES.map((name) => style[name]);
    })));
  const name = (node) => `${node.localName}.${node.getAttribute("class") ?? ""} «${node.textContent.trim().slice(0, 30)}»`;

  const candidates = all(document).flatMap((node) => {
    if (!node.checkVisibility({ visibilityProperty: true }) || node.closest("ol.list")) return [];
    const isChosen = node.matches(CHOSEN) || (node.matches("input[type=radio], input[type=checkbox]") && node.checked);
    return isChosen || CLASSES.some((each) => node.classList.contains(each)) ? [node] : [];
  });
  // Many at a time, since the browser computes all styles anew after each change; but none with one that is in it or beside it.
  const known = new Set(candidates);
  const inside = new Map();
  const beside = new Map();
  const batches = new Map();
  for (const node of candidates) {
    let depth = 0;
    for (let at = node.parentNode; at && !depth; at = at.parentNode ?? at.host) if (known.has(at)) depth = inside.get(at) + 1;
    inside.set(node, depth);
    beside.set(node.parentNode, !beside.get(node.parentNode));
    const key = `${depth} ${beside.get(node.parentNode)}`;
    batches.set(key, [...(batches.get(key) ?? []), node]);
  }
  const NAMES = ["aria-pressed", "aria-checked", "aria-selected", "aria-current", "data-selected", "class"];
  const unmark = (node) => {
    const kept = NAMES.map((each) => node.getAttribute(each));
    const { checked } = node;
    for (const each of NAMES.slice(0, 5)) if (node.hasAttribute(each)) node.setAttribute(each, "false");
    node.classList.remove(...CLASSES);
    if (checked) node.checked = false;
    return () => {
      if (checked) node.checked = true;
      NAMES.forEach((each, at) => {
        if (kept[at] === null) node.removeAttribute(each);
        else node.setAttribute(each, kept[at]);
      });
    };
  };

  const colourAlone = new Set();
  for (const batch of batches.values()) {
    const styled = batch.flatMap(within).map((each) => [each, each.style.transition]);
    for (const [each] of styled) each.style.setProperty("transition", "none", "important");
    const before = batch.map(shapes);
    const marks = batch.map(unmark);
    const after = batch.map((node, at) => shapes(node) === before[at] && boxes(node));
    for (const mark of marks) mark();
    batch.forEach((node, at) => {
      if (after[at] && boxes(node) === after[at]) colourAlone.add(node);
    });
    for (const [each, transition] of styled.reverse()) each.style.transition = transition;
  }
  return candidates
    .filter((node) => colourAlone.has(node))
    .map((node) => `chosen by colour alone${forced ? ", forced" : ""}: ${name(node)}`);
};
