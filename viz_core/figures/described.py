"""A figure in words, for those who do not see it: its titles, its axes, and what it says of the current view."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape, unescape

import plotly.graph_objects as go

from viz_core.texts import fill, texts

_TAG = re.compile(r"</?(?:b|i|span|sub|sup|br)\b[^>]*>")


def say(fig: go.Figure, *sentences: str) -> None:
    """Gives a figure what it says of the current view, such as the words of the picked cell; escaped as for a hover."""
    fig.update_layout(meta={"says": list(sentences)})


def described(fig: go.Figure) -> str:
    """Title, axes and what was said with `say`, as plain text."""
    layout, words = fig.layout, texts("figures.hovers")
    notes = [note.text for note in layout.annotations if note.xref == "paper" == note.yref]
    heads = [layout.title.text] if layout.title.text else notes
    titles = {
        "across": [axis.title.text for axis in fig.select_xaxes()],
        "down": [axis.title.text for axis in fig.select_yaxes()],
    }
    axes = [fill(words[way], {"names": _joined(names, ", ")}) for way, names in titles.items() if any(names)]
    return _joined([*heads, *axes, *(layout.meta or {}).get("says", [])], ". ")


def region(name: str) -> str:
    """HTML attributes of a part with a scroll bar of its own, so that the keyboard reaches it and it says what it is.

    Args:
        name: its text in `texts/<language>/hovers.toml`.
    """
    return f'role="region" aria-label="{escape(texts("figures.hovers")[name], quote=True)}" tabindex="0"'


def _joined(texts: Iterable[str | None], between: str) -> str:
    """What there is, without plotly's markup, each once."""
    plainly = (unescape(_TAG.sub(" ", text)) for text in texts if text)
    return between.join(dict.fromkeys(" ".join(text.split()).rstrip(".") for text in plainly if text.strip()))
