"""The first run of a server: something to read while the model is loaded.

Nothing here may import the model: that is what takes the time.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from html import escape

import streamlit as st

from viz_core.texts import texts

_loaded: set[bool] = set()
"""Not empty once a run of this server has ended what only the first has to wait for."""


@contextmanager
def first_run() -> Iterator[None]:
    """Around what only the first run of a server has to wait for."""
    # The place is there in every run: without it all that follows would move by one, and a part that moves is mounted anew.
    place = st.empty()
    if _loaded:
        yield
        return
    place.html(f"<p role=status>{escape(texts('app.frame')['loading'])}</p>")
    yield
    place.empty()
    _loaded.add(True)
