"""The source of the very function that computed what is shown, with the line in question lit."""

from __future__ import annotations

import functools
import importlib
import inspect
import textwrap
from html import escape
from typing import Any

import streamlit as st
from pygments.lexers import PythonLexer
from pygments.token import STANDARD_TYPES, Token

from viz_core.figures.palette import Palette
from viz_core.texts import fill, texts


@functools.cache
def source_of(name: str) -> tuple[str, str, int]:
    """The source of `package.module:object.attribute`, its file inside the project, and its first line."""
    module, _, path = name.partition(":")
    found: Any = functools.reduce(getattr, path.split("."), importlib.import_module(module))
    lines, start = inspect.getsourcelines(inspect.unwrap(found))
    return textwrap.dedent("".join(lines)), module.replace(".", "/") + ".py", start


def code_panel(name: str, lit: str, palette: Palette) -> None:
    """Draws the source of a function; every line that holds the text `lit` is lit."""
    source, file, start = source_of(name)
    rows = []
    for number, line in enumerate(source.splitlines(), start=start):
        mark = ' class="lit"' if lit and lit in line else ""
        rows.append(f"<div{mark}><i>{number}</i>{_coloured(line) or ' '}</div>")
    colours = {"k": palette.q_text, "s": palette.v_text, "nf": palette.k_text, "nc": palette.k_text}
    colours |= {"c1": palette.quiet, "sd": palette.quiet}
    place = fill(texts("app")["code_place"], {"file": file, "line": start})
    rules = "".join(f".source .{name} {{ color: {colour}; }}" for name, colour in colours.items())
    st.html(
        f"<style>.source {{ font: .9rem/1.5 'Source Code Pro', monospace; overflow-x: auto; padding: .6rem 0; border-radius: 8px;"
        f" background: {palette.panel}; color: {palette.ink}; white-space: pre; }}"
        f".source div {{ padding: 0 1rem; min-width: max-content; }} .source i {{ color: {palette.quiet}; font-style: normal;"
        f" display: inline-block; width: 3rem; user-select: none; }}"
        f".source .lit {{ background: {palette.words[4]}; box-shadow: inset 4px 0 {palette.accent}; }} {rules}</style>"
        f'<div style="color:{palette.quiet}">{escape(place)}</div>'
        f'<div class="source" role="region" aria-label="{escape(place, quote=True)}" tabindex="0">{"".join(rows)}</div>'
    )


def _coloured(line: str) -> str:
    """One line with a span for keywords, names, strings and comments."""
    spans = []
    for kind, text in PythonLexer(stripnl=False).get_tokens(line):
        name = STANDARD_TYPES.get(kind, "")
        if kind in Token.Keyword:
            name = "k"
        elif kind in Token.Literal.String:
            name = "s"
        shown = escape(text.rstrip("\n"))
        spans.append(f'<span class="{name}">{shown}</span>' if name in {"k", "c1", "s", "nf", "nc"} else shown)
    return "".join(spans)
