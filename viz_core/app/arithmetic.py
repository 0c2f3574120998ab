"""The arithmetic below a figure: a formula, then the same formula with this sentence's numbers, kept up to date by the browser.

Python sends the numbers of all steps, layers, tokens … at once, and the browser fills in those on display. So the arithmetic
changes in the same frame as the figure, without the server. Mostly a figure gives them itself, from its own data.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from types import MappingProxyType
from typing import Any

from viz_core.app.markup import readable
from viz_core.app.page import Page
from viz_core.browser.pack import pack
from viz_core.texts import texts


@dataclass(frozen=True)
class PerState:
    """Values of the texts that depend on what the browser shows.

    Attributes:
        by: the fields of the view that they depend on, such as `layer` or `token`; or `row` or `column` of the picked cell.
        at: nested lists, one level for each field, with the values in the innermost; past the end of a list its last entry holds.
    """

    by: tuple[str, ...]
    at: Any


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
    *parts: PerState,
    sections: Sequence[Section] = (),
    figure: str = "",
    where: Mapping[str, Any] = MappingProxyType({}),
    **shared: Any,
) -> None:
    """The arithmetic of everything that the browser can show without another run.

    Args:
        templates: the texts by name; a single one is used without being named.
        parts: values that change; later parts override earlier ones.
        sections: the sections from top to bottom; by default only the arithmetic.
        figure: the name under which a figure shares its data (`shared` in its TypeScript), whose `below` gives more values.
        where: fields of that data and their values; the arithmetic waits for a figure that has them.
        shared: values that do not change.
    """
    wanted = sections or [arithmetic_section(next(iter(templates)) if len(templates) == 1 else "[[text]]")]
    payload = pack(
        {},
        {
            "texts": dict(templates),
            "sections": [asdict(section) for section in wanted],
            "shared": _readable(shared),
            "parts": [{"by": part.by, "at": _readable(part.at)} for part in parts],
            "figure": figure,
            "where": dict(where),
        },
    )
    p.mount_below("arithmetic", payload)


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
