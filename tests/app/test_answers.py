"""Data by address: the same as what the page draws, for declared parameters alone, and a sentence where there is none."""

import random
from urllib.parse import urlencode

import anyio
import pytest
import streamlit as st
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.testclient import TestClient

from viz_core.app import answers, models
from viz_core.app.answers import Refused, Sentence, answer, declared, route
from viz_core.app.cache import get_explanation
from viz_core.app.data_views import overview, views
from viz_core.edits import Edits
from viz_core.texts import texts_in

BEAM = {"model": "en-de", "text": "Hi.", "size": "4", "alpha": "0.6", "n_best": "3", "early": "on"}
WAVES = {"model": "en-de", "text": "Hi.", "side": "source", "reach": "all", "dims": "0-1"}
HEAD = {"model": "en-de", "kind": "cross", "role": "k", "layer": "0", "head": "0"}
PAIR = {"model": "en-de", "text": "Hi.", "pair": "models", "same": "no", "right_model": "en-de-small", "right_text": "Hi."}
"""Addresses that are answered."""
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
        got = client.get(Sentence("en-de", TEXT, "Ein Otter", edits).address(overview, checkpoint.digest))
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
        ("lookup", {"model": "en-de", "text": "Hi."}, 400, "none_of"),
        ("lookup", {"model": "en-de", "text": "Hi.", "side": "</script>"}, 400, "none_of"),
        ("beam_tree", BEAM | {"size": "11"}, 400, "beyond"),
        ("beam_tree", BEAM | {"size": "4.0"}, 400, "beyond"),
        ("beam_tree", BEAM | {"alpha": "nan"}, 400, "beyond"),
        ("beam_tree", BEAM | {"alpha": "-1"}, 400, "beyond"),
        ("waves", WAVES | {"dims": ""}, 400, "beyond"),
        ("waves", WAVES | {"dims": "1-x"}, 400, "beyond"),
        ("waves", WAVES | {"dims": "256"}, 400, "beyond"),
        ("waves", WAVES | {"dims": "-".join(["1"] * 40)}, 400, "beyond"),
        ("position_products", WAVES | {"dims": None, "other": "99999"}, 400, "beyond"),
        ("residual_stream", {"model": "en-de", "text": "Hi.", "stack": "encoder", "block": "cross_attn"}, 400, "none_of"),
        ("projection_weights", HEAD | {"head": "8"}, 400, "beyond"),
        ("projection_weights", HEAD | {"text": "Hi."}, 400, "unknown"),
        ("norm_weighted_maps", HEAD | {"role": None, "text": "Hi.", "which": "this_head"}, 400, "unknown"),
        ("through_layers", {"model": "en-de", "text": "Hi. " * 20, "kind": "self", "by": "max_flow"}, 404, "lacking"),
        ("comparison", PAIR | {"right_model": "/etc/passwd"}, 404, "no_model"),
        ("comparison", PAIR | {"right_edits": "x"}, 400, "edits"),
        ("comparison", PAIR | {"right_of": "x"}, 400, "unknown"),
    ],
)
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_what_means_nothing_is_told_in_the_readers_language(
    client: TestClient, view: str, asked: dict[str, str | None], status: int, why: str, lang: str
) -> None:
    got = client.get(f"/data/{view}", params={name: value for name, value in asked.items() if value is not None} | {"lang": lang})
    start = texts_in("app.answers", lang)[why].split("[[")[0]
    assert (got.status_code, got.headers["cache-control"]) == (status, "no-store")
    assert got.json()["error"].startswith(start), got.text


def test_a_hundred_odd_addresses_are_answered_or_refused(client: TestClient) -> None:
    chance = random.Random(40)
    odd = ["", " ", "\0", "-1", "0", "9" * 400, "NaN", "../..", "</script>", "🐈", "en-de", "[[view]]", "é" * 3000, "a=1&a=2"]
    odd += ["cross", "q", "source", "decoder", "sentence", "on", "1e309", "0-1-2", "x" * 40_000]
    names = ["model", "text", "target", "edits", "lang", "of", "right_model", "right_text", "self", "__class__"]
    for at in range(150):
        view = chance.choice([*views(), "x", "%2e%2e%2f", "__init__"])
        own = [*declared(views()[view])] if view in views() else []
        asked = [(chance.choice([*names, *own]), chance.choice(odd)) for _ in range(chance.randint(0, 6))]
        if at % 2:  # all that it declares, and no name twice
            asked = [("model", "en-de"), *((name, chance.choice(odd)) for name in own if name != "right")]
        got = client.get(f"/data/{view}?{urlencode(asked)[:60_000]}")  # the client takes no longer ones
        assert got.status_code in (200, 400, 404), got.url
        assert got.status_code == 200 or len(got.content) < 2000


def test_a_fault_of_a_view_is_told_in_place_of_its_figure(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> bytes:
        raise RuntimeError("never shown")

    monkeypatch.setattr(answers, "answer", fails)
    got = client.get("/data/overview", params={"model": "en-de", "text": "Hi.", "lang": "zh"})
    assert (got.status_code, got.json()) == (500, {"error": texts_in("app", "zh")["answers"]["failed"]})


@pytest.mark.parametrize("name", ["model", "edits", "side", "x" * 1_000_000])
def test_a_megabyte_is_refused_in_a_short_sentence(name: str) -> None:
    with pytest.raises(Refused) as refused:
        answer("lookup", {"model": "en-de", "text": "Hi.", "side": "source", name: "x" * 1_000_000})
    assert len(str(refused.value)) < 400


@pytest.mark.parametrize("there", [True, False], ids=["still there", "left"])
def test_what_waited_long_is_not_computed_for_a_reader_who_has_left(there: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    computed = list[str]()

    def compute(view: str, _: object) -> bytes:
        computed.append(view)
        return b""

    monkeypatch.setattr(answers, "answer", compute)
    monkeypatch.setattr(answers, "LONG", -1.0)

    async def receive() -> dict[str, str]:
        if there:
            await anyio.sleep_forever()
        return {"type": "http.disconnect"}

    scope = {"type": "http", "path_params": {"view": "overview"}, "query_string": b"", "headers": []}
    status = anyio.run(answers._send, Request(scope, receive)).status_code
    assert (status, computed) == ((200, ["overview"]) if there else (499, []))
