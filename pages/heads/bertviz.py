"""bertviz's head view and model view (Vig 2019, "A Multiscale Visualization of Attention in the Transformer Model").

Each shows the attention within the encoder, within the decoder and between them, as one HTML text for an iframe. It needs no
network, and its policy allows nothing but the font that it holds. Typed text is only ever data in it.
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
"""Pixels above and below the drawing."""
NOTE = 36
"""Pixels of a note above it."""
LETTERS: Mapping[Name, int] = {"head_view": BOX - FONT, "model_view": 150}
"""In px: how wide a token may be; a longer one is set closer."""


@dataclass(frozen=True)
class BertvizDocument:
    """One drawing as a whole HTML document, to be shown in an iframe.

    Attributes:
        html: the document.
        height: pixels that it takes where it is at least 860 wide.
        title: what it is, for those who do not see it.
        parts: the ranges of heads that are shown one after the other.   part: index of the one that is shown.
        note: says which layers and heads are shown if not all; empty if all are. It stands in the document too.
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
        layer: from 0, to start with where the page around it shows none.
        part: index of the range of heads, if there are too many for one; the last one if there are not so many.
    """
    parts = head_view_parts(attentions)
    at = min(part, len(parts) - 1)
    params = {"layer": min(layer + 1, len(attentions.lines)), "heads": None, "head_names": _numbers(parts[at].heads)}
    drawing = LINE * max(len(attentions.source), len(attentions.target))
    return _view("head_view", attentions, parts, at, params, first, palette, drawing)


def model_view_html(attentions: PassWeights, *, first: Kind = "cross", part: int = 0, palette: Palette = LIGHT) -> BertvizDocument:
    """A small picture of each head of each layer; a click opens one.

    Args:
        first: the attention to start with.
        part: index of the range of layers, if there are too many for one; the last one if there are not so many.
    """
    parts = model_view_parts(attentions)
    at = min(part, len(parts) - 1)
    heads = attentions.lines.shape[1]
    params = {"display_mode": "dark" if palette.dark else "light", "include_heads": _numbers(parts[at].heads), "total_heads": heads}
    rows = max(len(attentions.source), len(attentions.target))
    pictures = len(parts[at].layers) * (rows * 84 / heads + 10)  # as bertviz has it
    return _view("model_view", attentions, parts, at, params, first, palette, max(round(pictures), LINE * rows + 60))


def _view(
    name: Name, attentions: PassWeights, parts: tuple[HeadRange, ...], at: int, params: dict[str, Any], first: Kind,
    palette: Palette, drawing: int,
) -> BertvizDocument:  # fmt: skip
    words = texts("heads.bertviz")
    own, both, part = words[name], words["all"], parts[at]
    layers, heads = attentions.lines.shape
    note = ""
    if len(parts) > 1:
        shown = {"layers": _said("layer", part.layers, layers), "heads": _said("head", part.heads, heads)}
        note = fill(both["part"], shown)
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
    return BertvizDocument(html, FRAME[name] + (NOTE if note else 0) + drawing, own["title"], parts, at, note)


def _attention(attentions: PassWeights, kind: Kind, part: HeadRange) -> dict[str, Any]:
    """One attention as bertviz expects it, queries on the left and keys on the right, and what the frame calls them."""
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
    named = [(kind, escape(words["kinds"][kind])) for kind in KINDS]
    kinds = "".join(f"<option value={i}{' selected' * (kind == first)}>{said}</option>" for i, (kind, said) in enumerate(named))
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


def _said(what: str, indices: range, count: int) -> str:
    """Such as: layers 1–2 of 4."""
    template = texts("heads.bertviz")["all"][what if len(indices) == 1 else f"{what}s"]
    return fill(template, {"first": indices.start + 1, "last": indices.stop, "all": count})
