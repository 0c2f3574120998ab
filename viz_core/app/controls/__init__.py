"""The controls of a page, each declared once in its `controls.py`, with its name, as used in links and talks, and its values.

    SIZE = Number("size", 1, 10, 4, width=130)   # pages/decoding/controls.py
    size = SIZE.draw(p)                          # pages/decoding/beam.py

Draw a control that the figure sets `with in_figure():`, which shows nothing, and a rarely used one `with more(p):`. The
browser shows the controls (`viz_core/browser/control/`) and asks for an address with the picked value.

Values that depend on the sentence are passed to `draw`. The words come from the page's texts: the label under the control's name,
an option's words under the option's name. An invalid value in a link becomes the nearest valid one, and the page says so.
"""

import functools
import importlib
from collections.abc import Mapping
from typing import Any

from viz_core.app.controls.pick import in_figure, more, pick, picked
from viz_core.app.controls.shown import draw_link
from viz_core.params import Choice, Param

__all__ = ["declared", "draw_link", "in_figure", "more", "pick", "picked", "walks_source"]


def declared(page: str) -> dict[str, Param[Any]]:
    """The controls of a page by name, as its `controls.py` declares them."""
    return {value.name: value for value in _module(page).values() if isinstance(value, Param)}


def walks_source(page: str) -> bool:
    """Whether ← and → walk along the source tokens on this page, as one of its controls or its `controls.py` decides."""
    choices = (control for control in declared(page).values() if isinstance(control, Choice))
    return _module(page).get("walks_source", lambda: any(picked(choice) in choice.walks for choice in choices))()


@functools.cache
def _module(page: str) -> Mapping[str, Any]:
    """The names in a page's `controls.py`; none if it has no such file."""
    try:
        return vars(importlib.import_module(f"pages.{page}.controls"))
    except ModuleNotFoundError as error:
        if error.name != f"pages.{page}.controls":
            raise
        return {}
