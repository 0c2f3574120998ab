"""HTML tables of numbers: one function for all, and tables that several pages show."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from viz_core.figures.base import RAISED, plain, region

STYLES = Path(__file__).with_suffix(".css")
"""The look of all tables."""


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
    """
    own = name.rsplit(maxsplit=1)[-1]
    left = {*words, *([0] if named else [])}

    def line(cells: Sequence[str], tags: Sequence[str]) -> str:
        columns = zip(range(len(cells)), cells, tags, strict=False)
        return "".join(text if isinstance(text, Html) else cell(text, "word" if i in left else "", tag) for i, text, tag in columns)

    tags = ['th scope="row"' if named else "td", *["td"] * (len(headings) - 1)]
    classes = ["highlighted" if i == highlighted else "sum" if i >= len(rows) - sums else "" for i in range(len(rows))]
    body = "".join(f'<tr class="{kind}">{line(row, tags)}</tr>' for kind, row in zip(classes, rows, strict=True))
    head = line(headings, ['th scope="col"' if heading else "td" for heading in headings])
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    return f'<div class="{name} numbers" {region(label or own)}>{table}</div>'


def amount(value: float) -> str:
    """A positive number of any size, readable: 1,234.5, 0.0123, 3.2·10⁻⁹."""
    if value == 0 or 0.001 <= value < 1_000_000:
        digits = 1 if value >= 100 else 3 if value >= 1 else 4
        return f"{value:,.{digits}f}"
    mantissa, exponent = f"{value:.1e}".split("e")
    return f"{mantissa}·10{str(int(exponent)).translate(RAISED)}"


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


def draws_table(rows: Sequence[Drawn], *, headings: Sequence[str], highlighted: int, label: str = "draws") -> str:
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
    return html_table("draws sentences", headings, lines, words=(1,), highlighted=highlighted, label=label)


def _word(text: str, other: bool, forced: bool) -> str:
    inside = f"<mark>{plain(text)}</mark>" if other else plain(text)
    return f'<span class="forced">{inside}</span>' if forced else inside
