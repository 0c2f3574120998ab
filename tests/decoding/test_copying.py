"""The mixture of writing and copying: its formula by hand, its ends, and that decoding on a cache is the teacher-forced pass."""

import math

import pytest
import torch

from tests.conftest import MakeModel
from viz_core.config import BOS_ID, EOS_ID, PAD_ID
from viz_core.decoding import greedy
from viz_core.decoding.copying import Latest, copy_greedy, copy_steps
from viz_core.errors import ConfigError
from viz_core.model import Transformer
from viz_core.model.embedding import pad
from viz_core.model.pointer import PointerGenerator, PointerInputs, follows

SOURCES = [[300, 301, 302, 301, EOS_ID], [310, 311, 312, 313, 314, 315, EOS_ID], [320, EOS_ID]]


def pointer_of(model: Transformer, **values: float) -> PointerGenerator:
    """A pointer with random weights, some of them set to a value."""
    pointer = PointerGenerator(model.config)
    with torch.random.fork_rng(), torch.no_grad():
        torch.manual_seed(3)
        for name, parameter in pointer.named_parameters():
            parameter.copy_(torch.full_like(parameter, values[name]) if name in values else 0.3 * torch.randn_like(parameter))
    return pointer.requires_grad_(False)


@pytest.fixture(scope="module")
def tiny(make_model: MakeModel) -> PointerGenerator:
    """One layer, two heads of which the first counts three times, two dimensions; e^follow is 2."""
    pointer = PointerGenerator(make_model(n_layers=1, n_heads=2, d_model=2, d_ff=2).config)
    values = {
        "heads": [math.log(3.0), 0.0], "follow": math.log(2.0), "w_context": [1.0, -2.0], "w_state": [0.5, 0.0],
        "w_input": [0.0, 0.25], "bias": 0.75,
    }  # fmt: skip
    pointer.load_state_dict({name: torch.tensor(value) for name, value in values.items()})
    return pointer.requires_grad_(False)


def test_the_mixture_by_hand(tiny: PointerGenerator) -> None:
    # source 5 6 5 ⟨/s⟩, just written: 6, so that the second 5 follows it
    attention = torch.tensor([[[[0.4, 0.4, 0.2, 0.0]], [[0.0, 0.2, 0.2, 0.6]]]])
    memory = torch.tensor([[[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [0.0, 0.0]]])
    seen = PointerInputs(
        attention, memory, torch.tensor([[[2.0, 9.0]]]), torch.tensor([[[9.0, 4.0]]]), torch.tensor([[5, 6, 5, 2]]),
        torch.tensor([[6]]),
    )  # fmt: skip
    at = tiny(seen)
    # ¾ · head 1 + ¼ · head 2
    assert at.mix[0, 0].tolist() == pytest.approx([0.3, 0.35, 0.2, 0.15])
    # the third one doubled, then over 1.2
    assert at.a[0, 0].tolist() == pytest.approx([0.25, 0.35 / 1.2, 0.4 / 1.2, 0.125])
    context = (0.25 + 0.4 / 1.2, 0.35 / 1.2 + 0.4 / 1.2)
    terms = [context[0] - 2 * context[1], 1.0, 1.0, 0.75]
    assert at.terms[0, 0].tolist() == pytest.approx(terms)
    p_gen = 1 / (1 + math.exp(-sum(terms)))
    assert at.p_gen.item() == pytest.approx(p_gen)
    vocab = torch.tensor([0.0, 0.1, 0.2, 0.0, 0.3, 0.1, 0.1, 0.2])
    mixture = at.log_mixture(vocab.log()[None, None], seen.source)[0, 0].exp()
    copied = [0, 0, 0.125, 0, 0, 0.25 + 0.4 / 1.2, 0.35 / 1.2, 0]  # 5 stands twice, and both count
    assert mixture.tolist() == pytest.approx([p_gen * p + (1 - p_gen) * c for p, c in zip(vocab.tolist(), copied, strict=True)])
    for token in (2, 5, 7):
        one = at.log_prob(vocab.log()[None, None, token], seen.source, torch.tensor([[token]]))
        assert one.exp().item() == pytest.approx(mixture[token].item(), abs=1e-6)


def test_a_token_follows_what_stands_before_it() -> None:
    found = follows(torch.tensor([[5, 6, 5, 7, EOS_ID]]), torch.tensor([[BOS_ID, 5, 7]]))
    assert found[0].tolist() == [[False] * 5, [False, True, False, True, False], [False, False, False, False, True]]


def test_each_step_is_its_row_of_the_teacher_forced_pass_and_sums_to_1(model: Transformer) -> None:
    pointer, source = pointer_of(model), pad(SOURCES)
    steps = list(copy_steps(model, pointer, source, 12))
    ids = torch.stack([step.ids for step in steps], dim=1)  # (B, T)
    read = torch.cat([torch.full((len(SOURCES), 1), BOS_ID), ids[:, :-1]], dim=1)
    latest = Latest()
    log_vocab = model.generator(model.states(source, read, latest))
    at = pointer(latest.pointer_inputs(source, read))
    whole = at.log_mixture(log_vocab, source)  # (B, T, V)
    assert torch.allclose(whole.exp().sum(-1), torch.ones(whole.shape[:2]), atol=1e-5)
    assert (at.a[source[:, None].expand_as(at.a) == PAD_ID] == 0).all()
    for t, step in enumerate(steps):
        going_on = ~((ids[:, :t] == EOS_ID) | (ids[:, :t] == PAD_ID)).any(dim=1)
        assert (step.log_probs.exp() - whole[:, t].exp())[going_on].abs().max() <= 1e-5
        assert (step.pointing.a[:, 0] - at.a[:, t])[going_on].abs().max() <= 1e-5
        assert torch.equal(step.ids[going_on], whole[:, t].argmax(-1)[going_on])
    for row, each in enumerate(SOURCES):
        alone = copy_greedy(model, pointer, torch.tensor([each]), 12)[0]
        assert alone == copy_greedy(model, pointer, source, 12)[row]


def test_a_gate_that_is_open_writes_what_the_model_writes(model: Transformer) -> None:
    assert copy_greedy(model, pointer_of(model, bias=1e9), pad(SOURCES), 12) == greedy(model, pad(SOURCES), 12)


def test_where_nothing_is_looked_at_nothing_is_copied(model: Transformer) -> None:
    edits = {f"decoder.{layer}.cross_attn.weights": torch.zeros_like for layer in range(model.config.n_layers)}
    step = next(copy_steps(model, pointer_of(model, bias=-1e9), torch.tensor(SOURCES[:1]), 3, edits))
    assert step.pointing.p_gen.item() == 1
    assert torch.allclose(step.log_probs, step.log_vocab)


def test_two_vocabularies_cannot_copy(make_model: MakeModel) -> None:
    with pytest.raises(ConfigError, match="share one vocabulary"):
        PointerGenerator(make_model(tied_embeddings=False).config)
