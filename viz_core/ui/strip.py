"""The token strip: source and target on every page, at the same place, the current step lit."""

from __future__ import annotations

import streamlit as st

from viz_core.figures.palette import Palette
from viz_core.texts import texts
from viz_core.tokens import Piece
from viz_core.ui.markup import html
from viz_core.ui.state import View

AROUND, BEFORE = 20, 10
"""So many pieces of the target are shown around the current step, and so many of them before it: two lines of chips."""

STYLE = """<style>
.strip {{ display: grid; grid-template-columns: max-content 1fr max-content; gap: .3rem .8rem; align-items: center;
  font-size: 1.1rem; }}
.strip .name {{ color: {quiet}; font-size: .95rem; }}
.strip .row {{ display: flex; flex-wrap: wrap; gap: .3rem 0; max-height: 4.9rem; overflow-y: auto; }}
.strip .piece {{ padding: .12rem .5rem; margin-right: 1px; color: {ink}; border: 2px solid transparent; white-space: pre;
  unicode-bidi: isolate; }}
.strip .piece.first {{ border-radius: 8px 0 0 8px; margin-left: .35rem; }}
.strip .piece.last {{ border-radius: 0 8px 8px 0; }}
.strip .piece.first.last {{ border-radius: 8px; }}
.strip .special, .strip .more {{ color: {quiet}; }} .strip .more {{ padding: .12rem .5rem; border: 2px solid transparent; }}
.strip .ahead {{ opacity: .55; }}
.strip .read {{ border-color: {q}; }}
.strip .next {{ border: 2px dashed {output}; font-weight: 600; }}
.strip .legend {{ grid-column: 3; grid-row: 1 / 3; color: {quiet}; font-size: .95rem; line-height: 1.9; }}
.strip .legend b {{ font-weight: 600; padding: 0 .35rem; border-radius: 6px; color: {ink}; }}
</style>"""


def token_strip(view: View, palette: Palette) -> None:
    """Draws source and target; the target up to the current step in full colour, what comes later faint."""
    words, explanation, step = texts("app"), view.explanation, view.step
    source = _row(explanation.source.pieces, palette, {})
    pieces = (explanation.target.pieces[0], *explanation.output)
    start = max(0, min(step - BEFORE, len(pieces) - AROUND))
    marks = {step: "read", step + 1: "next"} | dict.fromkeys(range(step + 2, len(pieces)), "ahead")
    answer = words["typed" if explanation.forced else "writes"]
    legend = (
        f'<b style="border:2px solid {palette.q}">{html(pieces[step].text)}</b> {html(words["reads"])}<br>'
        f'<b style="border:2px dashed {palette.output}">{html(pieces[step + 1].text)}</b> {html(answer)}'
    )
    target = _row(pieces, palette, marks, start, start + AROUND)
    st.html(
        STYLE.format(ink=palette.ink, quiet=palette.quiet, q=palette.q, output=palette.output)
        + f'<div class="strip"><span class="name">{html(words["strip_source"])}</span><div class="row">{source}</div>'
        + f'<span class="name">{html(words["strip_target"])}</span><div class="row">{target}</div>'
        + f'<span class="legend">{legend}</span></div>'
    )


def _row(pieces: tuple[Piece, ...], palette: Palette, marks: dict[int, str], start: int = 0, end: int | None = None) -> str:
    """The pieces from start to end as chips, and how many there are before and after."""
    end = min(len(pieces), len(pieces) if end is None else end)
    more = html(texts("app")["more"])
    chips = [f'<span class="more">{start} {more} …</span>'] if start else []
    for i in range(start, end):
        piece = pieces[i]
        word = piece.word
        first = i == start or word is None or pieces[i - 1].word != word
        last = i == end - 1 or word is None or pieces[i + 1].word != word
        classes = ["piece", *(["first"] if first else []), *(["last"] if last else []), *([marks[i]] if i in marks else [])]
        band = "transparent" if word is None else palette.words[word % len(palette.words)]
        if word is None:
            classes.append("special")
        chips.append(f'<span class="{" ".join(classes)}" style="background:{band}">{html(piece.text)}</span>')
    return "".join([*chips, *([f'<span class="more">… {len(pieces) - end} {more}</span>'] if end < len(pieces) else [])])
