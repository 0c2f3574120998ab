"""The controls of a page, each declared once in its `controls.py`: its name, which stands in links and talks, and its values.

    SIZE = Number("size", 1, 10, 4, width=130)   # pages/decoding/controls.py
    size = SIZE.draw(p)                          # pages/decoding/beam.py

One that is touched in the figure is drawn `with in_figure():`, which shows nothing; one that is seldom used stands `with more(p):`.
The browser shows them (`viz_core/browser/control/`) and asks for the address with what is picked.

What a declaration can't know, because it depends on the sentence, is given to `draw`. The words are those of the page's texts: the
label under the control's name, an option's under the option's. A value of a link that a control can't have becomes the nearest, and
the page says so.
"""

import functools
import importlib
from collections.abc import Mapping
from typing import Any

from viz_core.app.controls.pick import in_figure, more, pick, picked
from viz_core.app.controls.shown import draw_link, link
from viz_core.params import Choice, Param

__all__ = ["declared", "draw_link", "in_figure", "link", "more", "pick", "picked", "walks_source"]


def declared(page: str) -> dict[str, Param[Any]]:
    """The controls of a page by name, as its `controls.py` declares them."""
    return {each.name: each for each in _module(page).values() if isinstance(each, Param)}


def walks_source(page: str) -> bool:
    """Whether ← and → walk along the tokens of the source there, as one of its controls says, or its `controls.py`."""
    choices = (control for control in declared(page).values() if isinstance(control, Choice))
    return _module(page).get("walks_source", lambda: any(picked(each) in each.walks for each in choices))()


@functools.cache
def _module(page: str) -> Mapping[str, Any]:
    """What stands in a page's `controls.py`; nothing where it has none."""
    try:
        return vars(importlib.import_module(f"pages.{page}.controls"))
    except ModuleNotFoundError as error:
        if error.name != f"pages.{page}.controls":
            raise
        return {}
