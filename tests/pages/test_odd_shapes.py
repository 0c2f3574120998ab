"""Every page shows models of any shape, in each of its views."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import MakeModel, made
from tests.pages.test_all_pages import FILES, NAMES, ROOT, choices, opened
from viz_core import checkpoint as checkpoints
from viz_core.app import models
from viz_core.tokenizer import Tokenizer

SHAPES: dict[str, dict[str, Any]] = {
    "many_heads": {"n_heads": 64, "d_model": 64, "n_layers": 1},
    "one_head": {"n_heads": 1, "d_model": 8, "n_layers": 6, "norm": "post", "tied_embeddings": False},
}
VIEWS = ("show", "case")
"""The controls that choose what a page draws."""


@pytest.fixture(scope="module")
def folder(make_model: MakeModel, tokenizer: Tokenizer, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkpoint of each shape."""
    root = tmp_path_factory.mktemp("odd")
    for name, fields in SHAPES.items():
        checkpoints.save(root / name, made(make_model(**fields), tokenizer))
    return root


@pytest.fixture(autouse=True)
def _odd(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(models, "ROOT", folder)
    yield


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("page", FILES, ids=NAMES)
def test_every_view_of_a_page_shows_every_shape(page: str, shape: str) -> None:
    name = Path(page).parent.name
    app = opened(page, model=shape, text="My aunt hides two umbrellas.", target="Meine Tante.", step="3", layer="9", head="99")
    assert app.session_state["model"] == shape
    for control, view in choices(app, name):
        if control.removeprefix(f"{name}_") in VIEWS:
            app.session_state[control] = view
            app.run()
            assert not app.exception, (view, app.exception)
            assert not app.error, (view, app.error)
