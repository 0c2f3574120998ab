"""Which pronoun a model holds probable in each of two sentences, as a table."""

from __future__ import annotations

from collections.abc import Sequence

from viz_core.figures.palette import LIGHT, Palette
from viz_core.figures.table import cell, html_table

STYLE = """
.pronouns td.prefers {{ font-weight: 700; background: {panel}; }} .pronouns td.meant {{ box-shadow: inset 0 -4px {accent}; }}
"""


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
        line = [sentence]
        for j, share in enumerate(shares):
            classes = ["prefers"] * (prefers[i] == j) + ["meant"] * (i == j)
            line.append(cell(f"{share} {meant}" if i == j else share, " ".join(classes)))
        lines.append(line)
    style = STYLE.format(panel=palette.panel, accent=palette.accent)
    return html_table("pronouns", headings, lines, named=True, style=style, palette=palette)
