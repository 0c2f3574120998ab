"""HTML tables of numbers."""

from collections.abc import Collection, Sequence
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
