"""The first run of a server: a message while the model loads.

Nothing here may import the model, which is what takes the time.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from html import escape

import streamlit as st

from viz_core.texts import texts

_loaded: set[bool] = set()
"""Not empty once a run of this server has finished loading."""


@contextmanager
def first_run() -> Iterator[None]:
    """For the loading that only the first run of a server waits for."""
    # The placeholder is there in every run: otherwise all elements after it would shift, and parts that shift are mounted again.
    place = st.empty()
    if _loaded:
        yield
        return
    place.html(f"<p role=status>{escape(texts('app.frame')['loading'])}</p>")
    yield
    place.empty()
    _loaded.add(True)
