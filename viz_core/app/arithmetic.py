"""The arithmetic below a figure: a formula, then the same with this sentence's numbers, which the browser follows by itself.

Python writes the numbers of all steps, layers, tokens … at once; the browser puts those in their places that are looked at. So the
arithmetic changes in the frame in which the figure does, and the server hears nothing. Of all cells of a map they would be too
many: those of the picked one the browser writes itself, out of the numbers that the map is drawn from.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from types import MappingProxyType
from typing import Any, Literal

from viz_core.app.markup import shown
from viz_core.app.page import Page
from viz_core.browser.pack import pack
from viz_core.texts import texts


@dataclass(frozen=True)
class Varying:
    """Values of the texts that change with what the browser shows.

    Attributes:
        by: names of the view, such as `layer`, `token`; or `row`, `column` of the picked cell.
        at: for each of them a list, one inside the other, and in the innermost the values; beyond its end the last of them hold.
    """

    by: tuple[str, ...]
    at: Any


How = Literal["number", "percent", "ratio", "label", "either", "same", "terms", "products", "least"]


@dataclass(frozen=True)
class Worked:
    """A value of the texts that the browser writes for the picked cell (`browser/arithmetic/worked.ts`), as `shown` would.

    Attributes:
        how: number, percent: of the cell. ratio: of the cells of two. label: of the column. either: the first of `texts` where the
            number is not 0, else the second. same: the first where two are greatest in the same column of the row. terms: the sum
            of the cell's numbers, (n, rows, columns). products: the sum of a row of the first times a column of the second. least:
            the same with the smaller of the two in place of their product.
        of: names of numbers that the figure was given.
        at: where these are greatest in the row, in place of the column of the cell.
        most: how many terms of a sum are written out, the greatest first; without it all, in their order.
    """

    how: How
    of: tuple[str, ...] = ()
    at: str = ""
    most: int | None = None
    texts: tuple[str, ...] = ()


@dataclass(frozen=True)
class Section:
    """A text of its own.

    Attributes:
        name: CSS class.
        template: the key of its text, itself with places for values; of a key that is none of the texts nothing is shown.
        heading: over it.
    """

    name: str
    template: str
    heading: str = ""


def arithmetic_section(template: str = "[[text]]") -> Section:
    """The section that is called so; lecture mode leaves it out."""
    return Section("arithmetic", template, texts("app.frame")["arithmetic"])


def show_arithmetic(
    p: Page,
    templates: Mapping[str, str],
    *parts: Varying,
    worked: Mapping[str, Worked] = MappingProxyType({}),
    columns: Sequence[str] = (),
    sections: Sequence[Section] = (),
    **shared: Any,
) -> None:
    """The arithmetic of all that the browser may show without another run.

    Args:
        templates: the texts that are shown, by name; with one of them, it need not be named.
        parts: values that change, each laid over those before.
        worked: values of the picked cell, by name, laid over these.
        columns: the labels of the columns of its map.
        sections: from top to bottom; left out, the arithmetic alone.
        shared: values that do not change.
    """
    wanted = sections or [arithmetic_section(next(iter(templates)) if len(templates) == 1 else "[[text]]")]
    payload = pack(
        {},
        {
            "texts": dict(templates),
            "sections": [asdict(section) for section in wanted],
            "shared": _shown(shared),
            "parts": [{"by": each.by, "at": _shown(each.at)} for each in parts],
            "worked": {name: asdict(each) for name, each in worked.items()},
            "columns": _shown(columns),
        },
    )
    p.mount_below("arithmetic", payload)


def _shown(values: Any) -> Any:
    """The same with each value as it is put into a text."""
    if isinstance(values, Mapping):
        return {name: shown(value) for name, value in values.items()}
    return [shown(each) if isinstance(each, str) else _shown(each) for each in values]
