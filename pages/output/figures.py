"""A given target, token by token, as a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from viz_core.figures.attention import signed
from viz_core.figures.base import percent, plain, region
from viz_core.figures.palette import LIGHT, Palette

STYLE = """<style>
.scores {{ max-height: 26rem; overflow: auto; border: 1px solid {line}; border-radius: 8px; width: fit-content; max-width: 100%; }}
.scores table {{ border-collapse: separate; border-spacing: 0; font-size: 1.1rem; color: {ink}; }}
.scores th {{ position: sticky; top: 0; background: {panel}; text-align: right; padding: .45rem .9rem; z-index: 1; }}
.scores td {{ text-align: right; padding: .22rem .9rem; white-space: pre; font-variant-numeric: tabular-nums; }}
.scores .word {{ text-align: left; unicode-bidi: isolate; }} .scores td.word {{ font-weight: 600; }}
.scores tr.highlighted td {{ background: {highlighted}; }}
.scores tr.highlighted td:first-child {{ box-shadow: inset 5px 0 {accent}; }}
.scores tr.sum td {{ position: sticky; bottom: 0; background: {panel}; font-weight: 600; }}
.scores td.same {{ color: {quiet}; font-weight: 400; }}
</style>"""


@dataclass(frozen=True)
class JudgedToken:
    """One token of a given target: its probability, its rank, and what the model would have written."""

    token: str
    probability: float
    rank: int
    log_prob: float
    best: str
    best_probability: float


def judged_table(
    rows: Sequence[JudgedToken],
    *,
    headings: Sequence[str],
    same: str,
    total: str,
    log_prob: float,
    highlighted: int,
    palette: Palette = LIGHT,
) -> str:
    """One line for each position, as HTML.

    Args:
        headings: number, typed token, probability, rank, log-probability, what the model would have written.
        same: stands where the model would have written the same.
        total: the name of the last line, whose number is `log_prob`.
        highlighted: index of the current step.
    """
    lines = []
    for i, row in enumerate(rows):
        start = f'<tr{" class=highlighted" if i == highlighted else ""}><td>{i + 1}</td><td class="word">{plain(row.token)}</td>'
        numbers = f"<td>{percent(row.probability)}</td><td>{row.rank:,}</td><td>{signed(row.log_prob)}</td>"
        other = f'<td class="word">«{plain(row.best)}» {percent(row.best_probability)}</td>'
        agrees = f'<td class="word same">{plain(same)}</td>'
        lines.append(f"{start}{numbers}{agrees if row.rank == 1 else other}</tr>")
    left = (1, 5)
    head = "".join(
        f'<th scope="col"{" class=word" if i in left else ""}>{plain(heading)}</th>' for i, heading in enumerate(headings)
    )
    end = (
        f'<tr class="sum"><td></td><td class="word">{plain(total)}</td><td></td><td></td><td>{signed(log_prob)}</td><td></td></tr>'
    )
    colours = {
        "line": palette.line,
        "ink": palette.ink,
        "panel": palette.panel,
        "highlighted": palette.words[4],
        "accent": palette.accent,
    }
    style = STYLE.format(**colours, quiet=palette.quiet)
    return f'{style}<div class="scores" {region("scores")}><table><tr>{head}</tr>{"".join(lines)}{end}</table></div>'
