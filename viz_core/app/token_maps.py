"""Heat maps of queries × keys with one framed cell: one map, or two side by side, for any layer and head."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from viz_core.app.page import Page
from viz_core.browser.pack import EXACT, compact, pack
from viz_core.explain import Explanation
from viz_core.figures.attention import Floats
from viz_core.texts import texts, visible
from viz_core.trace import Kind


@dataclass(frozen=True, eq=False)
class Stack:
    """Numbers of all layers, or of all heads of all layers.

    Attributes:
        by: `layer`, or `layer` and `head`, or nothing.
        values: (…, n, m), with one leading axis for each name in `by`.
    """

    by: tuple[str, ...]
    values: Floats


Numbers = Mapping[str, Stack]


def token_maps_payload(explanation: Explanation, kind: Kind, numbers: Numbers, **about: Any) -> bytes:
    """Tensors: the numbers by name, as computed if they are few, else float32 or `compact`.

    About: what the page's own figure needs, and `cell`, the framed one, if none can be picked.
    """
    height, width = next(iter(numbers.values())).values.shape[-2:]
    queries, keys = ([visible(label) for label in side.labels] for side in explanation.sides(kind))
    writes = None if kind == "self" else [visible(token.label) for token in explanation.output]
    by = {name: stack.by for name, stack in numbers.items()}
    arrays = {name: stack.values for name, stack in numbers.items()}
    tensors = {name: array if array.nbytes <= EXACT else compact(array.astype(np.float32)) for name, array in arrays.items()}
    return pack(tensors, {"kind": kind, "queries": queries[:height], "keys": keys[:width], "writes": writes, "by": by, **about})


def say_clickable(p: Page) -> None:
    """Says that a click picks a cell."""
    with p.controls():
        p.write_text(texts("app.frame")["click_cell"], "click_cell")
