"""A session keeps the address of what it looks at, not the numbers: they go with the caches, and come back when they are needed."""

import gc
import weakref

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.test_all_pages import FILES, NAMES, opened
from viz_core import checkpoint as checkpoints
from viz_core.app import cache, models
from viz_core.explain import Explanation

OF_FOLDERS = (checkpoints.verify, models._usable)
"""What these find has to do with no sentence, and takes longest."""


def forget() -> None:
    """As if other sessions had looked at many other sentences."""
    cache.sentences.clear()
    for key in [key for key in cache.results if key.function not in OF_FOLDERS]:
        del cache.results[key]
    gc.collect()


def shown(app: AppTest) -> Explanation:
    found: Explanation = app.session_state["_view"].explanation
    return found


@pytest.mark.parametrize("page", FILES, ids=NAMES)
def test_no_session_keeps_a_sentence_alive(page: str) -> None:
    gc.freeze()  # what other tests have left takes long to look through
    sentence = f"My aunt has never seen {NAMES[FILES.index(page)]} umbrellas."
    app = opened(page, text=sentence, model="en-de-small")
    first = weakref.ref(shown(app))
    assert first() is not None
    forget()
    assert first() is None
    assert shown(app).source.text == sentence
