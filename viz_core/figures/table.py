"""HTML tables of numbers: one function for all, and tables that several pages show."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from viz_core.figures.base import RAISED, plain, region
from viz_core.figures.palette import LIGHT, Palette

STYLE = """
.{name} {{ overflow: auto; border: 1px solid {line}; border-radius: 8px; width: fit-content; max-width: 100%; }}
.{name} table {{ border-collapse: separate; border-spacing: 0; font-size: 18px; color: {ink}; }}
.{name} :is(th, td) {{ text-align: right; padding: .22rem .9rem; font-variant-numeric: tabular-nums; }}
.{name} thead :is(th, td) {{ background: {panel}; padding-block: .45rem; font-weight: 600; position: sticky; top: 0; z-index: 1; }}
.{name} tbody th {{ font-weight: 400; }} .{name} .word {{ text-align: left; unicode-bidi: isolate; }}
.{name} tr.highlighted > * {{ background: {highlighted}; }}
.{name} tr.highlighted > :first-child {{ box-shadow: inset 5px 0 {accent}; }}
.{name} tr.sum > * {{ position: sticky; bottom: 0; background: {panel}; font-weight: 600; }}
"""


class Html(str):
    """A cell as HTML, `<td>` or `<th>`, with its text escaped."""


def cell(text: str, classes: str = "", tag: str = "td") -> Html:
    """A cell with CSS classes of its own."""
    attribute = f' class="{classes}"' if classes else ""
    return Html(f"<{tag}{attribute}>{plain(text)}</{tag.partition(' ')[0]}>")


def html_table(
    name: str,
    headings: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    named: bool = False,
    words: Collection[int] = (),
    highlighted: int | None = None,
    sums: int = 0,
    label: str = "",
    style: str = "",
    palette: Palette = LIGHT,
) -> str:
    """A table as HTML, in a scrolling region that the keyboard reaches and screen readers name.

    Args:
        name: CSS classes of the table; the last one is its own.
        headings: of the columns, unescaped; an empty one becomes an empty cell.
        rows: cells of each line, plain text or `Html`.
        named: the first cell of each row is its heading.
        words: columns of words, which are left-aligned and have the class `word`.
        highlighted: index of a row.
        sums: number of rows at the end that sum up the others.
        label: key of its description among the texts of the figures; by default its own class.
        style: further CSS of this table, with the palette's colours filled in.
    """
    own = name.rsplit(maxsplit=1)[-1]
    left = {*words, *([0] if named else [])}
    colours = {"line": palette.line, "ink": palette.ink, "panel": palette.panel, "accent": palette.accent}
    base = STYLE.format(name=own, highlighted=palette.highlight, **colours)

    def line(cells: Sequence[str], tags: Sequence[str]) -> str:
        columns = zip(range(len(cells)), cells, tags, strict=False)
        return "".join(text if isinstance(text, Html) else cell(text, "word" if i in left else "", tag) for i, text, tag in columns)

    tags = ['th scope="row"' if named else "td", *["td"] * (len(headings) - 1)]
    classes = ["highlighted" if i == highlighted else "sum" if i >= len(rows) - sums else "" for i in range(len(rows))]
    body = "".join(f'<tr class="{kind}">{line(row, tags)}</tr>' for kind, row in zip(classes, rows, strict=True))
    head = line(headings, ['th scope="col"' if heading else "td" for heading in headings])
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    return f'<style>{base}{style}</style><div class="{name}" {region(label or own)}>{table}</div>'


def amount(value: float) -> str:
    """A positive number of any size, readable: 1,234.5, 0.0123, 3.2·10⁻⁹."""
    if value == 0 or 0.001 <= value < 1_000_000:
        digits = 1 if value >= 100 else 3 if value >= 1 else 4
        return f"{value:,.{digits}f}"
    mantissa, exponent = f"{value:.1e}".split("e")
    return f"{mantissa}·10{str(int(exponent)).translate(RAISED)}"


DRAWS_STYLE = """
.draws {{ width: auto; }} .draws table {{ width: 100%; }}
.draws :is(th, td) {{ padding-inline: .8rem; white-space: nowrap; }} .draws thead th {{ padding-block: .3rem; }}
.draws .word {{ width: 100%; }}
.draws td.word {{ white-space: normal; overflow-wrap: anywhere; unicode-bidi: plaintext; }}
.draws mark {{ background: none; color: {other}; font-weight: 650; }}
.draws mark {{ text-decoration: underline 3px {output}; text-decoration-skip-ink: none; text-underline-offset: 5px; }}
.draws tr:has(.greedy) td {{ border-bottom: 2px solid {line}; }}
.draws .forced {{ outline: 2px solid {ink}; outline-offset: 1px; border-radius: 2px; margin-inline: 3px; }}
/* In lecture mode all ten rows fit above the bar: a long sentence is cut at the edge. */
html[data-lecture] .draws :is(th, td) {{ padding-block: 3px; line-height: 1.4; }}
html[data-lecture] .draws td.word {{ max-width: 0; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }}
"""


@dataclass(frozen=True)
class Drawn:
    """A line of the table.

    Attributes:
        name: of the sentence, at the start of the line.
        words: (word or characters between words, whether it differs from greedy decoding's).
        log_prob: Σ ln p, as text.   times: how often it was drawn.
        forced: indices of the words that an edit forces.
    """

    name: str
    words: Sequence[tuple[str, bool]]
    log_prob: str
    times: str = ""
    forced: Collection[int] = ()


def draws_table(
    rows: Sequence[Drawn], *, headings: Sequence[str], highlighted: int, label: str = "draws", palette: Palette = LIGHT
) -> str:
    """Several sentences as HTML; words that differ from the first one, greedy decoding's, are marked.

    Args:
        headings: of name, sentence, log-probability and count.
        highlighted: the chosen row.
        label: key of its description, as in `html_table`.
    """
    lines = []
    for index, row in enumerate(rows):
        text = "".join(_word(word, other, i in row.forced) for i, (word, other) in enumerate(row.words))
        name = row.name if index else cell(row.name, "greedy")
        lines.append([name, Html(f'<td class="word">{text}</td>'), row.log_prob, row.times])
    style = DRAWS_STYLE.format(other=palette.output_text, output=palette.output, line=palette.line, ink=palette.ink)
    return html_table("draws", headings, lines, words=(1,), highlighted=highlighted, label=label, style=style, palette=palette)


def _word(text: str, other: bool, forced: bool) -> str:
    inside = f"<mark>{plain(text)}</mark>" if other else plain(text)
    return f'<span class="forced">{inside}</span>' if forced else inside
