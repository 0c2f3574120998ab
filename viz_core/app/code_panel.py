"""The source of the very function that computed what is shown, with the line in question highlighted."""

from __future__ import annotations

import ast
import functools
import importlib
import inspect
import io
import textwrap
import tokenize
from collections.abc import Collection, Mapping
from html import escape
from keyword import iskeyword
from types import MappingProxyType
from typing import Any, NamedTuple

import streamlit as st

from viz_core.figures.palette import Palette
from viz_core.texts import fill, texts


class Way(NamedTuple):
    """A line that leads to a call, which `pages.code.component` hears.

    Attributes:
        call: its index.
        here: whether one stands there.
        said: where it leads, in words.
        note: what is shown behind the line.
    """

    call: int
    here: bool
    said: str
    note: str


NOWHERE: Mapping[int, Way] = MappingProxyType({})


@functools.cache
def source_of(name: str) -> tuple[str, str, int]:
    """The source of `package.module:object.attribute`, its file inside the project, and its first line."""
    module, _, path = name.partition(":")
    found: Any = functools.reduce(getattr, path.split("."), importlib.import_module(module))
    lines, start = inspect.getsourcelines(inspect.unwrap(found))
    return textwrap.dedent("".join(lines)), module.replace(".", "/") + ".py", start


def code_panel(
    name: str,
    highlighted: str,
    palette: Palette,
    at: Collection[int] = (),
    around: int | None = None,
    ways: Mapping[int, Way] = NOWHERE,
) -> None:
    """Draws the source of a function; every line that holds the text `highlighted` is highlighted.

    Args:
        at: numbers of lines in the file that are highlighted as well; the docstring is then folded, and long lines are broken,
            on the stage only the highlighted ones.
        around: so many lines before and after a highlighted one are drawn; None for all.
        ways: by the number of its line in the file, where that leads.
    """
    source, file, start = source_of(name)
    rows = []
    folded = _docstring(source) if at else range(0)
    for number, (line, whole) in enumerate(zip(source.splitlines(), coloured(source), strict=True), start=start):
        far = around is not None and min(abs(number - each) for each in at or [number]) > around
        if number - start in folded[1:] or (far and number != start):
            continue
        indent = line[: len(line) - len(line.lstrip())]
        drawn = f'{indent}<span class="string">"""…"""</span>' if number - start in folded else whole
        if number in ways:
            drawn = indent + _way(ways[number], drawn[len(indent) :])
        if at:  # broken after a word, not before the first one
            drawn = "&nbsp;" * len(indent) + drawn[len(indent) :]
        mark = ' class="highlighted"' * (number in at or bool(highlighted and highlighted in line))
        rows.append(f"<div{mark}><i>{number}</i>{drawn or ' '}</div>")
    colours = {"keyword": palette.q_text, "string": palette.v_text, "comment": palette.quiet}
    colours |= dict.fromkeys(("function", "class"), palette.k_text)
    place = fill(texts("app.frame")["code_place"], {"file": file, "line": start})
    heard = fill(texts("app.frame")["code_highlighted"], {"place": place, "lines": ", ".join(map(str, at))}) if at else place
    rules = "".join(f".source .{name} {{ color: {colour}; }}" for name, colour in colours.items())
    st.html(
        f"<style>.source {{ font: .9rem/1.5 'Source Code Pro', monospace; overflow-x: auto; padding: .6rem 0; border-radius: 8px;"
        f" background: {palette.panel}; color: {palette.ink}; white-space: pre; }}"
        f".source div {{ padding: 0 1rem; min-width: max-content; }} .source i {{ color: {palette.quiet}; font-style: normal;"
        f" display: inline-block; width: 3rem; user-select: none; }}"
        # on the stage its letters grow with the window already
        f"html[data-lecture] :is(.source, .source-place) {{ zoom: calc(1 / var(--viz-scale, 1)); }}"
        f" .source .highlighted {{ background: {palette.words[4]}; box-shadow: inset 4px 0 {palette.accent}; }}"
        f" .source.near div {{ white-space: pre-wrap; overflow-wrap: anywhere;"
        f" min-width: 0; padding-left: 6rem; text-indent: -5rem; }}"
        f" html[data-lecture] .source.near div:not(.highlighted) {{ white-space: pre; overflow: hidden; text-overflow: ellipsis; }}"
        f" .source i {{ text-indent: 0; }}"
        f" .source em {{ font-style: normal; color: {palette.accent}; white-space: nowrap; }}"
        f" .source [role=link] {{ cursor: pointer; }} .source [role=link]:hover {{ background: {palette.words[5]}; }}"
        f" {rules}</style>"
        f'<div class="source-place" style="color:{palette.quiet}">{escape(place)}</div>'
        f'<div class="source{" near" * bool(at)}" role="region" aria-label="{escape(heard, quote=True)}" tabindex="0">'
        f"{''.join(rows)}</div>"
    )


def _way(way: Way, drawn: str) -> str:
    """A line as a link, and its note."""
    here = ' aria-current="true"' * way.here
    said = escape(way.said, quote=True)
    return f'<span role="link" tabindex="0" data-call="{way.call}" title="{said}"{here}>{drawn} <em>{escape(way.note)}</em></span>'


def _docstring(source: str) -> range:
    """Its lines, from 0; none where there is no docstring."""
    made = ast.parse(source).body[0]
    first = made.body[0] if isinstance(made, ast.FunctionDef | ast.ClassDef) and ast.get_docstring(made) else None
    return range(first.lineno - 1, first.end_lineno or first.lineno) if first else range(0)


@functools.cache
def coloured(source: str) -> list[str]:
    """Python as lines of HTML, with a span around keywords, strings, comments and the names that are defined."""
    lines = source.splitlines()
    spans: list[list[tuple[int, int, str]]] = [[] for _ in lines]
    before = ""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if name := _class(token, before):
            (first, start), (last, end) = token.start, token.end
            for row in range(first, last + 1):
                spans[row - 1].append((start if row == first else 0, end if row == last else len(lines[row - 1]), name))
        before = token.string
    return [_spanned(line, found) for line, found in zip(lines, spans, strict=True)]


def _class(token: tokenize.TokenInfo, before: str) -> str:
    kind = tokenize.tok_name[token.type]
    if kind == "NAME":
        return "keyword" if iskeyword(token.string) else {"def": "function", "class": "class"}.get(before, "")
    if kind == "COMMENT":
        return "comment"
    return "string" if "STRING" in kind else ""  # FSTRING_START and its like from Python 3.12 on


def _spanned(line: str, spans: list[tuple[int, int, str]]) -> str:
    drawn, at = "", 0
    for start, end, name in spans:
        drawn += f'{escape(line[at:start])}<span class="{name}">{escape(line[start:end])}</span>'
        at = end
    return drawn + escape(line[at:])
