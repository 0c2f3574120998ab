"""What is derived from non-autoregressive decoding: neighbours that predict the same token, and the stored quality."""

import math
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from pages.decoding.non_autoregressive_compute import (
    fixed_point_prediction,
    mask_predict_all_lengths,
    most_likely_repetition,
    position_given_others,
    repetition_risk,
)
from tests.conftest import made
from viz_core import checkpoint as checkpoints
from viz_core.analysis import mask_predict_quality
from viz_core.checkpoint import Checkpoint
from viz_core.cli import main
from viz_core.explain import explain
from viz_core.model import Transformer
from viz_core.tokenizer import Tokenizer

TEXT = "A baker carries two umbrellas."


@pytest.fixture(scope="module")
def folder(make_model: Callable[..., Transformer], tokenizer: Tokenizer, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small checkpoint with a masked decoder."""
    folder = tmp_path_factory.mktemp("at_once") / "filler"
    checkpoints.save(folder, made(make_model(decoder="masked"), tokenizer))
    return folder


@pytest.fixture(scope="module")
def filler(folder: Path) -> Checkpoint:
    return checkpoints.load(folder, "masked")


def test_a_position_asked_alone_is_the_only_masked_position_of_a_pass(filler: Checkpoint) -> None:
    (found,) = mask_predict_all_lengths(filler, TEXT, 1, 1)
    np.testing.assert_allclose(position_given_others(filler, TEXT, found.ids, 0), found.first[0], atol=1e-5)
    assert not np.allclose(
        position_given_others(filler, TEXT, [300, 301, 302], 1), position_given_others(filler, TEXT, [300, 301, 305], 1), atol=1e-5
    )
    np.testing.assert_allclose(
        position_given_others(filler, TEXT, [300, 9, 302], 1), position_given_others(filler, TEXT, [300, 301, 302], 1), atol=1e-6
    )


def test_the_lengths_that_are_tried_are_the_most_probable_and_the_best_mean_comes_first(filler: Checkpoint) -> None:
    tried = mask_predict_all_lengths(filler, TEXT, 3, None)
    assert len({len(each.ids) for each in tried}) == 3
    means = [float(np.log(each.passes[-1].probabilities).mean()) for each in tried]
    assert means == sorted(means, reverse=True)
    assert [each.passes[-1].mean for each in tried] == pytest.approx(means)
    assert all(0 < (each.chance or 0) < 1 for each in tried)
    (given,) = mask_predict_all_lengths(filler, TEXT, 3, 6)
    assert (len(given.ids), given.chance) == (6, None)
    assert len(mask_predict_all_lengths(filler, TEXT, 1, 10_000)[0].ids) == filler.config.max_len - 1


def test_rivals_are_the_pair_that_is_most_likely_to_be_the_same() -> None:
    first = np.log(np.array([[0.6, 0.3, 0.1], [0.1, 0.5, 0.4], [0.2, 0.1, 0.7]]))
    assert most_likely_repetition(first) == 1
    found = repetition_risk(first, 1)
    assert found.token == 2
    assert [found.first, found.second] == pytest.approx([0.4, 0.7])
    assert found.both == pytest.approx(0.28)
    assert repetition_risk(first, 0).token == 1


def test_the_causal_decoder_marks_positions_that_are_not_yet_greedys(checkpoint: Checkpoint) -> None:
    explanation = explain(checkpoint, TEXT)
    found, greedy = fixed_point_prediction(checkpoint, explanation, 100)
    assert found.ids == greedy == tuple(step.chosen.id for step in explanation.steps)
    for number, each in enumerate(found.passes, start=1):
        same = each.hidden.index(True) if True in each.hidden else len(greedy)
        assert same >= number or same == len(greedy)
        assert each.ids[:same] == greedy[:same]
        assert list(each.hidden) == sorted(each.hidden)
    assert found.passes[0].probabilities[0] == pytest.approx(math.exp(float(explanation.steps[0].log_probs.max())), abs=1e-5)


def test_the_command_line_measures_and_stores(
    folder: Path, filler: Checkpoint, checkpoint_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text(f"{TEXT}\tEin Bäcker trägt zwei Regenschirme.\n")
    assert main(["passes", "--checkpoint", str(folder), "--beside", str(checkpoint_folder), "--pairs", str(pairs)]) == 0
    found = mask_predict_quality.read(folder, filler)
    assert found is not None
    assert (list(found.passes), found.name, found.sentences) == ([1, 2, 4, 10], "tiny", 1)
    expected = mask_predict_quality.quality(filler, [TEXT], [["Ein Bäcker trägt zwei Regenschirme."]], iterations=2)
    assert found.passes[2] == expected
    other: Any = SimpleNamespace(digest="0" * 64)
    assert mask_predict_quality.read(folder, other) is None
    assert mask_predict_quality.read(tmp_path, filler) is None
