"""bertviz's head view and model view (Vig 2019, "A Multiscale Visualization of Attention in the Transformer Model").

Each is bertviz's own script in one HTML document for an iframe. The document needs no network: its policy allows nothing but the
font that it holds. Text that someone typed is only ever data in it.
"""

from collections.abc import Mapping
from html import escape
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

import numpy as np

from viz_core.app.typeface import POLICY, font_faces
from viz_core.browser import bundle
from viz_core.browser.bundle import inline_code, policy
from viz_core.explain import Explanation
from viz_core.figures.base import FAMILY, FONT, clipped
from viz_core.figures.palette import Palette
from viz_core.texts import fill, texts, visible
from viz_core.trace import BLOCK, Floats, Kind, Trace

Name = Literal["head_view", "model_view"]
VENDOR = Path(__file__).parent / "vendor"
DIGITS = 3
"""Decimals of a weight: more would not show, since a line has at most 256 strengths."""
MOST_LINES = 50_000
"""Lines drawn at once, in 1 to 1.5 s in Chromium on two cores. If there were more, the faintest are left out."""
LINE = 28
"""The height of a token in px. `FRAME`: of everything else."""
FRAME: Mapping[Name, int] = {"head_view": 270, "model_view": 250}
MOST_LETTERS: Mapping[Name, int] = {"head_view": 24, "model_view": 18}
CHANGES = {
    "require.config({": "const paths = () => ({",
    "= PYTHON_PARAMS;": "= window.payload.params;",
    # a weight of 0 gets no line; `select` keeps the indices of the others, from which bertviz computes the ends of each line
    '.append("line")': '.select(function (d) { return d ? this.appendChild(d3.creator("svg:line").call(this)) : null; })',
}
"""Of both scripts: no network, our data. Of one: letters legible from the last row, our colours, numbers beside heads' squares."""
OWN_CHANGES: Mapping[Name, Mapping[str, str]] = {
    "head_view": {
        "TEXT_SIZE = 15;": f"TEXT_SIZE = {FONT};",
        "BOXWIDTH = 110;": "BOXWIDTH = 220;",
        "BOXHEIGHT = 22.5;": f"BOXHEIGHT = {LINE};",
        "MATRIX_WIDTH = 115;": "MATRIX_WIDTH = 340;",
        "CHECKBOX_SIZE = 20;": "CHECKBOX_SIZE = 24;",
        "TEXT_TOP = 30;": "TEXT_TOP = 44;",
        "return d / activeHeads()": "return d / Math.sqrt(activeHeads())",  # an eighth of a weight would be almost invisible
        "d3.scaleOrdinal(d3.schemeCategory10)": "d3.scaleOrdinal(window.payload.heads)",
        "lighten(headColors(i))": "Object.assign(d3.color(headColors(i)), { opacity: 0.2 })",
        "i * CHECKBOX_SIZE)": "i * 2.2 * CHECKBOX_SIZE)",
        "const checkboxContainer = svg.append(\"g\");": """const checkboxContainer = svg.append("g");
        checkboxContainer.selectAll("text").data(config.headVis).enter().append("text").text((d, i) => i + 1)
            .attr("x", (d, i) => (i * 2.2 + 1.2) * CHECKBOX_SIZE).attr("y", 19);""",
    },
    "model_view": {
        "const TEXT_SIZE = 13;": f"const TEXT_SIZE = {FONT};",
        "HEADING_TEXT_SIZE = 15;": f"HEADING_TEXT_SIZE = {FONT};",
        "DIV_WIDTH = 970;": "DIV_WIDTH = Math.max(800, document.documentElement.clientWidth);",
        "DETAIL_WIDTH = 300;": "DETAIL_WIDTH = 480;",
        "DETAIL_BOX_WIDTH = 80;": "DETAIL_BOX_WIDTH = 160;",
        "DETAIL_ATTENTION_WIDTH = 140;": "DETAIL_ATTENTION_WIDTH = 160;",
        "ATTN_PADDING = 0;": "ATTN_PADDING = 8;",
        "DETAIL_BOX_HEIGHT = 18;": f"DETAIL_BOX_HEIGHT = {LINE};",
        "LAYER_COLORS = d3.schemeCategory10;": "LAYER_COLORS = Array(10).fill(window.payload.lines);",  # a layer is a row
        '.text("Heads")': ".text(window.payload.heads_axis)",
        '.text("Layers")': ".text(window.payload.layers_axis)",
    },
}  # fmt: skip
START = """window.payload = JSON.parse(document.querySelector("#data").textContent);
window.requirejs = (_, run) => run(jQuery, d3);"""
FOLLOW = """// Keeps the layer of the head view and that of the page around it in step; the page's store may appear later.
(function follow() {
  if (parent === window) return;
  const store = parent[Symbol.for("viz_core.store")];
  if (!store) return setTimeout(follow, 100);
  const layer = document.querySelector("#layer");
  const show = () => {
    if (!window.frameElement) return off();
    const shown = String(store.view.layer + 1);
    if (layer.value === shown || ![...layer.options].some(({ value }) => value === shown)) return;
    layer.value = shown;
    layer.dispatchEvent(new Event("change"));
  };
  const off = store.subscribe(show);
  store.ready(show);
  layer.addEventListener("change", () => store.set({ layer: layer.value - 1 }));
})();"""


def document(name: Name, explanation: Explanation, palette: Palette) -> tuple[str, int]:
    """A view as a whole document, and its height in px, if it is at least 860 wide."""
    words, own = texts("heads.bertviz"), texts("heads.bertviz")[name]
    trace = explanation.trace
    layers, heads = trace.config.common_layers, trace.config.n_heads
    weights, least, finite = _weights(name, trace)
    attention = [{"name": kind, "attn": weights[kind].tolist(), **_sides(name, explanation, kind)} for kind in BLOCK]
    params = {"attention": attention, "default_filter": "2", "root_div_id": "bertviz", "include_layers": _numbers(layers)} | (
        {"layer": 1, "heads": None}
        if name == "head_view"
        else {"include_heads": _numbers(heads), "total_heads": heads, "display_mode": "light"}
    )
    rows = max(len(explanation.source), len(explanation.target))
    pictures = LINE * rows if name == "head_view" else max(round(layers * (rows * 84 / heads + 10)), LINE * rows + 60)
    caption = [own["caption"], fill(words["rounded"], {"digits": DIGITS})]
    caption += [fill(words["faint"], {"least": f"{100 * least:.1f}"})] * bool(least) + [words["not_finite"]] * (not finite)
    payload = {"params": params, "heads": palette.heads, "lines": palette.weight, **own}
    code = scripts(name)
    kinds = "".join(f"<option value={i}{' selected' * (i == 2)}>{escape(words[kind])}</option>" for i, kind in enumerate(BLOCK))
    layer = f'<label>{escape(own["layer_name"])} <select id="layer"></select></label>' if name == "head_view" else ""
    body = f"""<main id="bertviz">
<p><label>{escape(words["attention"])} <select id="filter">{kinds}</select></label> {layer}</p>
<div id="vis" role="group" tabindex="0" aria-label="{escape(own["title"])}"></div>
<p class="caption">{escape(" ".join(caption))}</p>
</main>"""
    script = "\n".join(f"<script>{source}</script>" for source in code)
    styles = f"<style>{_style(palette)}</style>"
    html = bundle.document(own["title"], styles, body, payload, script, policy(code, POLICY))
    return html, FRAME[name] + pictures


def _numbers(count: int) -> list[int]:
    return [*range(1, count + 1)]


def _sides(name: Name, explanation: Explanation, kind: Kind) -> dict[str, list[str]]:
    queries, keys = ([clipped(visible(token), MOST_LETTERS[name]) for token in side.labels] for side in explanation.sides(kind))
    return {"left_text": queries, "right_text": keys}


def _weights(name: Name, trace: Trace) -> tuple[dict[Kind, Floats], float, bool]:
    """The rounded weights (layer, head, query, key) that have a line, the greatest that has none, and whether all are numbers."""
    layers = range(trace.config.common_layers)
    stacks = {kind: np.stack([trace.attention(kind, layer).weights for layer in layers]).astype(np.float64) for kind in BLOCK}
    rounded = {kind: np.nan_to_num(stack, posinf=0, neginf=0).round(DIGITS) for kind, stack in stacks.items()}
    at_once = [layer for stack in rounded.values() for layer in (stack if name == "head_view" else stack[None])]
    least = max(np.sort(drawn, axis=None)[-MOST_LINES - 1] if drawn.size > MOST_LINES else 0.0 for drawn in at_once)
    weights = {kind: np.where(stack > least, stack, 0) for kind, stack in rounded.items()}
    return weights, float(least), all(np.isfinite(stack).all() for stack in stacks.values())


def scripts(name: Name) -> list[str]:
    """The scripts in the order in which they run. They need `<script type="application/json" id="data">` and `#bertviz`.

    Raises:
        ValueError: bertviz differs from the version in `requirements.txt`.
    """
    spec = find_spec("bertviz")  # without importing it, which would bring IPython
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError("bertviz is not installed", name="bertviz")
    drawing = Path(spec.origin).with_name(f"{name}.js").read_text("utf-8")
    for theirs, ours in {**CHANGES, **OWN_CHANGES[name]}.items():
        if theirs not in drawing:
            raise ValueError(f"{name}.js of bertviz has no {theirs!r}: is it the version of requirements.txt?")
        drawing = drawing.replace(theirs, ours)
    return [*libraries(), START, inline_code(drawing), *([FOLLOW] if name == "head_view" else [])]


def libraries() -> list[str]:
    """The libraries that bertviz draws with."""
    return [(VENDOR / file).read_text("utf-8") for file in ("d3.min.js", "jquery.slim.min.js")]  # jQuery has a harmless "<script"


def _style(palette: Palette) -> str:
    own = f"color-scheme: {'dark' if palette.dark else 'light'}; font: {FONT}px/1.4 {FAMILY}; {palette.css()}"
    return f"{font_faces(FAMILY)}\n:root {{ {own}}}\n{Path(__file__).with_suffix('.css').read_text('utf-8')}"
