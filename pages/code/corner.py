"""A few cells of a recorded tensor, with the labels of its rows and columns."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from pages.code.calls import Call
from viz_core.analysis.next_token import vocabulary_label
from viz_core.app.markup import number
from viz_core.app.page import Page
from viz_core.figures.attention import Floats

ROWS, COLUMNS, TOP_TOKENS = 4, 4, 3
LETTERS = {"Tq": "T_q", "Tk": "T_k", "d_k": "d_k", "Tq or 1": "T_q"}
"""The letters of an axis in formulas, where they differ."""


@dataclass(frozen=True)
class TensorCorner:
    """The part of a tensor that is drawn.

    Attributes:
        columns: the labels of the columns.
        rows: each row's name and cells.
        highlighted: the row of the current step, None in a tensor of the source.
        head: whether it is one head's part.
    """

    columns: list[str]
    rows: list[list[str]]
    highlighted: int | None
    head: bool


def followed(call: Call) -> tuple[str, ...]:
    """The view fields that select the corner of a call's tensor."""
    axes = call.site.axes[1:]
    of_source = call.name.startswith(("source", "encoder"))
    return (*(["head"] if axes[0] == "h" else []), *([] if of_source else ["step"]))


def corner(p: Page, call: Call, most: int, *, head: int = 0, step: int = 0) -> TensorCorner:
    """The rows around the current step, or the source's first rows. Vocabulary columns are those of the most probable tokens."""
    view, axes = p.view, list(call.site.axes[1:])
    whole: Any = view.trace.array(call.name)  # a mask has booleans
    if call.name.endswith(".positions"):
        axes = list(call.site.axes)
    if has_heads := axes[0] in ("h", "1"):
        whole, axes = whole[min(head, len(whole) - 1)], axes[1:]
    by_source = call.name.startswith(("source", "encoder"))
    across = ".cross_attn." in call.name
    source_rows = by_source or (across and axes[0] == "Tk")
    rows = view.source if source_rows else view.target
    same_rows = len(whole) != len(rows)  # a mask that is the same for all queries
    names = [p.text("every_row")] if same_rows else rows
    here = None if source_rows or same_rows else step
    first = min(max((here or 0) - 1, 0), max(len(names) - most, 0))
    columns, labels = _columns(p, step, axes[1], view.source if by_source or across else view.target, whole.shape[1])
    drawn = [[names[i], *(_written(whole[i, j], p) for j in columns)] for i in range(first, min(first + most, len(names)))]
    return TensorCorner(labels, drawn, here - first if here is not None else None, has_heads and call.site.axes[1] == "h")


def _columns(p: Page, step: int, axis: str, keys: list[str], width: int) -> tuple[list[int], list[str]]:
    if axis == "V":
        ids = p.view.explanation.steps[step].top_ids(TOP_TOKENS)
        return ids, [vocabulary_label(p.view.checkpoint.tokenizer, i) for i in ids]
    places = list(range(min(COLUMNS, width)))
    return places, [keys[i] if axis == "Tk" else p.text("dimension", number=i + 1) for i in places]


def _written(value: Any, p: Page) -> str:
    if isinstance(value, np.bool_):
        return p.text("may" if value else "may_not")
    if not np.isfinite(value):
        return "–" if np.isnan(value) else "∞" if value > 0 else "−∞"
    return minus(float(value)) if value else "0"


def minus(value: float) -> str:
    """A number for readers, with a true minus sign."""
    return number(value).replace("-", "−")


def ends(values: Floats) -> tuple[float, float] | None:
    """The smallest and the largest number, apart from −∞; None if any number is NaN or ∞, or if there is none."""
    finite = values[~np.isneginf(values)]
    return (float(finite.min()), float(finite.max())) if finite.size and np.isfinite(finite).all() else None
