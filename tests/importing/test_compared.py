"""After an import, one sentence is computed by both ways, and the command says how far they are apart."""

from dataclasses import replace

import pytest
import torch
from torch import Tensor

from viz_core.config import ModelConfig
from viz_core.importing.source import Imported, Original
from viz_core.importing.write import compared
from viz_core.model import Transformer
from viz_core.tokenizer import WordTokenizer

CONFIG = ModelConfig(source_vocab=20, target_vocab=20, d_model=8, n_heads=2, n_layers=1, d_ff=8, dropout=0.0, max_len=8)


@pytest.fixture
def model() -> Transformer:
    torch.manual_seed(1)
    return Transformer(CONFIG).for_reading()


def imported(model: Transformer, off: float = 0.0) -> Imported:
    def logits(source: Tensor, target: Tensor) -> Tensor:
        assert source.shape == (1, 8) and target.shape == (1, 8)  # as many as the model can read
        assert set(source[0, :-1].tolist()) | set(target[0, 1:].tolist()) <= set(range(4, 20))  # words only
        return model.generator.logits(model.states(source, target)) + off

    words = WordTokenizer([str(i) for i in range(20)], False, CONFIG)
    found = Imported(CONFIG, dict(model.named_parameters()), words, None, "de", "en", "a model of ours")
    return replace(found, original=lambda: Original("Model of library", logits))


def test_the_largest_difference_is_told(model: Transformer) -> None:
    said = compared(imported(model), model)
    assert said == "compared with Model of library on 8 source and 8 target tokens: the logits differ by 0 at most"
    said = compared(imported(model, off=0.25), model)
    assert "differ by up to 0.25," in said and "does not compute what the original computes" in said


def test_where_nothing_can_be_compared_it_says_why(model: Transformer) -> None:
    def absent() -> Original:
        raise ModuleNotFoundError("No module named 'library'", name="library")

    def failing() -> Original:
        raise KeyError("field")

    found = imported(model)
    assert "a model of ours has no library" in compared(replace(found, original=None), model)
    assert "library is not installed" in compared(replace(found, original=absent), model)
    assert "cannot compute this model: 'field'" in compared(replace(found, original=failing), model)
    other = Original("Model", lambda source, target: torch.zeros(1, 8, 21))
    assert "(8, 21) logits, the import (8, 20)" in compared(replace(found, original=lambda: other), model)
