"""What the browser shows of a view of the page on heads at one step, layer and head, out of what it is sent of all."""

from __future__ import annotations

from typing import Any

import numpy as np
from streamlit.testing.v1 import AppTest

from tests.payloads import unpacked
from tests.plots import arrays, payloads, state_of
from viz_core.app.view_options import WALKED
from viz_core.figures.attention import Floats
from viz_core.texts import fill


def sent(app: AppTest, part: str) -> dict[str, Any]:
    """What one browser-side part of the page is sent."""
    (payload,) = payloads(app, part)
    return unpacked(payload)[1]


def place_of(app: AppTest, place: dict[str, int]) -> dict[str, int]:
    """Where the browser is: where the link has led, but for what is named."""
    return {name: getattr(app.session_state["_view"], name) for name in WALKED} | place


def values(app: AppTest, **place: int) -> dict[str, str]:
    """What stands in the texts below the figure."""
    about, found = sent(app, "arithmetic"), dict[str, str]()
    for part in [{"by": [], "at": about["shared"]}, *about["parts"]]:
        found |= state_of(part, place_of(app, place))
    return found


def said(app: AppTest, **place: int) -> str:
    """The texts below the figure."""
    about, known = sent(app, "arithmetic"), values(app, **place)
    keys = [fill(section["template"], known) for section in about["sections"]]
    text = "\n".join(fill(about["texts"][key], known) for key in keys if key in about["texts"])
    assert "[[" not in text
    return text


def scaled(app: AppTest, **place: int) -> list[Floats]:
    """The values of every map."""
    at = place_of(app, place)
    found = []
    for panel in sent(app, "plot")["maps"]["panels"]:
        numbers = np.array(arrays(panel["values"]), dtype=float)
        found.append(numbers[tuple(min(at[name], length - 1) for name, length in zip(panel["by"], numbers.shape, strict=False))])
    return found


def cell(app: AppTest, **place: int) -> tuple[int, int]:
    """The cell with a frame, as `viz_core/browser/plot/maps.js` finds it."""
    at, told = place_of(app, place), sent(app, "plot")["maps"]["cell"]
    if told["cell"] and told["step"] in (None, at["step"]):
        return tuple(told["cell"])
    row = at["step"] if told["row"] else 0
    return row, int(np.nan_to_num(scaled(app, **place)[0][row]).argmax())
