"""The checkpoints that the app offers; tuned models in the servers' shared folder: found, bounded in bytes and age, not trusted."""

import os
import time
from collections.abc import Mapping
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from viz_core.app import models, tuned_folder
from viz_core.checkpoint import Checkpoint, packed
from viz_core.home import HOME, TOUR

A, B, C = "own-aaaaaa", "own-bbbbbb", "own-cccccc"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tuned_folder, "FOLDER", tmp_path / "models")
    return tmp_path / "models"


@pytest.fixture
def files(checkpoint: Checkpoint) -> Mapping[str, bytes]:
    return packed(checkpoint)


def used(folder: Path, name: str, ago: float) -> None:
    """Sets the time of a model's last use, in seconds before now."""
    os.utime(folder / name, (time.time() - ago,) * 2)


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_a_model_that_another_server_kept_is_found_by_its_name(
    folder: Path, files: Mapping[str, bytes], checkpoint: Checkpoint
) -> None:
    assert models.is_gone(A)
    tuned_folder.save(A, files)
    assert not models.is_gone(A)
    assert models.get_checkpoint(A).tokenizer.to_json() == checkpoint.tokenizer.to_json()


def test_beyond_the_bound_those_used_longest_ago_go(
    folder: Path, files: Mapping[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tuned_folder, "MOST", int(2.5 * sum(map(len, files.values()))))
    tuned_folder.save(A, files)
    tuned_folder.save(B, files)
    used(folder, A, ago=200)
    used(folder, B, ago=100)
    assert tuned_folder.read(A)  # a use
    tuned_folder.save(C, files)
    assert names(folder) == {A, C}


def test_what_nobody_used_for_a_week_goes_and_nothing_else_does(folder: Path, files: Mapping[str, bytes]) -> None:
    tuned_folder.save(A, files)
    (folder / "mine").mkdir()
    for name in (A, "mine"):
        used(folder, name, ago=tuned_folder.UNUSED + 1)
    tuned_folder.save(B, files)
    assert names(folder) == {B, "mine"}


def test_a_damaged_model_is_none_and_a_name_leads_nowhere_else(folder: Path, files: Mapping[str, bytes]) -> None:
    tuned_folder.save(A, files)
    weights = folder / A / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-1] + b"x")
    assert tuned_folder.read(A) is None
    (folder / A).rename(folder.parent / "away")
    assert tuned_folder.read("../away") is None


@pytest.fixture
def one_broken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Of two checkpoints the first is no checkpoint."""
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "config.json").write_text("{}")
    (tmp_path / "whole").symlink_to(HOME / "checkpoints" / "en-de-tiny")
    monkeypatch.setattr(models, "ROOT", tmp_path)


@pytest.mark.usefixtures("one_broken")
def test_just_started_a_server_offers_all_and_later_those_that_are_whole() -> None:
    models.verify_later()
    assert models.shipped() == (["broken", "whole"], [])
    assert models.usable()[0] == ["whole"], "who computes with them gets those that are whole"
    assert models.config_of("whole") == models.get_checkpoint("whole").config
    models.prepare()
    names, wrong = models.shipped()
    assert (names, [name for name, _ in wrong]) == (["whole"], ["broken"])


@pytest.mark.usefixtures("one_broken")
def test_the_one_that_is_chosen_first_may_be_broken() -> None:
    models.verify_later()
    app = AppTest.from_file(TOUR, default_timeout=60).run()
    assert not app.exception
    assert app.session_state["_view"].checkpoint.name == "whole"
    assert [warning.value for warning in app.warning if "broken" in warning.value]
