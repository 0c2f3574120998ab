"""Payloads of plotly figures in all states that the browser may show."""

import base64
import math
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from viz_core.browser.pack import pack
from viz_core.figures.base import spoken_sentences, titles
from viz_core.figures.figure import Figure

Path = tuple[str | int, ...]


def plot_payload(figure: Figure, states: Mapping[tuple[str, ...], Any] = MappingProxyType({}), **about: Any) -> bytes:
    """A figure and its changes with the view.

    Args:
        figure: in its initial state.
        states: for each group of view fields, such as (layer, head), nested lists, one level per field, of figures. Different
            groups must change different properties.
        about: further values, as JSON; arrays as in the figure.
    """
    first = _all_of(figure)
    changing = [{"by": by, "at": _changes(first, at)} for by, at in states.items()]
    return pack({}, {"figure": _encoded(first), "states": changing, **_encoded(about)})


def _all_of(figure: Figure) -> dict[str, Any]:
    """The figure with its description for screen readers."""
    words = {"titles": titles(figure), "says": spoken_sentences(figure)}  # separate, as they may depend on different view fields
    return {"data": figure.data, "layout": figure.layout | {"meta": figure.layout.get("meta", {}) | words}}


def _changes(first: Any, states: Any) -> Any:
    if isinstance(states, Figure):
        return [[*path, _encoded(value)] for path, value in differing(first, _all_of(states))]
    return [_changes(first, state) for state in states]


def differing(before: Any, after: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """The paths at which `after` differs from `before`, with its values there; None where it has none."""
    if before is after:
        return
    if isinstance(before, dict) and isinstance(after, dict):
        for name in {**before, **after}:
            yield from differing(before.get(name), after.get(name), (*path, name))
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        if any(isinstance(item, dict | list) for item in after):
            for at, pair in enumerate(zip(before, after, strict=True)):
                yield from differing(*pair, (*path, at))
            return
        other = [at for at, pair in enumerate(zip(before, after, strict=True)) if not _same(*pair)]
        if other and len(other) == len(after):  # a path for each would be longer
            yield path, after
        else:
            yield from (((*path, at), after[at]) for at in other)
    elif not _same(before, after):
        yield path, after


def _same(before: Any, after: Any) -> bool:
    if before is after:
        return True
    if isinstance(before, np.ndarray) and isinstance(after, np.ndarray):
        return before.dtype == after.dtype and np.array_equal(before, after, equal_nan=before.dtype.kind == "f")
    if isinstance(before, np.ndarray) or isinstance(after, np.ndarray):
        return False
    if isinstance(before, float) and isinstance(after, float) and math.isnan(before):
        return math.isnan(after)
    return bool(before == after)


def _encoded(value: Any) -> Any:
    if isinstance(value, str | int | None):
        return value
    if isinstance(value, dict):
        return {name: _encoded(each) for name, each in value.items()}
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
