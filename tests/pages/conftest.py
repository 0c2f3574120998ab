"""Every page finds its checkpoints from the root."""

from typing import Any

import pytest

from tests.pages.test_all_pages import ROOT
from tests.plots import unpacked
from viz_core.app import answers, components


@pytest.fixture(autouse=True)
def _in_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What the browser's parts found last at their addresses, by name."""
    found: dict[str, Any] = {}
    connect = components.connect

    def keep(name: str, data: dict[str, Any], *options: Any, **more: Any) -> None:
        if isinstance(data.get("address"), str):
            found[name] = unpacked(answers.answer_at(data["address"]))
        connect(name, data, *options, **more)

    monkeypatch.setattr(components, "connect", keep)
    return found
