"""Our figures as plotly.js reads them."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.io
from _plotly_utils.utils import to_typed_array_spec  # arrays as base64, as plotly's own figures give them
from plotly.basedatatypes import BaseFigure

from viz_core.figures.figure import Figure


class Ready(BaseFigure):  # type: ignore[misc]  # plotly has no types
    """A figure that Streamlit shows as it is: it has plotly check each value of whatever is no figure of plotly's."""

    def __init__(self, figure: Figure) -> None:
        self._content = plain_values(figure)

    def to_dict(self) -> dict[str, Any]:
        return self._content


def plain_values(figure: Figure) -> dict[str, Any]:
    """The figure in dicts and lists of its own, its arrays as text."""
    return {"data": _encoded(figure.data), "layout": _encoded(figure.layout)}


def to_json(figure: Figure) -> str:
    """The figure as JSON."""
    return str(plotly.io.to_json(plain_values(figure), validate=False))


def _encoded(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _encoded(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_encoded(each) if isinstance(each, dict) else each for each in value]
    return to_typed_array_spec(value) if isinstance(value, np.ndarray) else value
