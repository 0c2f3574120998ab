// What is chosen and looks, but for colours, as if it were not: a list of sentences. Each is asked twice for its computed style, as it
// is and with what marks it taken away. () => [...]
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

  const found = [];
  for (const node of all(document)) {
    if (!node.checkVisibility({ visibilityProperty: true }) || node.closest("ol.list")) continue;
    const chosen = node.matches(CHOSEN) || (node.matches("input[type=radio], input[type=checkbox]") && node.checked);
    const marks = CLASSES.filter((each) => node.classList.contains(each));
    if (!chosen && !marks.length) continue;
    const styled = within(node).map((each) => [each, each.style.transition]);
    for (const [each] of styled) each.style.setProperty("transition", "none", "important");
    const before = shapes(node);
    const names = ["aria-pressed", "aria-checked", "aria-selected", "aria-current", "data-selected", "class"];
    const kept = names.map((each) => node.getAttribute(each));
    const checked = node.checked;
    for (const each of names.slice(0, 5)) if (node.hasAttribute(each)) node.setAttribute(each, "false");
    node.classList.remove(...CLASSES);
    if (checked) node.checked = false;
    const isSame = shapes(node) === before;
    const boxesAfter = isSame && boxes(node);
    if (checked) node.checked = true;
    names.forEach((each, at) => {
      if (kept[at] === null) node.removeAttribute(each);
      else node.setAttribute(each, kept[at]);
    });
    const isChosenByColour = isSame && boxes(node) === boxesAfter;
    for (const [each, transition] of styled) each.style.transition = transition;
    if (isChosenByColour) found.push(`chosen by colour alone${forced ? ", forced" : ""}: ${name(node)}`);
  }
  return found;
}
