"""The views that the browser may ask for by address, see `answers.py`; those of one page stand in its `data.py`."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable, Mapping

from viz_core.browser.inside_payload import inside_payload
from viz_core.browser.overview_payload import overview_payload
from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation
from viz_core.texts import PAGES

View = Callable[..., bytes]


def overview(checkpoint: Checkpoint, explanation: Explanation) -> bytes:
    """The flow while no block is open."""
    return overview_payload(explanation, checkpoint.tokenizer, "inside")


def inside(checkpoint: Checkpoint, explanation: Explanation) -> bytes:
    """What an open block shows beside it."""
    return inside_payload(explanation)


@functools.cache
def views() -> Mapping[str, View]:
    """All of them by name."""
    own = [importlib.import_module(f"pages.{file.parent.name}.data").VIEWS for file in sorted(PAGES.glob("*/data.py"))]
    return {view.__name__: view for views in ((overview, inside), *own) for view in views}
