"""Shared by all figures: fonts large enough for the last row, token axes, numbers as text, and a description in words."""

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
"""The fonts for Chinese that systems bring. They stand last, so that nothing else is ever set in them."""
FAMILY = f"'Source Sans', sans-serif, {CHINESE}"
"""Streamlit's own font, so that figures and text match; as in `.streamlit/config.toml`, `kit/pen.ts` and `frame.css`."""
FONT = 18
"""Smallest text of a figure, in px: the projector's floor."""
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


@functools.lru_cache(maxsize=4096)
def plain(text: str) -> str:
    """Text as typed: plotly reads a little HTML in labels and hovers, and KaTeX between dollar signs."""
    return escape(visible(text), quote=False).replace("$", "&#36;")


def clipped(text: str, most: int) -> str:
    """At most this many characters, the last of them … where some are cut off. A Chinese character is as wide as two others."""
    widths = [*itertools.accumulate(1 + (unicodedata.east_asian_width(each) in "WF") for each in text)]
    return text if not widths or widths[-1] <= most else f"{text[: bisect.bisect_right(widths, most - 1)]}…"


def shortened(text: str, most: int) -> str:
    """At most this many characters, as `clipped`, but no word is cut where another one fits before it."""
    cut = clipped(text, most)
    if cut == text:
        return text
    whole = cut[:-1] if text[len(cut) - 1] in " ,;:.!?" else cut[:-1].rpartition(" ")[0]
    return f"{whole.rstrip(' ,;:.') or cut[:-1]}…"


def figure(palette: Palette, *, title: str = "", height: int = 480, **layout: Any) -> Figure:
    """An empty figure with the house's fonts, margins and colours. `title` is shown as it is typed.

    `meta_lowest` among the layout: px to which the browser may squeeze it, so that it ends above the bar at the foot.
    """
    lines = {"showline": True, "ticks": "outside"}  # of the first two axes: others stand beside them
    basis = {"template": _template(palette), "height": height, "xaxis": lines, "yaxis": lines}
    return Figure({**basis, "title": _title(title) if title else None, **layout})


@functools.cache
def _template(palette: Palette) -> dict[str, Any]:
    """Defaults of each figure, axis, text and scale."""
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
    """At the very top, pushing everything else down, so that it never lies over the labels of an axis above the figure."""
    at = {"x": 0, "xanchor": "left", "y": 1, "yanchor": "top", "yref": "container", "pad": {"t": 8, "b": 12}, "automargin": True}
    return {"text": plain(title), "font": {"size": FONT + 2}, **at}


def token_axis(
    labels: Sequence[str], title: str, highlighted: int | None = None, accent: str = "", thin: int = 1, *, down: bool = False
) -> dict[str, Any]:
    """An axis with one place for each token, by number, so that two equal tokens do not merge into one.

    Args:
        highlighted: index of the token to set in bold and in the accent colour.
        thin: label every n-th token only, and the highlighted one; for long sentences.
        down: whether the first one is on top.
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
    """A share for reading aloud: never 0 % when it is not 0, never 100 % when it is not 1."""
    if value in (0.0, 1.0):
        return f"{100 * value:.0f} %"
    if value >= 0.995:
        digits = next((d for d in range(1, 8) if float(f"{100 * value:.{d}f}") < 100), 8)
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
    """A share in %, in at most three signs, as the stage writes it: 9.6, 97, >99, 100; nothing below 0.5 %, or where it is NaN."""
    if 0.995 <= value < 1:
        return ">99"
    return f"{100 * value:.{1 if value < 0.0995 else 0}f}" if value >= 0.005 else ""


_TAG = re.compile(r"</?(?:b|i|span|sub|sup|br)\b[^>]*>")


def say(fig: Figure, *sentences: str | int) -> None:
    """Attach sentences about the current view, such as the hover of the picked cell, to a figure; escaped as for a hover.

    A number stands for the hover of that click target: as the data changes, what is said of it changes with it.
    """
    fig.update_layout(meta={"says": list(sentences)})


def said(fig: Figure) -> list[str | int]:
    """The sentences of `say` as plain text; numbers as they are."""
    return [each if isinstance(each, int) else spoken(each) for each in _says(fig)]


def _says(fig: Figure) -> list[str | int]:
    sentences: list[str | int] = fig.layout.get("meta", {}).get("says", [])
    return sentences


def titles(fig: Figure) -> str:
    """Title and axes as plain text."""
    words, title = texts("figures.hovers"), fig.layout.get("title", {}).get("text")
    notes = [note["text"] for note in fig.layout.get("annotations", []) if note.get("xref") == "paper" == note.get("yref")]
    named = {name: [axis.get("title", {}).get("text") for axis in fig.axes(way)] for name, way in (("across", "x"), ("down", "y"))}
    axes = [fill(words[name], {"names": _joined(names, texts("joined")["list"])}) for name, names in named.items() if any(names)]
    return _joined([*([title] if title else notes), *axes], ". ")


def region(name: str) -> str:
    """HTML attributes of a part with a scroll bar of its own, so that the keyboard reaches it and it says what it is.

    Args:
        name: its text in `viz_core/figures/en.toml`.
    """
    return f'role="region" aria-label="{escape(texts("figures.hovers")[name], quote=True)}" tabindex="0"'


def _joined(texts: Iterable[str | None], between: str) -> str:
    """The texts without plotly's markup, each once; None and blank ones are left out."""
    return between.join(dict.fromkeys(spoken(text) for text in texts if text and text.strip()))


def spoken(text: str) -> str:
    """Plotly's markup left out, as it is read aloud."""
    return " ".join(unescape(_TAG.sub(" ", text)).split()).rstrip(".")
