"""The controls of a page, each declared once in its `controls.py`: its name, which stands in links and talks, and its values.

    SIZE = Number("size", 1, 10, 4, width=130)   # pages/decoding/controls.py
    size = SIZE.draw(p)                          # pages/decoding/beam.py

What a declaration can't know, because it depends on the sentence, is given to `draw`. The words are those of the page's texts: the
label under the control's name, an option's under the option's. A value of a link that a control can't have becomes the nearest, and
the page says so.
"""

from __future__ import annotations

import functools
import importlib

from viz_core.app.controls.control import Control
from viz_core.app.controls.lists import CELL, Item, Items, OneOf
from viz_core.app.controls.widgets import Choice, Number, Slider, Suggestion, Text

__all__ = ["CELL", "Choice", "Item", "Items", "Number", "OneOf", "Slider", "Suggestion", "Text", "declared", "sync"]


@functools.cache
def declared(page: str) -> dict[str, Control]:
    """The controls of a page by name, as its `controls.py` declares them."""
    try:
        module = importlib.import_module(f"pages.{page}.controls")
    except ModuleNotFoundError as error:
        if error.name != f"pages.{page}.controls":
            raise
        return {}
    return {each.name: each for each in vars(module).values() if isinstance(each, Control)}


def sync(page: str) -> None:
    """At the start of a run, before anything is drawn: a page's `controls.py` may move one control along with another."""
    if declared(page):
        getattr(importlib.import_module(f"pages.{page}.controls"), "sync", lambda: None)()
