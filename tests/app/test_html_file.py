"""The HTML file says what the browser may do, nothing that was typed is markup in it, and one that computes holds the model."""

import base64
import gzip
import hashlib
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from unittest.mock import Mock, call

import pytest

from tests.plots import unpacked as about
from viz_core import show
from viz_core.app import answers, html_file
from viz_core.app.answers import Sentence
from viz_core.app.drawing import Drawn
from viz_core.app.html_file import Shown, alone
from viz_core.app.live import live
from viz_core.app.plot import plot_payload
from viz_core.errors import VizError
from viz_core.figures.figure import Figure

TYPED = "</script><b>x</b><!-- & \u2028 \x00 “"
ELEMENTS = "html head meta meta meta title style body nav header h1 p main noscript p footer script script"
START: dict[str, Any] = {"theme": {}, "limits": {"steps": 3}, "view": {"step": 1}}
STRIP = {"target": [[TYPED, 0]]}
PAYLOAD = b"\x00</script>"


def talk() -> str:
    figure = Figure({"title": {"text": TYPED}})
    figure.add_scatter(y=[1, 2])
    attention = Drawn("part", "attention_view", PAYLOAD)
    views = [
        Shown("One", START, STRIP, [attention], [TYPED], f"Say {TYPED}"),
        Shown(TYPED, START, STRIP, [attention, Drawn("figure", "f", plot_payload(figure))], note="Then this."),
        Shown("Three", START, STRIP, note="Only there."),
    ]
    return alone(TYPED, views, {"title": TYPED, "starts": None}).decode()


def unpacked(data: dict[str, Any], view: int) -> list[bytes]:
    drawn = data["views"][view]["drawn"]
    return [gzip.decompress(base64.b64decode(data["packed"][each["content"]])) for each in drawn]


class Outline(HTMLParser):
    """The elements of a document, the text of its scripts, the rest of its text, and its policy."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.names: list[str] = []
        self.scripts: list[str] = []
        self.words = self.policy = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.append(tag)
        given = dict(attrs)
        if given.get("http-equiv") == "Content-Security-Policy":
            self.policy = given["content"] or ""
        if tag == "script":
            self.scripts.append("")
        assert not {"src", "href", "onload", "onerror"} & set(given)

    def handle_data(self, data: str) -> None:
        if self.cdata_elem == "script":
            self.scripts[-1] += data
        elif self.cdata_elem is None:
            self.words += data


@pytest.fixture(scope="module")
def text() -> str:
    return talk()


def test_a_talk_holds_every_view_once_and_nothing_of_it_is_markup(text: str) -> None:
    found = Outline(text)
    assert "&lt;/script&gt;&lt;b&gt;x&lt;/b&gt;&lt;!-- &amp; ⟨2028⟩ ⟨00⟩ “</" in text
    assert " ".join(found.names) == ELEMENTS
    data = json.loads(found.scripts[0])
    assert [view["note"] for view in data["views"]] == [f"Say {TYPED}", "Then this.", "Only there."]
    assert data["talk"]["titles"] == ["One", TYPED, "Three"]
    assert data["views"][0]["caption"] == [TYPED]
    assert unpacked(data, 0) == [PAYLOAD]
    assert unpacked(data, 1)[0] == PAYLOAD
    assert about(unpacked(data, 1)[1])[1]["figure"]["layout"]["title"]["text"] == TYPED
    assert len(data["packed"]) == 3  # the payload, the figure, plotly's script
    assert [view["limits"].get("fixed") for view in data["views"]] == [None, None, {"step": 1}]


def test_the_policy_lets_these_scripts_and_plotly_run_and_no_other_and_nothing_is_loaded(text: str) -> None:
    found = Outline(text)
    packed = json.loads(found.scripts[0])
    plotly = gzip.decompress(base64.b64decode(packed["packed"][packed["plotly"]])).decode()
    hashes = [base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in [*found.scripts[1:], plotly]]
    assert re.findall(r"'sha256-([^']+)'", found.policy) == hashes
    assert found.policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe-eval" not in found.policy and "unsafe-inline" not in found.policy.split("style-src")[0]
    assert "http" not in found.policy
    assert not re.search(r"url\((?!data:|#)|@import|https?://(?!www\.w3\.org/)", text)


@pytest.mark.parametrize("script", ["a = '</script>'", "a = '<!--'", "a = '<SCRIPT'"])
def test_a_bundle_that_would_end_early_is_refused(script: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "app.js").write_text(script)
    monkeypatch.setattr(html_file, "APP", tmp_path / "app.js")
    with pytest.raises(ValueError, match="end early"):
        talk()


def test_what_a_part_may_fetch_is_recorded_in_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = Mock(side_effect=str.encode)
    monkeypatch.setattr(answers, "answer_at", answer)
    drawn = Drawn("part", "qkv", "/data/a?text=</script>", more=("/data/b?layer=0", "/data/b?layer=1"))
    page = alone("T", [Shown("T", START, STRIP, [drawn]), Shown("T", START, STRIP, [drawn])]).decode()
    match = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    data = json.loads(match[1]) if match else {}
    assert unpacked(data, 0) == [b"/data/a?text=</script>"]
    records = {address: gzip.decompress(base64.b64decode(data["packed"][name])) for address, name in data["records"].items()}
    assert records == {address: address.encode() for address in drawn.more}
    assert answer.mock_calls.count(call("/data/b?layer=0")) == 1, "what is equal in several views is asked for once"


def test_a_file_holds_the_model_and_what_its_first_view_shows_before_that_is_unpacked() -> None:
    model = live("en-de-tiny")
    at = "data/next_token?model={}&text=a&of=1".format
    drawn = [
        Drawn("part", "next_token", at("en-de-tiny"), more=(at("en-de-tiny").replace("next_token", "inside"),)),
        Drawn("part", "attention_view", b"recorded"),
    ]
    shown = Shown("T", START, {}, drawn, sentence=Sentence("en-de-tiny", "a"))
    later = Shown("T", START, {}, [Drawn("part", "qkv", at("en-de-tiny").replace("next_token", "qkv"))])
    assert shown.follows(model) and later.follows(model)
    text = alone("T", [shown, later], live=model).decode()
    assert "; worker-src blob:" in text
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', text)
    data = json.loads(found[1]) if found else {}
    assert [each["content"] is None for each in data["views"][0]["drawn"]] == [True, False]
    assert list(data["records"]) == [at("en-de-tiny")]
    assert data["views"][0]["sentence"] == {"model": "en-de-tiny", "text": "a", "target": "", "edits": ""}
    (held,) = data["live"]["models"].values()
    pieces = re.findall(rf'data-of="{held["files"]["model.safetensors"]}" data-size="\d+">(.*?)</script>', text)
    packed = gzip.decompress(base64.b64decode("".join(pieces)))
    assert len(pieces) > 1
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
