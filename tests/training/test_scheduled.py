"""Scheduled sampling: what the mixture holds, that none of it is teacher forcing, and that the share rises as the paper has it."""

import math
from typing import Any

import pytest
import torch

from viz_core.config import BOS_ID, EOS_ID, PAD_ID
from viz_core.training.live import LiveTrainer, Recipe
from viz_core.training.pairs import Examples
from viz_core.training.scheduled import RISE, SLOWNESS, mix_inputs, sampling_share, token_accuracy

SMALL = {"d_model": 32, "n_heads": 2}
READ = torch.tensor([[BOS_ID, 5, 6, 7, 8], [BOS_ID, 9, 10, PAD_ID, PAD_ID]])
OWN = torch.tensor([[11, 12, 13, 11, 12], [13, 11, 12, 13, 11]])


def drawn(seed: int = 0) -> torch.Tensor:
    return torch.rand((2, 5), generator=torch.Generator().manual_seed(seed))


def test_the_whole_share_is_its_own_words_alone() -> None:
    read, taken = mix_inputs(READ, OWN, 1.0, drawn())
    assert read.tolist() == [[BOS_ID, 11, 12, 13, 11], [BOS_ID, 13, 11, PAD_ID, PAD_ID]]  # moved by one; start and padding stay
    assert taken.tolist() == [[False, True, True, True, True], [False, True, True, False, False]]


def test_the_share_rises_as_in_the_paper() -> None:
    assert [sampling_share("off", step, 1.0) for step in (1, 10**6)] == [0.0, 0.0]
    assert [sampling_share("constant", step, 0.3) for step in (1, 10**6)] == [0.3, 0.3]
    assert sampling_share("linear", RISE // 4, 1.0) == 0.25
    for step in (1, 100, 246, 400):
        k = SLOWNESS
        assert sampling_share("sigmoid", step, 1.0) == pytest.approx(1 - k / (k + math.exp(step / k)))
    assert sampling_share("sigmoid", round(SLOWNESS * math.log(SLOWNESS)), 1.0) == pytest.approx(0.5, abs=0.01)
    for decay in ("linear", "sigmoid"):
        assert sampling_share(decay, 10**6, 0.7) == 0.7


def test_the_second_pass_reads_what_the_first_one_wrote(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("viz_core.training.scheduled.RISE", 1)
    trainer = LiveTrainer(Recipe(**SMALL, decay="linear", own=1.0))  # type: ignore[arg-type]
    reads: list[tuple[torch.Tensor, torch.Tensor]] = []
    decode = trainer.model.decode

    def heard(target: torch.Tensor, *rest: Any) -> torch.Tensor:
        states: torch.Tensor = decode(target, *rest)
        reads.append((target, trainer.model.generator.logits(states).argmax(-1)))
        return states

    monkeypatch.setattr(trainer.model, "decode", heard)
    assert trainer.step().own == 1.0
    (first, answered), (second, _) = reads
    real = first != PAD_ID
    real[:, 0] = False
    assert torch.equal(second[real], answered.roll(1, 1)[real])
    assert torch.equal(second[~real], first[~real])


def test_tokens_are_counted_at_their_place() -> None:
    trainer = LiveTrainer(Recipe(**SMALL))  # type: ignore[arg-type]
    _, batch = Examples("copy", 0, 1).batch(3)
    right = [[i for i in row if i not in (EOS_ID, PAD_ID)] for row in batch.predict.tolist()]
    assert token_accuracy(trainer.model, batch, right)[1] == 1.0
    wrong = [[EOS_ID + 50, *right[0][1:]], right[1][:-1], [*right[2], 5, 5, 5]]
    count = sum(len(row) + 1 for row in right)
    assert token_accuracy(trainer.model, batch, wrong)[1] == pytest.approx((count - 1 - 2 - 1) / count)  # the early end costs two
    with torch.inference_mode():
        best = trainer.model(batch.source, batch.read).argmax(-1)
    share = (best == batch.predict)[batch.predict != PAD_ID].float().mean()
    assert token_accuracy(trainer.model, batch, right)[0] == pytest.approx(float(share))
