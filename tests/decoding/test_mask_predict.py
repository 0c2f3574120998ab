"""Filling masked places: what the decoder may see, which places are masked, and what one pass and several write."""

from itertools import pairwise

import pytest
import torch

from tests.conftest import Batch, MakeModel
from viz_core.config import MASK_ID, PAD_ID
from viz_core.decoding import greedy
from viz_core.decoding.non_autoregressive import fixed_point_steps, likely_lengths, mask_predict, mask_predict_steps
from viz_core.model import Transformer
from viz_core.training.loss import MaskedLoss, masked

LENGTHS = [5, 3, 4]


@pytest.fixture(scope="module")
def filler(make_model: MakeModel) -> Transformer:
    """The small model with a masked decoder."""
    return make_model(decoder="masked")


@pytest.mark.parametrize(("kind", "sees"), [("masked", True), ("causal", False)])
def test_only_a_masked_decoder_sees_later_places(make_model: MakeModel, batch: Batch, kind: str, sees: bool) -> None:
    model = make_model(decoder=kind)
    source, target = batch[0][:1], batch[1][1:2]
    other = target.clone()
    other[0, -1] = 350
    with torch.inference_mode():
        before, after = (model.states(source, ids)[0] for ids in (target, other))
    assert (not torch.allclose(before[0], after[0], atol=1e-6)) is sees
    assert not torch.allclose(before[-1], after[-1], atol=1e-6)


def test_one_pass_is_the_most_probable_token_at_each_place(filler: Transformer, batch: Batch) -> None:
    source = batch[0]
    with torch.inference_mode():
        memory, memory_mask = filler.encode(source)
        (step,) = mask_predict_steps(filler, memory, memory_mask, LENGTHS, 1)
        for row, length in enumerate(LENGTHS):
            own = source[row : row + 1, : int((source[row] != PAD_ID).sum())]
            log_probs = filler(own, torch.full((1, length), MASK_ID))[0]
            assert step.ids[row].tolist() == log_probs.argmax(-1).tolist() + [PAD_ID] * (max(LENGTHS) - length)
            torch.testing.assert_close(step.scores[row, :length], log_probs.max(-1).values, atol=1e-4, rtol=0)


@pytest.mark.parametrize("iterations", [2, 3, 4, 10])
def test_so_many_places_are_masked_as_the_schedule_says_and_the_others_stay(
    filler: Transformer, batch: Batch, iterations: int
) -> None:
    memory, memory_mask = filler.encode(batch[0])
    steps = list(mask_predict_steps(filler, memory, memory_mask, LENGTHS, iterations))
    for number, step in enumerate(steps):
        assert step.hidden.sum(1).tolist() == [int(n * (iterations - number) / iterations) for n in LENGTHS]
    assert len(steps) == sum(max(LENGTHS) * (iterations - number) // iterations > 0 for number in range(iterations))
    for before, after in pairwise(steps):
        stayed = ~after.hidden
        assert torch.equal(before.ids[stayed], after.ids[stayed])
        assert torch.equal(before.scores[stayed], after.scores[stayed])
        for row, length in enumerate(LENGTHS):  # none of those that are masked again was surer than one that stays
            chosen = after.hidden[row, :length]
            if chosen.any() and not chosen.all():
                assert before.scores[row, :length][chosen].max() <= before.scores[row, :length][~chosen].min()


def test_of_several_lengths_the_sentence_with_the_best_mean_wins(filler: Transformer, batch: Batch) -> None:
    source = batch[0]
    memory, memory_mask = filler.encode(source)
    lengths, log_probs = likely_lengths(filler, memory, memory_mask, 3)
    probable = filler.lengths(memory, memory_mask)
    probable[:, 0] = -torch.inf  # no sentence has no token
    assert torch.equal(lengths, probable.topk(3).indices)
    assert (log_probs[:, :-1] >= log_probs[:, 1:]).all()
    best = []
    for row in range(len(source)):
        tried = []
        for length in lengths[row].tolist():
            *_, last = mask_predict_steps(filler, memory[row : row + 1], memory_mask[row : row + 1], [length], 3)
            tried.append((float(last.scores.mean()), last.ids[0].tolist()))
        best.append(max(tried)[1])
    assert mask_predict(filler, source, 3, 3) == best
    assert [len(ids) for ids in mask_predict(filler, source, 3)] == lengths[:, 0].tolist()


def test_the_length_is_read_off_the_end_of_the_source(filler: Transformer, batch: Batch) -> None:
    source = batch[0]
    with torch.inference_mode():
        together = filler.lengths(*filler.encode(source))
        alone = filler.lengths(*filler.encode(source[1:2, :3]))
        memory, _ = filler.encode(source)
    expected = filler.length(torch.stack([memory[0, 6], memory[1, 2], memory[2, 4]])).log_softmax(-1)
    torch.testing.assert_close(together, expected)
    torch.testing.assert_close(together[1:2], alone, atol=1e-5, rtol=0)
    torch.testing.assert_close(together.exp().sum(-1), torch.ones(3))


def test_asked_again_and_again_the_causal_decoder_ends_at_greedys_sentence(make_model: MakeModel, batch: Batch) -> None:
    model, source = make_model(tied_embeddings=False), batch[0][:1]
    (written,) = greedy(model, source, 9)
    assert len(set(written)) > 3
    with torch.inference_mode():
        memory, memory_mask = model.encode(source)
    answers = [log_probs.argmax(-1).tolist() for log_probs in fixed_point_steps(model, memory, memory_mask, len(written), 20)]
    assert len(answers) <= len(written) + 1
    for number, answer in enumerate(answers, start=1):
        assert answer[:number] == written[:number]
    assert answers[-1] == written


def test_masks_are_drawn_from_one_token_to_all_and_never_from_padding() -> None:
    torch.manual_seed(3)
    target = torch.tensor([[9, 8, 7, 6], [5, 4, PAD_ID, PAD_ID]]).repeat(400, 1)
    read, hidden = masked(target)
    assert not hidden[target == PAD_ID].any()
    assert torch.equal(read[~hidden], target[~hidden])
    assert (read[hidden] == MASK_ID).all()
    counts = hidden.sum(1)
    for row, length in ((0, 4), (1, 2)):
        shares = torch.bincount(counts[row::2], minlength=length + 1)[1:] / 400
        assert shares.min() > 0.7 / length
        assert hidden[row::2, :length].float().mean(0).std() < 0.05


def test_the_loss_knows_only_what_is_masked(filler: Transformer, batch: Batch) -> None:
    """With one token there is one way to mask it, so the loss is that of the pass over MASK_ID, and a tenth of the length's."""
    source, read = batch[0][:1], torch.tensor([[1, 330]])
    with torch.inference_mode():
        memory, memory_mask = filler.encode(source)
        token = -filler(source, torch.tensor([[MASK_ID]]))[0, 0, 330]
        length = -filler.lengths(memory, memory_mask)[0, 1]
        loss = MaskedLoss(filler, 0.0)(source, read, torch.tensor([[330, 2]]))
    assert float(loss) == pytest.approx(float(token + 0.1 * length), abs=1e-4)
