"""The source of the very function that computed the numbers shown, with the relevant lines highlighted."""

import functools
from collections.abc import Collection, Mapping
from html import escape
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import streamlit as st
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from viz_core.source import docstring_lines, source_of
from viz_core.texts import enumerated, fill, texts


class CodeLink(NamedTuple):
    """A line that links to a call; `pages/code/browser/corner.tsx` handles the click and writes the shapes after the line.

    Attributes:
        call: index of the call.
        current: whether it is the call on view.
        label: tooltip that names the call.
        of: the calls whose shapes are shown.
    """

    call: int
    current: bool
    label: str
    of: Collection[int]


STYLES = Path(__file__).with_suffix(".css")
NO_LINKS: Mapping[int, CodeLink] = MappingProxyType({})


def code_panel(name: str, highlighted: Collection[int], *, near: bool = False, around: int | None = None) -> None:
    """Draws the source of a function, see `code_html`."""
    st.html(code_html(name, highlighted, near=near, around=around))


def code_html(
    name: str,
    highlighted: Collection[int],
    *,
    near: bool = False,
    around: int | None = None,
    links: Mapping[int, CodeLink] = NO_LINKS,
) -> str:
    """The source of a function as HTML.

    Args:
        highlighted: line numbers in the file.
        near: only the highlighted lines matter, so fold the docstring and wrap long lines.
        around: number of lines drawn before and after a highlighted one; None for all.
        links: line number in the file → its link.
    """
    source, file, start = source_of(name)
    folded = docstring_lines(source, start) if near else range(0)
    rows = []
    for number, code in enumerate(coloured(source), start):
        far = around is not None and min((abs(number - line) for line in highlighted), default=0) > around
        if number in folded[1:] or (far and number != start):
            continue
        line = code.lstrip(" ")
        indent = len(code) - len(line)
        if number in folded:
            indent, line = 4, '<span class="sd">"""…"""</span>'
        if number in links:
            line = _linked(links[number], line)
        # No-break spaces, so that a long line is not broken before its first word.
        line = ("&nbsp;" if near else " ") * indent + line
        mark = ' class="highlighted"' * (number in highlighted)
        rows.append(f"<div{mark}><i>{number}</i>{line or ' '}</div>")
    words = texts("app.frame")
    label = place = fill(words["code_place"], {"file": file, "line": min(highlighted, default=start)})
    if near:
        label = fill(words["code_highlighted"], {"place": place, "lines": enumerated(map(str, highlighted))})
    return (
        f'<div class="source-place">{escape(place)}</div>'
        f'<div class="source{" near" * near}" role="region" aria-label="{escape(label)}" tabindex="0">{"".join(rows)}</div>'
    )


def _linked(link: CodeLink, line: str) -> str:
    current = ' aria-current="true"' * link.current
    opening = f'<span role="link" tabindex="0" data-call="{link.call}" title="{escape(link.label)}"{current}>'
    return f'{opening}{line} <em data-of="{" ".join(map(str, link.of))}"></em></span>'


@functools.cache
def coloured(source: str) -> list[str]:
    """Python as lines of HTML, with a span of a Pygments class around each coloured token."""
    return highlight(source, PythonLexer(stripnl=False), HtmlFormatter(nowrap=True)).splitlines()
