"""The command that saves a talk as one file: what it writes, and what it says."""

import json
import re
from pathlib import Path

import pytest
import streamlit as st

from viz_core.app.drawing import Drawn
from viz_core.app.talk_file import command
from viz_core.app.talk_file.record import on_stage
from viz_core.cli import main

TALK = """
title = "Two"
nonsense = 1
[[view]]
page = "heads"
show = "head_view"
title = "Only there"
note = "Said </script> here."
[[view]]
page = "training"
show = "schedule"
title = "The loss"
text = "I love you."
step = 2
"""


def test_it_writes_every_view_and_names_those_that_need_the_app(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "two.toml").write_text(TALK)
    out, before = tmp_path / "two.html", dict(st.session_state)
    assert main(["talk", str(tmp_path / "two.toml"), "--out", str(out)], [command]) == 0
    assert dict(st.session_state) == before, "what the pages kept is of the recording alone"
    said = capsys.readouterr().err
    assert "note: line 3: «nonsense»" in said
    assert "note: only the running app can show view 1\n2 views, " in said
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', out.read_text())
    assert found
    first, second = json.loads(found[1])["views"]
    assert (first["heading"], first["note"], first["drawn"]) == ("Only there", "Said </script> here.", [])
    assert [each["kind"] for each in second["drawn"]] == ["figure"]
    assert second["limits"]["fixed"] == {"step": 1, "layer": 0, "head": 0, "token": second["view"]["token"]}
    assert second["view"]["lecture"] is True
    assert main(["talk", str(tmp_path / "two.toml"), "--out", str(out), "--no-notes"], [command]) == 0
    assert "Said" not in out.read_text()


def test_an_unknown_talk_is_said_and_which_view_asks_for_which_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = ["--out", str(tmp_path / "x.html")]
    assert main(["talk", "nowhere", *out], [command]) == 1
    assert "there is no talk 'nowhere'" in capsys.readouterr().err
    (tmp_path / "x.toml").write_text('[[view]]\npage = "attention"\ntitle = "Where it looks"')
    assert main(["talk", str(tmp_path / "x.toml"), *out], [command]) == 1
    first, view = capsys.readouterr().err.splitlines()
    assert first == f"error: {tmp_path}/x.toml: no view in it can be shown"
    assert view.startswith(
        "Line 2: «page»: there is no page «attention»: view 1, «Where it looks», is left out; the nearest: self_"
    )
    assert not (tmp_path / "x.html").exists()


def test_the_stage_ends_with_the_first_picture() -> None:
    part, table, words = Drawn("part", "p", b""), Drawn("html", "", '<div class="draws">'), Drawn("html", "", "<p>")
    figure, beside = Drawn("figure", "f", b"", alone=True), Drawn("figure", "g", b"")
    assert [*on_stage([words, part, figure, part, words])] == [words, part, part]
    assert [*on_stage([figure, words])] == [figure]
    assert [*on_stage([beside, beside, words])] == [beside, beside, words]
    assert [*on_stage([table, figure])] == [table]
