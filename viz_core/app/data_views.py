"""The views that the browser may request by address (see `answers.py`); those of the pages are listed in `pages/views.py`."""

import functools
import importlib
from collections.abc import Callable, Mapping
from typing import Literal

from viz_core.app.answers import Right
from viz_core.app.sides import Pair, changes, on_left_output, sides
from viz_core.browser.attention_payload import attention_payload, side_by_side_payload
from viz_core.browser.inside_payload import inside_payload
from viz_core.browser.output_payload import comparison_payload
from viz_core.browser.overview_payload import overview_payload
from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation
from viz_core.trace import Kind

View = Callable[..., bytes]
Answer = Literal["yes", "no"]


def overview(checkpoint: Checkpoint, explanation: Explanation) -> bytes:
    """The flow while no block is open."""
    return overview_payload(explanation, checkpoint.tokenizer, "inside")


def inside(checkpoint: Checkpoint, explanation: Explanation) -> bytes:
    """The panel beside an open block."""
    return inside_payload(explanation)


def attention_view(checkpoint: Checkpoint, explanation: Explanation, kind: Kind) -> bytes:
    """One attention, stage by stage."""
    return attention_payload(explanation, kind, first=True)


def comparison(checkpoint: Checkpoint, explanation: Explanation, pair: Pair, right: Right, same: Answer) -> bytes:
    """Both outputs, step by step.

    Args:
        same: whether both are scored on the left output.
    """
    two = sides(pair, checkpoint, explanation, right)
    return comparison_payload(*two, changes(*two) if same == "yes" else None)


def side_by_side(
    checkpoint: Checkpoint, explanation: Explanation, pair: Pair, right: Right, same: Answer, kind: Kind, difference: Answer,
    alone: Answer,
) -> bytes:  # fmt: skip
    """The same attention of both sides, or right − left.

    Args:
        same: whether the right side reads the left output.   alone: as for `side_by_side_payload`.
    """
    left, other = sides(pair, checkpoint, explanation, right)
    both = left, on_left_output(left, other) if same == "yes" else other
    two = [(side.name, attention_payload(side.explanation, kind)) for side in both]
    return side_by_side_payload(*two, difference=difference == "yes", alone=alone == "yes")


@functools.cache
def views() -> Mapping[str, View]:
    """All views by name."""
    ours = overview, inside, attention_view, comparison, side_by_side
    return {view.__name__: view for view in (*ours, *importlib.import_module("pages.views").VIEWS)}
