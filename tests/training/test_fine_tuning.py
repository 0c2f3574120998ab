"""Fine-tuning: a copy learns from a few pairs, the checkpoint stays as it is, and what fails is caught."""

import pytest
import torch

from tests.conftest import MakeModel
from viz_core.checkpoint import Checkpoint
from viz_core.errors import ConfigError, PairsError
from viz_core.tokenizer import Tokenizer
from viz_core.training import material
from viz_core.training.material import Material, check_lengths, split
from viz_core.training.pair_file import PairFile
from viz_core.training.tuning import BATCH, TrainedPart, Tuner, Tuning, score

Pairs = list[tuple[str, str]]


@pytest.fixture(scope="module")
def checkpoint(make_model: MakeModel, tokenizer: Tokenizer) -> Checkpoint:
    return Checkpoint("tiny", make_model().for_reading(), tokenizer, "en", "de", "0" * 64)


@pytest.fixture(scope="module")
def few(pairs: Pairs) -> Material:
    return Material("few", tuple(pairs[:9]), tuple(pairs[9:12]), tuple(pairs[12:15]), tuple(pairs[15:24]))


def tuner(checkpoint: Checkpoint, few: Material, rate: float = 0.003, part: TrainedPart = "whole", mixed: bool = False) -> Tuner:
    return Tuner(Tuning(checkpoint=checkpoint, material=few, learning_rate=rate, part=part, mixed=mixed))


def test_it_learns_its_pairs_and_the_checkpoint_stays_bit_by_bit(checkpoint: Checkpoint, few: Material) -> None:
    weights = {name: p.clone() for name, p in checkpoint.model.named_parameters()}
    first = score(checkpoint.model, checkpoint, few.learn)
    run = tuner(checkpoint, few)
    for _ in range(30):
        run.step()
    assert run.model
    assert score(run.model, checkpoint, few.learn).loss < 0.7 * first.loss
    assert not run.diverged
    for name, parameter in checkpoint.model.named_parameters():
        assert torch.equal(parameter, weights[name]), name
        assert not parameter.requires_grad
    assert score(checkpoint.model, checkpoint, few.learn) == first


@pytest.mark.parametrize(("part", "moved"), [("decoder", ("decoder.",)), ("embeddings", ("source_embedding.",))])
def test_only_the_part_that_is_trained_moves(
    checkpoint: Checkpoint, few: Material, part: TrainedPart, moved: tuple[str, ...]
) -> None:
    run = tuner(checkpoint, few, part=part)
    for _ in range(3):
        run.step()
    assert run.model
    for (name, now), then in zip(run.model.named_parameters(), checkpoint.model.parameters(), strict=True):
        assert torch.equal(now, then) != name.startswith(moved), name


def test_nothing_that_is_measured_is_in_a_batch(checkpoint: Checkpoint, few: Material) -> None:
    run = tuner(checkpoint, few, mixed=True)
    held = {checkpoint.tokenizer.encode(target, "de").text for _, target in (*few.held_out, *few.everyday)}
    learn, more = ({target for _, target in pairs} for pairs in (few.learn, few.more))
    for _ in range(6):
        batch = run._batch()
        assert len(batch.read) == 2 * BATCH
        texts = [checkpoint.tokenizer.decode([i for i in row if i > 2]) for row in batch.predict.tolist()]
        assert set(texts[:BATCH]) <= learn
        assert set(texts[BATCH:]) <= more
        assert not held & set(texts)


@pytest.mark.parametrize("rate", [1.0, 1e30])
def test_what_diverges_is_caught(checkpoint: Checkpoint, few: Material, rate: float) -> None:
    run = tuner(checkpoint, few, rate)
    while not run.diverged:
        assert len(run.measured) < 40
        run.step()
    assert all(look.step < len(run.measured) for look in run.evaluations)


def test_a_fourth_is_held_out_with_its_doubles(pairs: Pairs) -> None:
    given = [*pairs[:7], ("Twice.", "Zweimal."), ("Twice.", "Doppelt.")]
    made = split("given", given)
    assert made.held_out == (given[3], given[7])
    assert made.learn == (*given[:3], *given[4:7])
    everyday = split("given", given, everyday=given[2:4], more=given[2:4])
    assert (everyday.everyday, everyday.more) == ((given[3],), (given[2],))
    assert len(split("many", [(f"a {i}", f"b {i}") for i in range(1000)]).held_out) <= material.MOST_HELD_OUT


def test_what_cannot_be_learned_from_is_refused(checkpoint: Checkpoint, pairs: Pairs) -> None:
    with pytest.raises(PairsError, match="three: 3 pairs, at least 4 are needed"):
        split("three", pairs[:3])
    with pytest.raises(PairsError, match="same source"):
        split("same", [("a", f"b{i}") for i in range(5)])
    limit = checkpoint.config.max_len - 1
    long = (*pairs[:2], ("a", "x " * (limit + 1)), *pairs[2:5])
    with pytest.raises(PairsError, match=rf"long, line 3: the target has \d+ tokens, the model reads at most {limit}"):
        check_lengths(PairFile("long", long), checkpoint)
    with pytest.raises(PairsError, match=rf"long, line 5: the target has \d+ tokens, the model reads at most {limit}"):
        check_lengths(PairFile("long", long, blank=(1, 4, 7)), checkpoint)
    with pytest.raises(PairsError, match=r"long: 2 lines cannot be used\n  line 3: the target has .*\n  line 9: the target has"):
        check_lengths(PairFile("long", (*long, *long)), checkpoint)
    with pytest.raises(ConfigError, match="learning_rate is 0"):
        Tuning(checkpoint=checkpoint, material=split("few", pairs[:5]), learning_rate=0.0)
    with pytest.raises(ConfigError, match="part is 'heads'"):
        Tuning(checkpoint=checkpoint, material=split("few", pairs[:5]), part="heads")  # type: ignore[arg-type]
