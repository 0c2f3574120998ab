"""bertviz's head view and model view (Vig 2019, "A Multiscale Visualization of Attention in the Transformer Model").

Each shows the attention in the encoder, in the decoder and between the two, as one HTML document for an iframe. The document needs
no network: its policy allows nothing but the font that it holds. Text that someone typed is only ever data in it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from typing import Any

from pages.heads.bertviz_scripts import BOX, GAP, LINE, Name, file, scripts, style
from pages.heads.bertviz_weights import DIGITS, KINDS, HeadRange, Kind, PassWeights, head_view_parts, model_view_parts
from viz_core.app.typeface import POLICY
from viz_core.browser.bundle import inline_json, policy
from viz_core.figures.base import FONT
from viz_core.figures.palette import LIGHT, Palette
from viz_core.texts import fill, language, texts, visible

FRAME = {"head_view": 360, "model_view": 300}
"""Pixels above and below the drawing, together."""
NOTE = 36
"""The height of the note above it, in pixels."""
LETTERS: Mapping[Name, int] = {"head_view": BOX - FONT, "model_view": 150}
"""The width up to which a token is written normally, in pixels; a longer one is squeezed."""


@dataclass(frozen=True)
class BertvizDocument:
    """One drawing as a whole HTML document, to be shown in an iframe.

    Attributes:
        html: the document.
        height: its height in pixels, if it is at least 860 wide.
        title: its name for screen readers.
        parts: the ranges of heads to page through.   part: index of the one drawn here.
        note: which layers and heads are drawn, empty if all are. The document shows it too.
    """

    html: str
    height: int
    title: str
    parts: tuple[HeadRange, ...]
    part: int
    note: str


def head_view_html(
    attentions: PassWeights, *, first: Kind = "cross", layer: int = 0, part: int = 0, palette: Palette = LIGHT
) -> BertvizDocument:
    """One layer at a time, its heads superimposed.

    Args:
        first: the attention to start with.
        layer: the layer to start with, from 0, if the page around the frame does not set one.
        part: index of the range of heads; clamped to the last one.
    """
    parts = head_view_parts(attentions)
    index = min(part, len(parts) - 1)
    params = {"layer": min(layer + 1, len(attentions.lines)), "heads": None, "head_names": _numbers(parts[index].heads)}
    drawing = LINE * max(len(attentions.source), len(attentions.target))
    return _view("head_view", attentions, parts, index, params, first, palette, drawing)


def model_view_html(attentions: PassWeights, *, first: Kind = "cross", part: int = 0, palette: Palette = LIGHT) -> BertvizDocument:
    """A small picture of each head of each layer; a click opens one.

    Args:
        first: the attention to start with.
        part: index of the range of layers; clamped to the last one.
    """
    parts = model_view_parts(attentions)
    index = min(part, len(parts) - 1)
    heads = attentions.lines.shape[1]
    params = {
        "display_mode": "dark" if palette.dark else "light",
        "include_heads": _numbers(parts[index].heads),
        "total_heads": heads,
    }
    rows = max(len(attentions.source), len(attentions.target))
    pictures = len(parts[index].layers) * (rows * 84 / heads + 10)  # as bertviz has it
    return _view("model_view", attentions, parts, index, params, first, palette, max(round(pictures), LINE * rows + 60))


def _view(
    name: Name, attentions: PassWeights, parts: tuple[HeadRange, ...], index: int, params: dict[str, Any], first: Kind,
    palette: Palette, drawing: int,
) -> BertvizDocument:  # fmt: skip
    words = texts("heads.bertviz")
    own, both, part = words[name], words["all"], parts[index]
    layers, heads = attentions.lines.shape
    note = ""
    if len(parts) > 1:
        ranges = {"layers": _range_text("layer", part.layers, layers), "heads": _range_text("head", part.heads, heads)}
        note = fill(both["part"], ranges)
    params |= {
        "attention": [_attention(attentions, kind, part) for kind in KINDS],
        "default_filter": str(list(KINDS).index(first)),
        "include_layers": _numbers(part.layers),
        "root_div_id": "bertviz",
    }
    payload = {
        "scale": 10**DIGITS,
        "letters": LETTERS[name],
        "words": both | own,
        "colours": {"heads": palette.heads, "lines": palette.weight},
        "params": params,
    }
    caption = [own["caption"], fill(both["rounded"], {"digits": DIGITS}), "" if attentions.finite else both["not_finite"]]
    html = _document(name, payload, note, " ".join(filter(None, caption)), first, palette)
    return BertvizDocument(html, FRAME[name] + (NOTE if note else 0) + drawing, own["title"], parts, index, note)


def _attention(attentions: PassWeights, kind: Kind, part: HeadRange) -> dict[str, Any]:
    """One attention in the form that bertviz expects, queries on the left and keys on the right, with the frame's labels."""
    words = texts("heads.bertviz")
    left, right = ([visible(token) for token in getattr(attentions, side)] for side in KINDS[kind])
    weights = attentions.thousandths[kind][part.layers.start : part.layers.stop, part.heads.start : part.heads.stop]
    return {
        "name": kind,
        "attn": weights.tolist(),
        "left_text": left,
        "right_text": right,
        "queries": words["queries"][kind],
        "keys": words["keys"][kind],
    }


def _document(name: Name, payload: dict[str, Any], note: str, caption: str, first: Kind, palette: Palette) -> str:
    words = texts("heads.bertviz")
    own, both, code = words[name], words["all"], scripts(name)
    labels = [(kind, escape(words["kinds"][kind])) for kind in KINDS]
    kinds = "".join(f"<option value={i}{' selected' * (kind == first)}>{label}</option>" for i, (kind, label) in enumerate(labels))
    picks = f'<label>{escape(both["attention"])} <select id="filter">{kinds}</select></label>'
    if name == "head_view":
        picks += f'<label>{escape(own["layer_name"])} <select id="layer"></select></label>'
        picks += f'<div class="heads" role="group" aria-label="{escape(own["heads_name"])}"></div>'
    return f"""<!doctype html>
<html lang="{language()}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{escape(policy(code, POLICY))}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(own["title"])}</title>
<style>{style(palette, box=f"{BOX}px", gap=f"{GAP}px")}
{file("bertviz_frame/frame.css")}</style>
</head>
<body>
<main id="bertviz" class="{name}">
<header>
<div>{picks}</div>
<p class="reading" role="status"><span class="hint">{escape(own["hint"])}</span></p>
</header>
{f'<p class="note">{escape(note)}</p>' if note else ""}
<p class="sides"><span class="queries"></span> <span class="keys"></span></p>
<div id="vis" role="group" aria-label="{escape(own["title"])}"></div>
<p class="caption">{escape(caption)} <span class="hint">{escape(own.get("caption_hint", ""))}</span></p>
<noscript><p>{escape(both["no_script"])}</p></noscript>
</main>
<script type="application/json" id="payload">{inline_json(payload)}</script>
{"".join(f"<script>{script}</script>{chr(10)}" for script in code)}</body>
</html>
"""


def _numbers(indices: range) -> list[int]:
    return [index + 1 for index in indices]


def _range_text(what: str, indices: range, count: int) -> str:
    """Such as: layers 1–2 of 4."""
    template = texts("heads.bertviz")["all"][what if len(indices) == 1 else f"{what}s"]
    return fill(template, {"first": indices.start + 1, "last": indices.stop, "all": count})
