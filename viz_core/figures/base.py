"""Basics of all figures: fonts large enough for the last row, token axes, numbers as text, and a description in words."""

import bisect
import functools
import itertools
import re
import unicodedata
from collections.abc import Iterable, Sequence
from html import escape, unescape
from typing import Any

from viz_core.figures.figure import Figure
from viz_core.figures.palette import Palette
from viz_core.texts import fill, texts, visible

CHINESE = "'PingFang SC', 'Hiragino Sans GB', 'Microsoft YaHei', 'Noto Sans CJK SC', 'Noto Sans SC', 'Source Han Sans SC'"
"""Systems' fonts for Chinese. They come last, so that nothing else is set in them."""
FAMILY = f"'Source Sans', sans-serif, {CHINESE}"
"""Streamlit's own font, so that figures and text match; as in `.streamlit/config.toml`, `kit/pen.ts` and `frame.css`."""
FONT = 18
"""Smallest text of a figure, in px: the projector's floor."""
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


@functools.lru_cache(maxsize=4096)
def plain(text: str) -> str:
    """Escapes text for plotly, which interprets some HTML in labels and hovers, and LaTeX between dollar signs."""
    return escape(visible(text), quote=False).replace("$", "&#36;")


def clipped(text: str, most: int) -> str:
    """At most this many characters, ending in … if some are cut off. A Chinese character counts as two."""
    wide = (1 + (unicodedata.east_asian_width(character) in "WF") for character in text)
    widths = [*itertools.accumulate(wide, initial=0)]
    return text if widths[-1] <= most else f"{text[: bisect.bisect_right(widths, most - 1) - 1]}…"


def figure(palette: Palette, *, title: str = "", height: int = 480, **layout: Any) -> Figure:
    """An empty figure with our fonts, margins and colours. `title` is shown as typed."""
    lines = {"showline": True, "ticks": "outside"}  # for the first axes only, beside which any others stand
    basis = {"template": _template(palette), "height": height, "xaxis": lines, "yaxis": lines}
    return Figure({**basis, "title": _title(title) if title else None, **layout})


@functools.cache
def _template(palette: Palette) -> dict[str, Any]:
    axis = {
        "fixedrange": True, "showgrid": False, "zeroline": False, "zerolinecolor": palette.quiet, "automargin": True,
        "linecolor": palette.line, "tickcolor": palette.line, "gridcolor": palette.line,
    }  # fmt: skip
    return {
        "layout": {
            "margin": {"l": 10, "r": 10, "t": 16, "b": 10},
            "font": {"family": FAMILY, "size": FONT, "color": palette.ink},
            "paper_bgcolor": "rgba(0,0,0,0)",
            "plot_bgcolor": "rgba(0,0,0,0)",
            "hoverlabel": {
                "font": {"family": FAMILY, "size": FONT, "color": palette.ink},
                "bgcolor": palette.panel,
                "bordercolor": palette.line,
            },
            "showlegend": False,
            "legend": {"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom"},
            "xaxis": axis,
            "yaxis": axis,
            "annotationdefaults": {"showarrow": False},
        },
        "data": {
            "bar": [{"hoverinfo": "text", "marker": {"line": {"width": 0}}, "cliponaxis": False}],
            "scatter": [{"hoverinfo": "text", "marker": {"line": {"width": 0}}}],
            "heatmap": [{"hoverinfo": "text", "colorbar": {"thickness": 14, "outlinewidth": 0}, "textfont": {"size": FONT}}],
        },
    }


def _title(title: str) -> dict[str, Any]:
    """A title at the very top that pushes everything else down, so that it never covers the labels of a top axis."""
    place = {"x": 0, "xanchor": "left", "y": 1, "yanchor": "top", "yref": "container", "pad": {"t": 8, "b": 12}, "automargin": True}
    return {"text": plain(title), "font": {"size": FONT + 2}, **place}


def token_axis(
    labels: Sequence[str], title: str, highlighted: int | None = None, accent: str = "", thin: int = 1, *, down: bool = False
) -> dict[str, Any]:
    """An axis with one numbered place for each token, so that equal tokens do not merge.

    Args:
        highlighted: index of the token in bold and in the accent colour.
        thin: label only every n-th token and the highlighted one, for long sentences.
        down: put the first token on top.
    """
    near = range(highlighted - thin + 1, highlighted + thin) if highlighted is not None else ()
    texts = [plain(label) if i == highlighted or (i % thin == 0 and i not in near) else "" for i, label in enumerate(labels)]
    if highlighted is not None and 0 <= highlighted < len(texts):
        texts[highlighted] = f'<b><span style="color:{accent}">{texts[highlighted]}</span></b>'
    return {
        "tickmode": "array",
        "tickvals": list(range(len(labels))),
        "ticktext": texts,
        "title": {"text": title, "standoff": 16},
        "range": [len(labels) - 0.5, -0.5] if down else [-0.5, len(labels) - 0.5],
    }


def percent(value: float) -> str:
    """A share as people read it: never 0 % unless it is 0, never 100 % unless it is 1 in float32, in which models compute."""
    if value == 0 or abs(value - 1) <= 2**-25:
        return f"{100 * value:.0f} %"
    if value >= 0.995:
        digits = next((d for d in range(1, 7) if float(f"{100 * value:.{d}f}") < 100), 7)
        return f"{100 * value:.{digits}f} %"
    for least, digits in ((0.0995, 0), (0.00995, 1), (0.000995, 2), (0.0000995, 3)):
        if value >= least:
            return f"{100 * value:.{digits}f} %"
    mantissa, exponent = f"{100 * value:.1e}".split("e")
    return f"{mantissa}·10{str(int(exponent)).translate(RAISED)} %"


def percent_ticks(*shares: float) -> dict[str, Any]:
    """Ticks of an axis of shares, written as in the text."""
    return {"tickvals": list(shares), "ticktext": [percent(share) for share in shares]}


def share_in_cell(value: float) -> str:
    """A share in % in at most three characters, as in the attention view: 9.6, 97, >99, 100; empty below 0.5 % and for NaN."""
    if 0.995 <= value < 1:
        return ">99"
    return f"{100 * value:.{1 if value < 0.0995 else 0}f}" if value >= 0.005 else ""


_TAG = re.compile(r"</?(?:b|i|span|sub|sup|br)\b[^>]*>")


def say(fig: Figure, *sentences: str) -> None:
    """Attaches sentences about the current view to a figure; escaped as for a hover."""
    fig.update_layout(meta={"says": list(sentences)})


def spoken_sentences(fig: Figure) -> list[str]:
    """The sentences of `say` as plain text."""
    return [spoken(sentence) for sentence in fig.layout.get("meta", {}).get("says", [])]


def titles(fig: Figure) -> str:
    """Title and axes as plain text."""
    words, title = texts("figures.hovers"), fig.layout.get("title", {}).get("text")
    notes = [note["text"] for note in fig.layout.get("annotations", []) if note.get("xref") == "paper" == note.get("yref")]
    named = {name: [axis.get("title", {}).get("text") for axis in fig.axes(way)] for name, way in (("across", "x"), ("down", "y"))}
    axes = [fill(words[name], {"names": _joined(names, texts("joined")["list"])}) for name, names in named.items() if any(names)]
    return _joined([*([title] if title else notes), *axes], ". ")


def region(name: str) -> str:
    """HTML attributes of a scrolling region, so that the keyboard reaches it and screen readers name it.

    Args:
        name: its text in `viz_core/figures/en.toml`.
    """
    return f'role="region" aria-label="{escape(texts("figures.hovers")[name], quote=True)}" tabindex="0"'


def _joined(texts: Iterable[str | None], between: str) -> str:
    """The texts without plotly's markup, each once, without None and blank ones."""
    return between.join(dict.fromkeys(spoken(text) for text in texts if text and text.strip()))


def spoken(text: str) -> str:
    """A text without plotly's markup, for reading aloud."""
    return " ".join(unescape(_TAG.sub(" ", text)).split()).rstrip(".")
