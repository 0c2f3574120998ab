"""Non-autoregressive decoding: what it computes, and the stored quality. Its numbers: tests/golden."""

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from pages.decoding.non_autoregressive_compute import mask_predict_all_lengths, most_likely_repetition, repetition_risk
from tests.conftest import made
from viz_core import checkpoint as checkpoints
from viz_core.analysis import mask_predict_quality
from viz_core.checkpoint import Checkpoint
from viz_core.cli import main
from viz_core.model import Transformer
from viz_core.tokenizer import Tokenizer

SHORT = "A baker carries two umbrellas."


def test_no_length_is_beyond_what_the_model_has(filler: Checkpoint) -> None:
    assert len(mask_predict_all_lengths(filler, SHORT, 1, 10_000)[0].ids) == filler.config.max_len - 1


def test_rivals_are_the_pair_that_is_most_likely_to_be_the_same() -> None:
    first = np.log(np.array([[0.6, 0.3, 0.1], [0.1, 0.5, 0.4], [0.2, 0.1, 0.7]]))
    assert most_likely_repetition(first) == 1
    found = repetition_risk(first, 1)
    assert found.token == 2
    assert [found.first, found.second] == pytest.approx([0.4, 0.7])
    assert found.both == pytest.approx(0.28)
    assert repetition_risk(first, 0).token == 1


@pytest.fixture(scope="module")
def folder(make_model: Callable[..., Transformer], tokenizer: Tokenizer, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small checkpoint with a masked decoder."""
    folder = tmp_path_factory.mktemp("at_once") / "filler"
    checkpoints.save(folder, made(make_model(decoder="masked"), tokenizer))
    return folder


@pytest.fixture(scope="module")
def filler(folder: Path) -> Checkpoint:
    return checkpoints.load(folder, "masked")


def test_the_command_line_measures_and_stores(
    folder: Path, filler: Checkpoint, checkpoint_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text(f"{SHORT}\tEin Bäcker trägt zwei Regenschirme.\n")
    assert main(["passes", "--checkpoint", str(folder), "--beside", str(checkpoint_folder), "--pairs", str(pairs)]) == 0
    found = mask_predict_quality.read(folder, filler)
    assert found is not None
    assert (list(found.passes), found.name, found.sentences) == ([1, 2, 4, 10], "tiny", 1)
    expected = mask_predict_quality.quality(filler, [SHORT], [["Ein Bäcker trägt zwei Regenschirme."]], iterations=2)
    assert found.passes[2] == expected
    other: Any = SimpleNamespace(digest="0" * 64)
    assert mask_predict_quality.read(folder, other) is None
    assert mask_predict_quality.read(tmp_path, filler) is None
