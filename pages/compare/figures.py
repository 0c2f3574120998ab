"""Which pronoun a model holds probable in each of two sentences, as a table."""

from __future__ import annotations

from collections.abc import Sequence

from viz_core.figures.base import plain, region
from viz_core.figures.palette import LIGHT, Palette

STYLE = """<style>
.pronouns table {{ border-collapse: collapse; font-size: 1.1rem; color: {ink}; font-variant-numeric: tabular-nums; }}
.pronouns :is(th, td) {{ padding: .3rem .9rem; text-align: right; border-bottom: 1px solid {line}; }}
.pronouns :is(th, td):first-child {{ text-align: left; font-weight: 400; }}
.pronouns td.prefers {{ font-weight: 700; background: {panel}; }}
.pronouns td.meant {{ box-shadow: inset 0 -4px {accent}; }}
</style>"""


def pronoun_table(
    rows: Sequence[tuple[str, Sequence[str]]],
    *,
    headings: Sequence[str],
    prefers: Sequence[int],
    meant: str,
    palette: Palette = LIGHT,
) -> str:
    """Two sentences, two pronouns, as HTML. In each sentence the pronoun of the same number is the one that is meant.

    Args:
        rows: each sentence with the shares of both pronouns.
        headings: of the sentence and of both pronouns.
        prefers: of each sentence, which pronoun the model holds more probable.
        meant: said of the cell of the pronoun that is meant, with a mark.
    """
    lines = []
    for i, (sentence, shares) in enumerate(rows):
        cells = []
        for j, share in enumerate(shares):
            names = [name for name, holds in (("prefers", prefers[i] == j), ("meant", i == j)) if holds]
            mark = f" {plain(meant)}" if i == j else ""
            cells.append(f'<td class="{" ".join(names)}">{plain(share)}{mark}</td>')
        lines.append(f"<tr><th scope=row>{plain(sentence)}</th>{''.join(cells)}</tr>")
    head = "".join(f"<th scope=col>{plain(heading)}</th>" for heading in headings)
    colours = {"ink": palette.ink, "line": palette.line, "panel": palette.panel, "accent": palette.accent}
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(lines)}</tbody></table>"
    return f'{STYLE.format(**colours)}<div class="pronouns" {region("pronouns")}>{table}</div>'
