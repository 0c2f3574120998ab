"""A session keeps the address of what it looks at, not the numbers: they go with the caches, and come back when they are needed."""

from __future__ import annotations

import gc
import weakref

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.test_all_pages import FILES, NAMES, ROOT, opened
from viz_core.app import cache
from viz_core.explain import Explanation


@pytest.fixture(autouse=True)
def _in_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def forget() -> None:
    """As if other sessions had looked at many other sentences."""
    cache.sentences.clear()
    cache.results.clear()
    gc.collect()


def shown(app: AppTest) -> Explanation:
    found: Explanation = app.session_state["_view"].explanation
    return found


@pytest.mark.parametrize("page", FILES, ids=NAMES)
def test_no_session_keeps_a_sentence_alive(page: str) -> None:
    sentence = f"My aunt has never seen {NAMES[FILES.index(page)]} umbrellas."
    app = opened(page, text=sentence, model="en-de-small")
    first = weakref.ref(shown(app))
    assert first() is not None
    forget()
    assert first() is None
    assert shown(app).source.text == sentence
    app.run()
    assert not app.exception
