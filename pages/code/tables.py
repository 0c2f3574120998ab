"""Tables of HTML: a few cells of a tensor, with the labels of its rows and columns; and rows of plain numbers."""

from __future__ import annotations

from collections.abc import Sequence

from viz_core.figures.base import plain, region
from viz_core.figures.palette import LIGHT, Palette

STYLE = """<style>
.corner {{ overflow-x: auto; border: 1px solid {line}; border-radius: 8px; width: fit-content; max-width: 100%; }}
.corner table {{ border-collapse: separate; border-spacing: 0; font-size: 1.05rem; color: {ink}; }}
.corner td {{ font-variant-numeric: tabular-nums; }}
/* On the stage its letters grow with the window already. */
html[data-lecture] .corner {{ zoom: calc(1 / var(--viz-scale, 1)); }}
.corner th, .corner td {{ text-align: right; padding: .22rem .4rem; white-space: nowrap; }}
.corner thead > tr > * {{ background: {panel}; font-weight: 600; }}
.corner tbody th {{ font-weight: 400; }}
.corner th:first-child, .corner .words {{ text-align: left; }}
.corner tr.highlighted > * {{ background: {highlighted}; font-weight: 600; }}
.corner tr.highlighted th {{ box-shadow: inset 5px 0 {accent}; }}
.corner tr.total > * {{ background: {panel}; font-weight: 600; }}
</style>"""


def number_table(
    headings: Sequence[str],
    rows: Sequence[tuple[str, Sequence[str]]],
    *,
    name: str,
    highlighted: int | None = None,
    total: bool = False,
    left: int | None = None,
    palette: Palette = LIGHT,
) -> str:
    """A table, as HTML.

    Args:
        headings: of all columns, that of the rows' names first.
        rows: name and cells of each.
        name: of the table, a key of `viz_core/figures/en.toml`.
        highlighted: a row to be marked.
        total: whether the last row sums up the others.
        left: a column of words, from 0 after the names.
    """
    marks = [" class=words" if left is not None and at == left + 1 else "" for at in range(len(headings))]
    head = "".join(
        f'<th scope="col"{mark}>{plain(heading)}</th>' if heading else f"<td{mark}></td>"
        for heading, mark in zip(headings, marks, strict=True)
    )
    lines = []
    for index, (row, cells) in enumerate(rows):
        mark = " class=highlighted" if index == highlighted else " class=total" if total and index == len(rows) - 1 else ""
        written = "".join(f"<td{' class=words' * (at == left)}>{plain(cell)}</td>" for at, cell in enumerate(cells))
        lines.append(f'<tr{mark}><th scope="row">{plain(row)}</th>{written}</tr>')
    colours = {
        "ink": palette.ink,
        "line": palette.line,
        "panel": palette.panel,
        "highlighted": palette.words[4],
        "accent": palette.accent,
    }
    style = STYLE.format(**colours)
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(lines)}</tbody></table>"
    return f'{style}<div class="corner" {region(name)}>{table}</div>'
