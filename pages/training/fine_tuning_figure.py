"""What a model wrote before it was tuned and what it writes now, sentence by sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from viz_core.figures.base import plain, region
from viz_core.figures.palette import LIGHT, Palette

Words = Sequence[tuple[str, bool]]
"""Words and what stands between them, and whether each is marked."""

STYLE = """<style>
.draws.tuned {{ overflow: auto; border: 1px solid {line}; border-radius: 8px; max-height: 27rem; }}
html[data-lecture] .draws.tuned {{ max-height: calc((100vh - 14rem - var(--viz-bar, 0px)) / var(--viz-scale, 1)); }}
.tuned table {{ border-collapse: separate; border-spacing: 0; font-size: 18px; color: {ink}; width: 100%; table-layout: fixed; }}
.tuned th {{ background: {panel}; padding: .3rem .8rem; text-align: left; position: sticky; top: 0; }}
.tuned td {{ padding: .22rem .8rem; vertical-align: top; unicode-bidi: plaintext; overflow-wrap: anywhere; }}
.tuned tr + tr td {{ border-top: 1px solid {line}; }}
.tuned td.given {{ color: {quiet}; }}
.tuned mark {{ background: none; font-weight: 650; }}
.tuned mark.right {{ color: {v}; border-bottom: 3px solid {v}; }}
.tuned mark.other {{ color: {output}; border-bottom: 3px solid {output}; }}
.tuned b {{ color: {v}; }}
</style>"""


@dataclass(frozen=True)
class Row:
    """One sentence: its source, the right translation, what the model wrote before and what it writes now."""

    source: str
    right: str
    before: Words
    now: Words

    def solved(self, words: Words) -> bool:
        """Whether this is the right translation, letter by letter."""
        return "".join(word for word, _ in words) == self.right


def tuned_table(rows: Sequence[Row], *, headings: Sequence[str], mark: str, name: str, palette: Palette = LIGHT) -> str:
    """One line for each sentence, as HTML; what is right as a whole has a tick.

    Args:
        headings: of source, right translation, before, now.
        mark: what a marked word is: `right`, or `other` than before.
        name: what the table is, a text of `hovers.toml`.
    """
    lines = []
    for row in rows:
        cells = f'<td class="given">{plain(row.source)}</td><td class="given">{plain(row.right)}</td>'
        for words in (row.before, row.now):
            text = "".join(f'<mark class="{mark}">{plain(word)}</mark>' if on else plain(word) for word, on in words)
            cells += f"<td>{text}{'&nbsp;<b>✓</b>' if row.solved(words) else ''}</td>"
        lines.append(f"<tr>{cells}</tr>")
    head = "".join(f'<th scope="col">{plain(heading)}</th>' for heading in headings)
    colours = {"line": palette.line, "ink": palette.ink, "panel": palette.panel, "quiet": palette.quiet}
    style = STYLE.format(**colours, v=palette.v_text, output=palette.output_text)
    return f'{style}<div class="draws tuned" {region(name)}><table><tr>{head}</tr>{"".join(lines)}</table></div>'
