"""Every page finds its checkpoints from the root."""

import pytest

from tests.pages.test_all_pages import ROOT


@pytest.fixture(autouse=True)
def _in_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
