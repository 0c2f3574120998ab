"""Several sampled sentences as a table: what differs from greedy's is marked."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from viz_core.figures.base import plain, region
from viz_core.figures.palette import LIGHT, Palette

STYLE = """<style>
.draws {{ overflow: auto; border: 1px solid {line}; border-radius: 8px; }}
.draws table {{ border-collapse: separate; border-spacing: 0; font-size: 18px; color: {ink}; width: 100%; }}
.draws th {{ background: {panel}; text-align: right; padding: .3rem .8rem; white-space: nowrap; }}
.draws td {{ text-align: right; padding: .22rem .8rem; white-space: nowrap; font-variant-numeric: tabular-nums; }}
.draws .text {{ text-align: left; width: 100%; white-space: normal; overflow-wrap: anywhere; unicode-bidi: plaintext; }}
.draws mark {{ background: none; color: {other}; font-weight: 650; }}
.draws mark {{ text-decoration: underline 3px {output}; text-decoration-skip-ink: none; text-underline-offset: 5px; }}
.draws tr.greedy td {{ border-bottom: 2px solid {line}; }}
.draws .forced {{ outline: 2px solid {ink}; outline-offset: 1px; border-radius: 2px; margin-inline: 3px; }}
.draws tr.lit td {{ background: {highlighted}; }} .draws tr.lit td:first-child {{ box-shadow: inset 5px 0 {accent}; }}
/* On stage all ten stand above the bar: a long sentence is cut at the edge. */
html[data-lecture] .draws :is(th, td) {{ padding-block: 3px; line-height: 1.4; }}
html[data-lecture] .draws .text {{ max-width: 0; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }}
</style>"""


@dataclass(frozen=True)
class Drawn:
    """A line of the table.

    Attributes:
        name: what stands at its start.
        words: (word or what stands between words, whether it differs from greedy's).
        log_prob: Σ ln p, as text.   times: how often it came.
        forced: indices of the words that an edit forces.
    """

    name: str
    words: Sequence[tuple[str, bool]]
    log_prob: str
    times: str = ""
    forced: Collection[int] = ()


def draws_table(rows: Sequence[Drawn], *, headings: Sequence[str], highlighted: int, palette: Palette = LIGHT) -> str:
    """One line for each, as HTML; the first is greedy's.

    Args:
        headings: of name, sentence, log-probability, how often.
        highlighted: the chosen line.
    """
    lines = []
    for index, row in enumerate(rows):
        text = "".join(_word(word, other, at in row.forced) for at, (word, other) in enumerate(row.words))
        names = " ".join(name for name, on in (("greedy", index == 0), ("lit", index == highlighted)) if on)
        cells = f'<td>{plain(row.name)}</td><td class="text">{text}</td><td>{plain(row.log_prob)}</td><td>{plain(row.times)}</td>'
        lines.append(f'<tr class="{names}">{cells}</tr>')
    kinds = ("", " class=text", "", "")
    head = "".join(f'<th scope="col"{kind}>{plain(heading)}</th>' for kind, heading in zip(kinds, headings, strict=True))
    colours = {
        "line": palette.line,
        "ink": palette.ink,
        "panel": palette.panel,
        "accent": palette.accent,
        "highlighted": palette.words[4],
    }
    style = STYLE.format(**colours, other=palette.output_text, output=palette.output)
    return f'{style}<div class="draws" {region("draws")}><table><tr>{head}</tr>{"".join(lines)}</table></div>'


def _word(text: str, other: bool, forced: bool) -> str:
    inside = f"<mark>{plain(text)}</mark>" if other else plain(text)
    return f'<span class="forced">{inside}</span>' if forced else inside
