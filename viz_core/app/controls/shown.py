"""A control or a link as the browser draws it (`viz_core/browser/control/`): its value and options in the form of an address."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from viz_core.app.components import connect
from viz_core.params import Number

Kind = Literal["buttons", "list", "slider", "number", "line", "several"]


def draw_control(
    kind: Kind, name: str, value: str, label: str, options: Mapping[str, str] | None = None,
    *, width: Any = "stretch", labelled: bool = True, hint: str = "", **more: Any,
) -> None:  # fmt: skip
    """Draws a control at this point of the page. The value that a reader picks goes into the address under this name.

    Args:
        options: option → its words; a slider with options stops at each of them.
        labelled: False if the label is for screen readers only.
        hint: shown in an empty line.
        more: `low`, `high` and `step` of a number, `help`, the `most` of several, `resets`: the parameters that go.
    """
    data: dict[str, Any] = {
        "name": name, "kind": kind, "value": value, "label": label, "labelled": labelled, "options": list((options or {}).items()),
        "hint": hint,
    }  # fmt: skip
    connect("control", data | more, key=f"_part_control_{name}", width=width)


def draw_link(
    label: str, name: str, changes: Mapping[str, object], page: str = "", *,
    each: tuple[Sequence[str], Sequence[Any]] | None = None, main: bool = False, disabled: bool = False, help: str = "",
    icon: str = "", up: bool = False, counts: Number | None = None,
) -> None:  # fmt: skip
    """A button that leads to a page with the current address, except for these changes (`viz_core/browser/link/`).

    Args:
        name: a unique one.
        changes: in the form of an address; None removes a parameter.
        page: "" for this one.
        each: names of the view, such as `layer`, and further changes for each of its states, nested.
        main: whether it is the primary button.
        icon: of Material Symbols.
        up: whether the change shows further up on the page.
        counts: a parameter of which the link takes the next number, after the greatest one the least.
    """
    data: dict[str, Any] = {
        "label": label, "name": name, "page": page, "each": each or ([], {}), "main": main, "disabled": disabled, "help": help,
        "icon": icon, "up": up, "asks": {name: None if value is None else str(value) for name, value in changes.items()},
        "counts": counts and (counts.name, counts.low, counts.high, counts.default),
    }  # fmt: skip
    connect("link", data, key=f"_part_control_link_{name}", in_page=True, width="content")
