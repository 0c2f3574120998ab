"""The arithmetic below a figure: a formula, then the same with this sentence's numbers, which the browser follows by itself.

Python writes the numbers of all steps, layers, tokens … at once; the browser puts those in their places that are looked at. So the
arithmetic changes in the frame in which the figure does, and the server hears nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from viz_core.app.markup import shown
from viz_core.app.page import Page
from viz_core.browser.pack import pack
from viz_core.texts import texts


@dataclass(frozen=True)
class Varying:
    """Values of the texts that change with what the browser shows.

    Attributes:
        by: names of the view, such as `layer`, `token`.
        at: for each of them a list, one inside the other, and in the innermost the values; beyond its end the last of them hold.
    """

    by: tuple[str, ...]
    at: Any


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
    sections: Sequence[Section] = (),
    **shared: Any,
) -> None:
    """The arithmetic of all that the browser may show without another run.

    Args:
        templates: the texts that are shown, by name; with one of them, it need not be named.
        parts: values that change, each laid over those before.
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
        },
    )
    p.mount_below("arithmetic", payload)


def _shown(values: Any) -> Any:
    """The same with each value as it is put into a text."""
    if isinstance(values, Mapping):
        return {name: shown(value) for name, value in values.items()}
    return [_shown(each) for each in values]
