"""What the browser fetches: it is the sentence's, and it is there as long as the sentence is."""

from __future__ import annotations

import gc

import pytest
import streamlit as st
from starlette.applications import Starlette
from starlette.testclient import TestClient

from viz_core.app.fetched_file import File, file_of
from viz_core.app.server import routes
from viz_core.browser.inside_payload import inside_payload
from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation, explain
from viz_core.texts import fill
from viz_core.trace import Kind


@pytest.mark.parametrize("base", ["", "viz"])
def test_each_sentence_has_a_file_until_it_is_forgotten(checkpoint: Checkpoint, base: str) -> None:
    before = st.get_option("server.baseUrlPath")
    st.config.set_option("server.baseUrlPath", base)
    try:
        client = TestClient(Starlette(routes=routes()))
        one, other = (explain(checkpoint, text) for text in ("The otter paints the map.", "I love you."))
        address = file_of(one, inside_payload).address
        assert address.startswith(f"/{base}/fetched/" if base else "/fetched/")
        assert address == file_of(one, inside_payload).address != file_of(other, inside_payload).address
        assert len(address.rsplit("/", 1)[1]) >= 40, "nobody guesses it"
        for explanation in (one, other):
            answer = client.get(file_of(explanation, inside_payload).address)
            assert answer.content == inside_payload(explanation)
            assert {"private", "immutable"} <= set(answer.headers["cache-control"].split(", "))
        for wrong in (f"{address}x", f"{address}/x", f"{address}/-1"):
            assert client.get(wrong).status_code == 404
        del one, explanation
        gc.collect()
        gone = client.get(address)
        assert (gone.status_code, gone.headers["cache-control"]) == (404, "no-store")
    finally:
        st.config.set_option("server.baseUrlPath", before)


def layer_of(explanation: Explanation, kind: Kind, layer: int) -> bytes:
    return explanation.trace.attentions(kind)[layer].weights.tobytes()


def test_a_file_has_a_part_for_each_place_and_none_elsewhere(checkpoint: Checkpoint) -> None:
    client, one = TestClient(Starlette(routes=routes())), explain(checkpoint, "I love you.")
    cross, own = (file_of(one, layer_of, kind, by=("layer",)).address for kind in ("cross", "self"))
    got = [client.get(fill(address, {"layer": 1})).content for address in (cross, own)]
    assert got == [layer_of(one, "cross", 1), layer_of(one, "self", 1)]
    for wrong in ("99", "-1", "1/1", "x", ""):
        assert client.get(fill(cross, {"layer": wrong})).status_code == 404
    kept = File(b"as it is")
    address = kept.address
    assert client.get(address).content == b"as it is"
    del kept
    gc.collect()
    assert client.get(address).status_code == 404
