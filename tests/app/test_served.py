"""The site for readers whose browsers compute: compressed, kept by browsers, told where the app is; and what it records."""

import base64
import gzip
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from viz_core.app.answers import answer_at
from viz_core.app.site import served
from viz_core.app.site.record import _answered, states
from viz_core.app.talk_file.record import recording


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(served.BY, "browser")
    monkeypatch.setattr(served, "folder", lambda: tmp_path / "site")
    return tmp_path / "site"


@pytest.fixture
def reader(folder: Path) -> TestClient:
    return TestClient(Starlette(routes=served.routes()))


def write(folder: Path) -> None:
    (folder / "tokens").mkdir(parents=True)
    (folder / "models").mkdir()
    (folder / "index.html").write_text("<p>first")
    (folder / "tokens" / "index.html").write_text("<p>tokens")
    (folder / "app.js").write_text("let i = 0;" * 100)
    (folder / "models" / "model.safetensors").write_bytes(b"\0" * 5000)
    served._pack(folder)


def test_pages_are_there_once_they_are_written(reader: TestClient, folder: Path) -> None:
    soon = reader.get("/live/")
    assert (soon.status_code, soon.headers["cache-control"]) == (503, "no-store")
    assert served.counterpart() is None
    write(folder)
    assert reader.get("/live").text == reader.get("/live/").text == "<p>first"
    assert str(reader.get("/live/tokens?text=a").url).endswith("/live/tokens/?text=a")
    assert reader.get("/live/../../etc/passwd").status_code == 404
    there = served.counterpart()
    assert there is not None
    assert (there["from"], there["to"], there["model"]) == ("/", "/live/", "en-de")


def test_files_are_small_and_kept(reader: TestClient, folder: Path) -> None:
    write(folder)
    script = reader.get("/live/app.js")
    assert script.headers["content-encoding"] == "gzip"
    assert script.headers["content-type"].startswith("text/javascript")
    assert int(script.headers["content-length"]) == len(gzip.compress(script.content, mtime=0)) < len(script.content) / 5
    again = reader.get("/live/app.js", headers={"If-None-Match": script.headers["etag"]})
    assert (again.status_code, again.content, again.headers["cache-control"]) == (304, b"", "no-cache")
    plain = reader.get("/live/app.js", headers={"Accept-Encoding": "identity"})
    assert plain.headers["content-encoding"] == "identity"
    assert plain.headers["etag"] != script.headers["etag"]
    weights = reader.get("/live/models/model.safetensors?of=abc")
    assert (weights.headers["cache-control"], len(weights.content)) == (served.FOR_GOOD, 5000)
    assert weights.headers["content-encoding"] == "identity"


def test_without_the_option_there_is_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(served.BY, raising=False)
    assert served.routes() == []
    assert served.counterpart() is None


def test_a_view_that_the_engine_lacks_is_recorded() -> None:
    known, lacking = (
        {"address": "data/next_token?model=en-de-small&text=A"},
        "data/untrained_steps?model=en-de-tiny&text=A&seed=1&of=of_sentence",
    )
    assert _answered(known) == known and _answered({"name": "show"}) == {"name": "show"} and _answered(b"1") == b"1"
    assert _answered({"address": lacking}) == answer_at(lacking)


def test_beside_a_view_of_which_the_engine_lacks_a_part_stands_the_whole() -> None:
    asked = {"address": "data/source_words?model=en-de-tiny&text=A&gradients=0"}
    held = _answered(asked)
    assert asked.items() <= held.items() and base64.b64decode(held["recorded"]) == answer_at(asked["address"])


def test_a_page_is_recorded_the_same_each_time() -> None:
    recorded = []
    for _ in range(2):
        with recording(["tokens"]):
            recorded.append([*states("tokens", {"": ["tokens"]}, "en-de-tiny", ("A", "B"), {})])
    assert recorded[0] == recorded[1]
