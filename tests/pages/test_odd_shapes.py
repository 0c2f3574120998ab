"""Every page shows models of any shape, whatever is chosen on it."""

import string
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import MakeModel, made
from tests.foot import ask
from tests.pages.test_all_pages import FILES, NAMES, choices, opened, view
from viz_core import checkpoint as checkpoints
from viz_core.app import models
from viz_core.checkpoint import Checkpoint
from viz_core.tokenizer import SentencePieceTokenizer, Tokenizer
from viz_core.tokenizer.sentencepiece import Pieces

SHAPES: dict[str, dict[str, Any]] = {
    "many_heads": {"n_heads": 64, "d_model": 64, "n_layers": 1},
    "one_head": {"n_heads": 1, "d_model": 8, "n_layers": 6, "norm": "post", "tied_embeddings": False},
}
IMPORTED: dict[str, Any] = {
    "d_model": 16, "n_heads": 2, "n_layers": 3, "n_decoder_layers": 2, "norm": "post", "activation": "swish", "positions": "halves",
    "output_bias": True, "tied_embeddings": False, "tied_generator": True, "decoder_final_norm": True,
}  # fmt: skip
"""As a model of Marian, with a norm at the end of its decoder only; with learned positions, a norm after them and one at the end of
each stack it is one of BART's kind."""
LEARNED: dict[str, Any] = IMPORTED | {
    "n_layers": 2, "n_decoder_layers": 3, "activation": "gelu", "positions": "learned", "embedding_norm": True, "final_norm": True,
    "decoder_final_norm": None, "scaled_embeddings": False, "layer_norm": "deviation", "tied_generator": False,
}  # fmt: skip
VIEWS = ("show", "case")
"""The controls that choose what a page draws."""


@pytest.fixture(scope="module")
def folder(make_model: MakeModel, tokenizer: Tokenizer, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkpoint of each shape."""
    root = tmp_path_factory.mktemp("odd")
    for name, fields in SHAPES.items():
        checkpoints.save(root / name, made(make_model(**fields), tokenizer))
    for name, fields in (("imported", IMPORTED), ("learned", LEARNED)):
        checkpoints.save(root / name, with_pieces(make_model, fields))
    return root


def with_pieces(make_model: MakeModel, fields: dict[str, Any]) -> Checkpoint:
    """A model with vocabularies of SentencePiece, one for each side, with special tokens of its own."""
    letters = [*string.ascii_letters, *".,äöüß", "▁", "▁t", "▁a", "un", "er"]
    vocab = ["</s>", "<unk>", *letters, "<pad>"]
    ids = {"pad_id": len(vocab) - 1, "bos_id": len(vocab) - 1, "eos_id": 0, "unk_id": 1, "never_ids": [len(vocab) - 1]}
    model = make_model(**fields, source_vocab=len(vocab), target_vocab=len(vocab), **ids)
    scores = {letter: -float(5 + i) for i, letter in enumerate(letters)}
    target, source = (SentencePieceTokenizer(each, Pieces(scores), model.config) for each in (vocab, list(vocab)))
    return Checkpoint("imported", model, target, "en", "de", digest="", own_source_tokenizer=source)


@pytest.fixture(autouse=True)
def _odd(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(models, "ROOT", folder)
    yield


@pytest.mark.parametrize("page", FILES, ids=NAMES)
def test_every_choice_of_a_page_shows_models_of_odd_shapes(page: str) -> None:
    """Each choice with one of them in turn, what is drawn with two."""
    shapes = cycle([*SHAPES, "imported", "learned"])
    app = opened(page, model="learned", text="My aunt hides two umbrellas.", target="Meine Tante.", step="3", layer="9", head="99")
    assert view(app).checkpoint.name == "learned"
    tried: set[tuple[str, str]] = set()
    while choice := next((each for each in choices(app) if each not in tried), None):
        tried.add(choice)
        control, option = choice
        for shape in islice(shapes, 2 if control in VIEWS else 1):
            ask(app, model=shape, **{control: option})
            assert not app.exception, (shape, option, app.exception)
            assert not app.error, (shape, option, app.error)
