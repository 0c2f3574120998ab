"""What Python sends of a page is the same wherever the keys lead, so that a key asks the server for nothing; but for a few views,
which say what they follow. A session keeps the address of what it looks at, not the numbers.
"""

import gc
import json
import weakref
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl

import pytest
from streamlit.testing.v1 import AppTest

from tests.golden.numbers import VIEWS
from tests.pages.test_all_pages import FILES, NAMES, opened, visited
from viz_core import checkpoint as checkpoints
from viz_core.app import cache, models
from viz_core.explain import Explanation

FOLLOWING: Mapping[tuple[str, str], set[str]] = {
    ("training", "loss"): {"step"},
    ("training", "gradient"): {"step", "layer", "head"},
    ("training", "snapshots"): {"step"},
    ("why", "source_words"): {"step"},  # until integrated gradients are there for all steps
}
PLACES = {"step": "2", "layer": "1", "head": "1", "token": "1"}, {"step": "4", "layer": "2", "head": "3", "token": "3"}
MODEL = "en-de-tiny"
AROUND = ("viz_core_player", "viz_core_address", "viz_core_top_bar", "viz_core_share")
"""Parts that say where the page is."""


def sent(app: AppTest) -> list[Any]:
    """Payloads, words and HTML."""
    parts = [each.proto for each in app.get("bidi_component") if each.proto.component_name not in AROUND]
    words = [each.value for each in app.markdown] + [each.proto.body for each in app.get("html")]
    return [*((each.component_name, each.bytes or each.json) for each in parts), *words]


def followed(app: AppTest) -> set[str]:
    """What changes ask for a run, as the browser is told."""
    [said] = [each.proto.json for each in app.get("bidi_component") if each.proto.component_name == "viz_core_address"]
    return {*json.loads(said)[0]["follows"]} - {"lecture"}


@pytest.mark.parametrize("page", VIEWS)
def test_what_python_sends_is_the_same_at_each_place_or_follows_it(page: str) -> None:
    app = opened(f"{page}/page.py", model=MODEL, **PLACES[0])
    for view in VIEWS[page]:
        asked = dict(parse_qsl(view))
        first, second = (sent(visited(app, **{"model": MODEL} | asked | place)) for place in PLACES)
        follows = followed(app)
        assert follows <= FOLLOWING.get((page, asked.get("show", "")), set()), view
        assert follows or first == second, view


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
