"""Payloads of plotly figures."""

import base64
import math
from typing import Any

import numpy as np
import numpy.typing as npt

from viz_core.browser.pack import pack
from viz_core.figures.base import spoken_sentences, titles
from viz_core.figures.figure import Figure


def plot_payload(figure: Figure, **about: Any) -> bytes:
    """A figure with its description for screen readers. about: further values, as JSON."""
    words = {"titles": titles(figure), "says": spoken_sentences(figure)}
    layout = figure.layout | {"meta": figure.layout.get("meta", {}) | words}
    return pack({}, {"figure": _encoded({"data": figure.data, "layout": layout}), **_encoded(about)})


def _encoded(value: Any) -> Any:
    if isinstance(value, str | int | None):
        return value
    if isinstance(value, dict):
        return {name: _encoded(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_encoded(item) for item in value]
    if isinstance(value, np.ndarray):
        return _array(value)
    if isinstance(value, np.generic):
        value = value.item()
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _array(array: npt.NDArray[Any]) -> Any:
    """An array for plotly.js: bytes as text with type and shape; lists for other types."""
    if array.dtype.kind not in "fiu" or not array.size:
        return _encoded(array.tolist())
    if array.dtype.itemsize == 8 and array.dtype.kind in "iu":  # JavaScript lacks these
        array = array.astype(np.int32) if array.min() >= -(2**31) and array.max() < 2**31 else array.astype(np.float64)
    shape = {"shape": ", ".join(map(str, array.shape))} if array.ndim > 1 else {}
    return {"dtype": array.dtype.str[1:], "bdata": base64.b64encode(array.tobytes()).decode(), **shape}
