"""A control as the browser draws it (`viz_core/browser/control/`): a value and its options as they stand in an address."""

from collections.abc import Callable, Mapping
from typing import Any, Literal

from viz_core.app import session
from viz_core.app.components import connect
from viz_core.texts import texts

Kind = Literal["buttons", "list", "slider", "number", "line", "several"]


def draw_control(
    kind: Kind, key: str, value: str, label: str, hear: Callable[[str], None], options: Mapping[str, str] | None = None,
    *, width: Any = "stretch", labelled: bool = True, hint: str = "", **more: Any,
) -> None:  # fmt: skip
    """Draws it where a page is, and calls `hear` with what a reader picks: any text, since any browser may send it.

    Args:
        key: tells it from all others on the page.
        options: each with its words; a slider with options stops at each of them.
        labelled: False where the label is for screen readers only.
        hint: stands in a line that is empty.
        more: `low`, `high` and `step` of a number, `help`, the `most` of several.
    """
    data = {
        "name": key, "kind": kind, "value": value, "label": label, "labelled": labelled, "options": list((options or {}).items()),
        "hint": hint, "texts": texts("app.frame")["control"],
    }  # fmt: skip

    def heard(_: str, message: Any) -> None:
        if isinstance(message, str):
            hear(message[: session.LONGEST])

    connect("control", data | more, ("pick",), heard, key=f"_part_control_{key}", width=width)
