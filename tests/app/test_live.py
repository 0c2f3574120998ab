"""A file that computes: what it holds, and which views it leaves to the engine."""

import base64
import gzip
import json
import re

import pytest

from viz_core import show
from viz_core.app.answers import Sentence
from viz_core.app.drawing import Drawn
from viz_core.app.html_file import Shown, alone
from viz_core.app.live import live
from viz_core.errors import VizError

START = {"theme": {}, "limits": {"steps": 3}, "view": {"step": 1}}


def test_a_file_holds_the_model_and_no_answer_that_the_engine_gives() -> None:
    model = live("en-de-tiny")
    at = "data/next_token?model={}&text=a&of=1".format
    drawn = [
        Drawn("part", "next_token", at("en-de-tiny"), more=(at("en-de-tiny").replace("next_token", "inside"),)),
        Drawn("part", "attention_view", b"recorded"),
    ]
    shown = Shown("T", START, {}, drawn, sentence=Sentence("en-de-tiny", "a"))
    assert shown.follows(model)
    text = alone("T", [shown], live=model).decode()
    assert "; worker-src blob:" in text
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', text)
    data = json.loads(found[1]) if found else {}
    assert [each["content"] is None for each in data["views"][0]["drawn"]] == [True, False]
    assert data["records"] == {}
    assert data["views"][0]["sentence"] == {"model": "en-de-tiny", "text": "a", "target": "", "edits": ""}
    packed = gzip.decompress(base64.b64decode(data["packed"][data["live"]["files"]["model.safetensors"]]))
    weights = model.paths["model.safetensors"].read_bytes()
    half = (len(weights) + 1) // 2
    assert (packed[:half], packed[half:]) == (weights[::2], weights[1::2])
    assert not model.answers(at("en-de")) and not model.answers(at("en-de-tiny") + "&right_model=en-de")
    assert not model.answers("data/switchboard?model=en-de-tiny")


def test_a_cell_of_a_notebook_shows_a_page_that_computes_and_says_what_it_replaced() -> None:
    with pytest.warns(UserWarning, match="layer: 9 is out of range here"):
        cell = show("I <b>love</b> you.", "output", model="en-de-tiny", layer=9, height=500)
    frame = cell._repr_html_()
    assert frame.startswith('<iframe srcdoc="&lt;!doctype html&gt;') and "height: 500px" in frame
    assert len(repr(cell)) < 100, "a notebook keeps the repr, too"
    assert frame.count("<") == 2, "the file is an attribute, which nothing in it ends"
    assert b'"live":{"model":"en-de-tiny"' in cell.html
    still = show("I love you.", "output", model="en-de-tiny", live=False)
    assert b'"live":null' in still.html and len(still.html) < len(cell.html)
    with pytest.raises(VizError, match="there is no page 'outputs'; the nearest is 'output'"):
        show("I love you.", "outputs")
