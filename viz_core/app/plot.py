"""Our figures as plotly.js draws them, each in all states that the browser may show."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from _plotly_utils.utils import to_typed_array_spec  # arrays as base64, as plotly's own figures give them

from viz_core.browser.pack import pack
from viz_core.figures.base import said, titles
from viz_core.figures.figure import Figure

Path = tuple[str | int, ...]


@dataclass(frozen=True)
class States:
    """One figure in all states of some names of the view.

    Attributes:
        by: names of the view, such as `layer`, `head`.
        at: for each of them a list, one inside the other, and in the innermost the figures.
    """

    by: tuple[str, ...]
    at: Any


def plot_payload(figure: Figure, states: Sequence[States], **about: Any) -> bytes:
    """A figure and what of it changes with the view.

    Args:
        figure: in the first state of everything.
        states: what changes with one group of names must be other properties than what changes with another.
        about: further values, as JSON.
    """
    first = _described(figure)
    changing = [{"by": each.by, "at": _changes(first, each.at)} for each in states]
    return pack({}, {"figure": first, "states": changing, **about})


def plain_values(figure: Figure) -> dict[str, Any]:
    """The figure in dicts and lists of its own, as JSON has them, its arrays as text."""
    return {"data": _encoded(figure.data), "layout": _encoded(figure.layout)}


def _described(figure: Figure) -> dict[str, Any]:
    values = plain_values(figure)
    values["layout"]["meta"] = {"titles": titles(figure), "says": said(figure)}  # apart, as they may change with different names
    return values


def _changes(first: Any, states: Any) -> Any:
    if isinstance(states, Figure):
        return [[*path, value] for path, value in differing(first, _described(states))]
    return [_changes(first, each) for each in states]


def differing(before: Any, after: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Where `after` is another than `before`, and what it has there; None, where it has nothing, is the default to plotly."""
    if isinstance(before, dict) and isinstance(after, dict):
        for name in {**before, **after}:
            yield from differing(before.get(name), after.get(name), (*path, name))
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for at, pair in enumerate(zip(before, after, strict=True)):
            yield from differing(*pair, (*path, at))
    elif before != after:
        yield path, after


def _encoded(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _encoded(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_encoded(each) for each in value]
    if isinstance(value, np.ndarray):
        return to_typed_array_spec(value) if value.dtype.kind in "fiu" else _encoded(value.tolist())
    if isinstance(value, np.generic):
        value = value.item()
    return None if isinstance(value, float) and not math.isfinite(value) else value
