"""Several sampled sentences as a table: what differs from greedy's is marked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from viz_core.figures.base import plain
from viz_core.figures.described import region
from viz_core.figures.palette import LIGHT, Palette

STYLE = """<style>
.draws {{ overflow: auto; border: 1px solid {line}; border-radius: 8px; }}
.draws table {{ border-collapse: separate; border-spacing: 0; font-size: 18px; color: {ink}; width: 100%; }}
.draws th {{ background: {panel}; text-align: right; padding: .3rem .8rem; white-space: nowrap; }}
.draws td {{ text-align: right; padding: .22rem .8rem; white-space: nowrap; font-variant-numeric: tabular-nums; }}
.draws .text {{ text-align: left; width: 100%; white-space: normal; overflow-wrap: anywhere; unicode-bidi: plaintext; }}
.draws mark {{ background: none; color: {other}; font-weight: 650; border-bottom: 3px solid {output}; }}
.draws tr.greedy td {{ border-bottom: 2px solid {line}; }}
.draws tr.lit td {{ background: {lit}; }} .draws tr.lit td:first-child {{ box-shadow: inset 5px 0 {accent}; }}
</style>"""


@dataclass(frozen=True)
class Drawn:
    """A line of the table.

    Attributes:
        name: what stands at its start.
        words: (word or what stands between words, whether it differs from greedy's).
        log_prob: Σ ln p, as text.   times: how often it came.
    """

    name: str
    words: Sequence[tuple[str, bool]]
    log_prob: str
    times: str = ""


def draws_table(rows: Sequence[Drawn], *, headings: Sequence[str], lit: int, palette: Palette = LIGHT) -> str:
    """One line for each, as HTML; the first is greedy's.

    Args:
        headings: of name, sentence, log-probability, how often.
        lit: the chosen line.
    """
    lines = []
    for index, row in enumerate(rows):
        text = "".join(f"<mark>{plain(word)}</mark>" if other else plain(word) for word, other in row.words)
        names = " ".join(name for name, on in (("greedy", index == 0), ("lit", index == lit)) if on)
        cells = f'<td>{plain(row.name)}</td><td class="text">{text}</td><td>{plain(row.log_prob)}</td><td>{plain(row.times)}</td>'
        lines.append(f'<tr class="{names}">{cells}</tr>')
    kinds = ("", " class=text", "", "")
    head = "".join(f'<th scope="col"{kind}>{plain(heading)}</th>' for kind, heading in zip(kinds, headings, strict=True))
    colours = {"line": palette.line, "ink": palette.ink, "panel": palette.panel, "accent": palette.accent, "lit": palette.words[4]}
    style = STYLE.format(**colours, other=palette.output_text, output=palette.output)
    return f'{style}<div class="draws" {region("draws")}><table><tr>{head}</tr>{"".join(lines)}</table></div>'
