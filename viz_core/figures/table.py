"""Numbers as HTML tables: one helper, and the tables that several pages show."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from viz_core.figures.attention import Floats, signed
from viz_core.figures.base import RAISED, percent, plain, region
from viz_core.figures.palette import LIGHT, Palette

STYLE = """
.{name} {{ overflow: auto; border: 1px solid {line}; border-radius: 8px; width: fit-content; max-width: 100%; }}
.{name} table {{ border-collapse: separate; border-spacing: 0; font-size: 18px; color: {ink}; }}
.{name} :is(th, td) {{ text-align: right; padding: .22rem .9rem; font-variant-numeric: tabular-nums; }}
.{name} thead :is(th, td) {{ background: {panel}; padding-block: .45rem; font-weight: 600; }}
.{name} tr.highlighted > * {{ background: {highlighted}; }}
.{name} tr.highlighted > :first-child {{ box-shadow: inset 5px 0 {accent}; }}
"""


@dataclass(frozen=True)
class TableRow:
    """One line of a table: its cells as HTML, `<th>` and `<td>`, with typed text escaped by `plain`; and its CSS classes."""

    cells: str
    classes: str = ""


def html_table(name: str, headings: Sequence[str], rows: Sequence[TableRow], *, style: str = "", palette: Palette = LIGHT) -> str:
    """A table as HTML, in a region of its own that scrolls, can be reached with the keyboard, and is named for screen readers.

    Args:
        name: CSS class of the table, and key of its description among the texts of the figures.
        headings: of the columns, as plain text; an empty one is no heading but an empty cell.
        rows: those with the class `highlighted` are highlighted.
        style: further CSS of this table, with the colours of the palette already in it.
    """
    colours = {"line": palette.line, "ink": palette.ink, "panel": palette.panel, "accent": palette.accent}
    base = STYLE.format(name=name, highlighted=palette.words[4], **colours)
    head = "".join(f'<th scope="col">{plain(heading)}</th>' if heading else "<td></td>" for heading in headings)
    body = "".join(f'<tr class="{row.classes}">{row.cells}</tr>' for row in rows)
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    return f'<style>{base}{style}</style><div class="{name}" {region(name)}>{table}</div>'


SOFTMAX_STYLE = """
.softmax {{ max-height: 30rem; }}
.softmax thead > tr > * {{ position: sticky; top: 0; z-index: 1; }}
.softmax td {{ white-space: pre; }}
.softmax tr > th:first-child {{ text-align: left; color: {k}; font-weight: 600; unicode-bidi: isolate; white-space: pre; }}
.softmax td.masked {{ background: {masked}; color: {ink}; text-align: center; }}
.softmax tr.highlighted > * {{ position: sticky; top: 2.6rem; bottom: 2.3rem; }}  /* in sight wherever one scrolls */
.softmax tr.sum > * {{ position: sticky; bottom: 0; background: {panel}; font-weight: 600; color: {ink} !important; }}
.softmax .bar {{ display: inline-block; height: 14px; background: {accent}; border-radius: 2px; vertical-align: middle; }}
.softmax td.track {{ width: 11rem; text-align: left; padding-left: 0; }}
"""


def softmax_table(
    keys: Sequence[str],
    scores: Floats,
    scaled: Floats,
    exp: Floats,
    weights: Floats,
    *,
    headings: Sequence[str],
    masked: str,
    total: str,
    highlighted: int | None = None,
    palette: Palette = LIGHT,
) -> str:
    """The softmax of one row, as HTML: one line per key, one column per operation, numbers aligned.

    Args:
        scores, scaled, exp, weights: (Tk,) each; exp is NaN where the mask forbids.
        headings: of the columns key, score, scaled, mask, exp, weight.
        masked: what stands in the place of what the mask forbids.
        total: the name of the last line, the sum.
        highlighted: the picked key.
    """
    lines = []
    for j, key in enumerate(keys):
        start = f'<th scope="row">{plain(key)}</th><td>{signed(scores[j])}</td><td>{signed(scaled[j])}</td>'
        if np.isnan(exp[j]):
            rest = f'<td>−∞</td><td class="masked" colspan="3">{plain(masked)}</td>'
        else:
            bar = f'<td class="track"><span class="bar" style="width:{max(1.0, 176 * float(weights[j])):.0f}px"></span></td>'
            rest = f"<td>+0</td><td>{amount(exp[j])}</td><td>{percent(float(weights[j]))}</td>{bar}"
        lines.append(TableRow(start + rest, "highlighted" if j == highlighted else ""))
    allowed = ~np.isnan(exp)
    numbers = f"<td></td><td></td><td></td><td>{amount(exp[allowed].sum())}</td><td>100 %</td><td></td>"
    lines.append(TableRow(f'<th scope="row">{plain(total)}</th>{numbers}', "sum"))
    colours = {"ink": palette.ink, "panel": palette.panel, "k": palette.k_text, "masked": palette.masked, "accent": palette.accent}
    return html_table("softmax", [*headings, ""], lines, style=SOFTMAX_STYLE.format(**colours), palette=palette)


def amount(value: float) -> str:
    """A positive number of any size, readable: 1,234.5, 0.0123, 3.2·10⁻⁹."""
    if value == 0 or 0.001 <= value < 1_000_000:
        digits = 1 if value >= 100 else 3 if value >= 1 else 4
        return f"{value:,.{digits}f}"
    mantissa, exponent = f"{value:.1e}".split("e")
    return f"{mantissa}·10{str(int(exponent)).translate(RAISED)}"


MEASURES_STYLE = """
.measures th:first-child {{ text-align: left; font-weight: 400; }}
.measures tr.highlighted > * {{ background: {panel}; font-weight: 600; }}
"""


@dataclass(frozen=True)
class MeasureRow:
    """One measure of a head: its name, the share of the weights, and what equal weights would give."""

    name: str
    share: float
    uniform: float


def measure_table(rows: Sequence[MeasureRow], *, headings: Sequence[str], highlighted: str, palette: Palette = LIGHT) -> str:
    """The measures of one head, as HTML.

    Args:
        headings: name, share, share with uniform weights, ratio.
        highlighted: the name of the measure that is the head's role.
    """
    lines = [
        TableRow(
            f"<th scope=row>{plain(row.name)}</th><td>{percent(row.share)}</td>"
            f"<td>{percent(row.uniform)}</td><td>{row.share / row.uniform:.1f} ×</td>",
            "highlighted" if row.name == highlighted else "",
        )
        for row in rows
    ]
    return html_table("measures", headings, lines, style=MEASURES_STYLE.format(panel=palette.panel), palette=palette)


DRAWS_STYLE = """
.draws {{ width: auto; }} .draws table {{ width: 100%; }}
.draws :is(th, td) {{ padding-inline: .8rem; white-space: nowrap; }} .draws thead th {{ padding-block: .3rem; }}
.draws .text, .draws th:nth-child(2) {{ text-align: left; width: 100%; }}
.draws .text {{ white-space: normal; overflow-wrap: anywhere; unicode-bidi: plaintext; }}
.draws mark {{ background: none; color: {other}; font-weight: 650; }}
.draws mark {{ text-decoration: underline 3px {output}; text-decoration-skip-ink: none; text-underline-offset: 5px; }}
.draws tr.greedy td {{ border-bottom: 2px solid {line}; }}
.draws .forced {{ outline: 2px solid {ink}; outline-offset: 1px; border-radius: 2px; margin-inline: 3px; }}
/* In lecture mode all ten rows fit above the bar: a long sentence is cut at the edge. */
html[data-lecture] .draws :is(th, td) {{ padding-block: 3px; line-height: 1.4; }}
html[data-lecture] .draws .text {{ max-width: 0; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }}
"""


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
    """Several sentences, as HTML; what differs from the first, the greedy one, is marked.

    Args:
        headings: of name, sentence, log-probability, how often.
        highlighted: the chosen row.
    """
    lines = []
    for index, row in enumerate(rows):
        text = "".join(_word(word, other, at in row.forced) for at, (word, other) in enumerate(row.words))
        classes = " ".join(name for name, on in (("greedy", index == 0), ("highlighted", index == highlighted)) if on)
        cells = f'<td>{plain(row.name)}</td><td class="text">{text}</td><td>{plain(row.log_prob)}</td><td>{plain(row.times)}</td>'
        lines.append(TableRow(cells, classes))
    style = DRAWS_STYLE.format(other=palette.output_text, output=palette.output, line=palette.line, ink=palette.ink)
    return html_table("draws", headings, lines, style=style, palette=palette)


def _word(text: str, other: bool, forced: bool) -> str:
    inside = f"<mark>{plain(text)}</mark>" if other else plain(text)
    return f'<span class="forced">{inside}</span>' if forced else inside
