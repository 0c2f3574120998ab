"""Data by address: the same as what the page draws, for declared parameters alone, and a sentence where there is none."""

from __future__ import annotations

import random
from urllib.parse import urlencode

import pytest
import streamlit as st
from starlette.applications import Starlette
from starlette.testclient import TestClient

from viz_core.app import models
from viz_core.app.answers import Sentence, route
from viz_core.app.cache import get_explanation
from viz_core.app.data_views import overview, views
from viz_core.edits import Edits
from viz_core.texts import texts_in

TEXT = "The otter paints </script> a map & leaves?"


@pytest.fixture
def client() -> TestClient:
    return TestClient(Starlette(routes=[route()]), raise_server_exceptions=True)


@pytest.mark.parametrize("base", ["", "viz"])
def test_an_address_gives_what_the_function_gives(client: TestClient, base: str) -> None:
    before = st.get_option("server.baseUrlPath")
    st.config.set_option("server.baseUrlPath", base)
    try:
        client = TestClient(Starlette(routes=[route()]))
        checkpoint, edits = models.get_checkpoint("en-de"), Edits(no_scale=True)
        explanation = get_explanation(checkpoint, TEXT, "Ein Otter", edits)
        got = client.get(Sentence("en-de", TEXT, "Ein Otter", edits).address("overview", checkpoint.digest))
        assert (got.status_code, got.content) == (200, overview(checkpoint, explanation))
        again = client.get(str(got.url), headers={"If-None-Match": got.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
    finally:
        st.config.set_option("server.baseUrlPath", before)


@pytest.mark.parametrize(
    ("view", "asked", "status", "why"),
    [
        ("overview", {"model": "../en-de", "text": "Hi."}, 404, "no_model"),
        ("overview", {"model": "en-de@7", "text": "Hi."}, 404, "no_model"),
        ("os.system", {"model": "en-de", "text": "Hi."}, 404, "no_view"),
        ("overview", {"model": "en-de", "text": "Hi.", "layer": "1"}, 400, "unknown"),
        ("overview", {"model": "en-de", "text": "Hi.", "edits": "no_such_edit"}, 400, "edits"),
    ],
)
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_what_means_nothing_is_told_in_the_readers_language(
    client: TestClient, view: str, asked: dict[str, str], status: int, why: str, lang: str
) -> None:
    got = client.get(f"/data/{view}", params=asked | {"lang": lang})
    start = texts_in("app.answers", lang)[why].split("[[")[0]
    assert (got.status_code, got.headers["cache-control"]) == (status, "no-store")
    assert got.json()["error"].startswith(start), got.text


def test_a_hundred_odd_addresses_are_answered_or_refused(client: TestClient) -> None:
    """Never a traceback, which the client would raise."""
    chance = random.Random(40)
    odd = ["", " ", "\0", "-1", "0", "9" * 400, "NaN", "../..", "</script>", "🐈", "en-de", "[[view]]", "é" * 3000, "a=1&a=2"]
    names = ["model", "text", "target", "edits", "lang", "of", "layer", "self", "__class__"]
    for _ in range(100):
        asked = [(chance.choice(names), chance.choice(odd)) for _ in range(chance.randint(0, 6))]
        got = client.get(f"/data/{chance.choice([*views(), 'x', '%2e%2e%2f', '__init__'])}?{urlencode(asked)}")
        assert got.status_code in (200, 400, 404), got.url
        assert got.status_code == 200 or len(got.content) < 2000
