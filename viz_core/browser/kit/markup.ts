// HTML that Python wrote for a table, as elements: of these kinds only, so that nothing in it can run or load.

const ELEMENTS = new Set("table thead tbody tr th td div span p b i mark small br".split(" "));
const ATTRIBUTES = new Set("class style scope role tabindex colspan rowspan title dir lang".split(" "));

// Returns the nodes; what is not allowed is left out, with what it holds.
export function nodesOfHtml(html: string) {
  const { head, body } = new DOMParser().parseFromString(html, "text/html"); // inert: it runs and loads nothing
  return [...head.childNodes, ...body.childNodes].flatMap(made);
}

function made(node: Node): Node[] {
  if (node instanceof Text) return [document.createTextNode(node.data)];
  if (!(node instanceof Element)) return [];
  if (node.localName === "style") return [styled(node.textContent)];
  if (!ELEMENTS.has(node.localName)) return [];
  const copy = document.createElement(node.localName);
  for (const { name, value } of node.attributes)
    if (ATTRIBUTES.has(name) || name.startsWith("aria-")) copy.setAttribute(name, value);
  copy.append(...[...node.childNodes].flatMap(made));
  return [copy];
}

function styled(text: string) {
  const style = document.createElement("style");
  style.textContent = text;
  return style;
}
