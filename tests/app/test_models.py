"""The checkpoints that the app offers."""

from __future__ import annotations

from pathlib import Path

import pytest

from viz_core.app import models


def test_just_started_a_server_offers_all_and_later_those_that_are_whole(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "config.json").write_text("{}")
    monkeypatch.setattr(models, "ROOT", tmp_path)
    models.verify_later()
    assert models.usable() == (["broken"], [])
    models.prepare()
    names, wrong = models.usable()
    assert (names, [name for name, _ in wrong]) == ([], ["broken"])
