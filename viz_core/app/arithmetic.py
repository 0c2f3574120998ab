"""The arithmetic below a figure: a formula, then the same formula with this sentence's numbers, kept up to date by the browser.

Python sends the text, and the browser fills in the numbers on display, from the data of the figure. So the arithmetic changes in
the same frame as the figure, without the server.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from types import MappingProxyType
from typing import Any

from viz_core.app.markup import readable
from viz_core.app.page import Page
from viz_core.browser.pack import pack
from viz_core.texts import fill, texts


@dataclass(frozen=True)
class Section:
    """One text of the arithmetic.

    Attributes:
        name: its CSS class.
        template: the key of its text, which may contain values itself; an unknown key shows nothing.
        heading: the heading above it.
    """

    name: str
    template: str
    heading: str = ""


def arithmetic_section(template: str = "[[text]]") -> Section:
    """The section under the heading of the arithmetic, which lecture mode leaves out."""
    return Section("arithmetic", template, texts("app.frame")["arithmetic"])


def show_arithmetic(
    p: Page,
    templates: Mapping[str, str],
    *,
    sections: Sequence[Section] = (),
    figure: str = "",
    where: Mapping[str, Any] = MappingProxyType({}),
    by: str = "",
    **shared: Any,
) -> None:
    """The arithmetic of everything that the browser can show without another run.

    Args:
        templates: the texts by name; a single one is used without being named.
        sections: the sections from top to bottom; by default only the arithmetic.
        figure: the name under which a figure shares its data (`shared` in its TypeScript), whose `below` gives more values.
        where: fields of that data and their values; the arithmetic waits for a figure that has them.
        by: as for `show_each`.
        shared: values that do not change.
    """
    wanted = sections or [arithmetic_section(next(iter(templates)) if len(templates) == 1 else "[[text]]")]
    payload = pack(
        {},
        {
            "texts": dict(templates),
            "sections": [asdict(section) for section in wanted],
            "shared": _readable(shared),
            "by": by,
            "figure": figure,
            "where": dict(where),
        },
    )
    p.mount_below("arithmetic", payload)


def show_each(p: Page, by: str, text: str, values: Iterable[Mapping[str, Any]]) -> None:
    """The arithmetic whose numbers no figure has: the whole text for each value of one field of the view; past the end the last.

    Args:
        by: the field, such as `layer`.
        text: its key.   values: of the text, for each value of the field.
    """
    written = {str(index): fill(p.texts[text], _readable(row)) for index, row in enumerate(values)}
    show_arithmetic(p, written, sections=[arithmetic_section("[[at]]")], by=by)


def vectors_arithmetic(
    p: Page, text: str, file: str, written: Sequence[int | None], *, names: Sequence[str] = (), between: str = r",\ ", **shared: Any
) -> None:
    """The arithmetic of the focused token's vectors, for which the browser takes the numbers of the figure above.

    Args:
        text: the key of the text. It may have [[at]], [[row]], [[token]], [[place]] (the token without its number); of a matrix
            [[values]], [[id]], [[ends]], [[tokens]] and [[numbers]], or of its products [[value]] and [[formula]]; of a table each
            vector by its name, its first number ([[…_first]]) and its length ([[…_length]]).
        file: the name of the figure's file.   written: the dimensions that are written out, None for a gap.
        names: of a table's vectors; of a matrix none.
        shared: values that no token changes; `size`, that of the vectors.
    """
    words = {"text": p.texts[text], "heading": texts("app.frame")["arithmetic"]}
    about = {"file": file, "names": names, "dims": written, "between": between, "shared": _readable(shared)}
    p.mount_below("vectors_arithmetic", pack({}, {**about, "texts": words}))


def _readable(values: Any) -> Any:
    """The values as they are written in a text."""
    if isinstance(values, Mapping):
        return {name: readable(value) for name, value in values.items()}
    return [readable(value) if isinstance(value, str) else _readable(value) for value in values]
