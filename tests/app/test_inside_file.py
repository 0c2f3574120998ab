"""What an open block shows, as a file: its numbers are the sentence's, and it is there as long as the sentence is."""

from __future__ import annotations

import gc

import pytest
import streamlit as st
from starlette.applications import Starlette
from starlette.testclient import TestClient

from viz_core.app.inside_file import inside_address
from viz_core.app.server import routes
from viz_core.browser.inside_payload import inside_payload
from viz_core.checkpoint import Checkpoint
from viz_core.explain import explain


@pytest.mark.parametrize("base", ["", "viz"])
def test_each_sentence_has_a_file_until_it_is_forgotten(checkpoint: Checkpoint, base: str) -> None:
    before = st.get_option("server.baseUrlPath")
    st.config.set_option("server.baseUrlPath", base)
    try:
        client = TestClient(Starlette(routes=routes()))
        one, other = (explain(checkpoint, text) for text in ("The otter paints the map.", "I love you."))
        address = inside_address(one)
        assert address.startswith(f"/{base}/inside/" if base else "/inside/")
        assert address == inside_address(one) != inside_address(other)
        assert len(address.rsplit("/", 1)[1]) >= 40, "nobody guesses it"
        for explanation in (one, other):
            answer = client.get(inside_address(explanation))
            assert answer.content == inside_payload(explanation)
            assert {"private", "immutable"} <= set(answer.headers["cache-control"].split(", "))
        assert client.get(f"{address}x").status_code == 404
        del one, explanation
        gc.collect()
        gone = client.get(address)
        assert (gone.status_code, gone.headers["cache-control"]) == (404, "no-store")
    finally:
        st.config.set_option("server.baseUrlPath", before)
