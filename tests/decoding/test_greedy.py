"""Decoding on a cache gives what the whole pass gives, row by row, one sentence or many."""

import pytest
import torch

from tests.conftest import MakeModel
from viz_core.checkpoint import Checkpoint
from viz_core.config import BOS_ID, EOS_ID, PAD_ID
from viz_core.decoding import greedy, greedy_steps, translate
from viz_core.edits import Edits, Head, site_edits
from viz_core.explain import explain
from viz_core.model import Transformer
from viz_core.model.embedding import pad
from viz_core.taps import Editor

SOURCES = [[300, 301, 302, EOS_ID], [310, 311, 312, 313, 314, 315, EOS_ID], [320, EOS_ID]]
LENGTHS = [3, 6, 1]


@pytest.fixture(scope="module")
def ending(make_model: MakeModel) -> Transformer:
    """A model whose sentences end after LENGTHS tokens: the logit of ⟨/s⟩ is 9 there and −9 before."""
    model = make_model(tied_embeddings=False)
    model.generator.weight[[EOS_ID, PAD_ID]] = 0
    source = pad(SOURCES)
    answer = torch.tensor(greedy(model, source, max(LENGTHS)))
    states = model.states(source, torch.cat([torch.full((len(SOURCES), 1), BOS_ID), answer], dim=1))  # (B, T, D)
    rows = torch.cat([states[i, : length + 1] for i, length in enumerate(LENGTHS)])
    logits = torch.cat([torch.tensor([-9.0] * length + [9.0]) for length in LENGTHS])
    model.generator.weight[EOS_ID] = (
        torch.linalg.lstsq(rows.double(), logits.double()[:, None], driver="gelsd").solution[:, 0].float()
    )
    return model


@pytest.mark.parametrize("norm", ["pre", "post"])
def test_each_cached_step_is_its_row_of_the_teacher_forced_pass(make_model: MakeModel, norm: str) -> None:
    model = make_model(norm=norm)
    source = pad(SOURCES)
    steps = list(greedy_steps(model, source, 12))
    answer = torch.stack([step.ids for step in steps], dim=1)  # (B, T)
    read = torch.cat([torch.full((len(SOURCES), 1), BOS_ID), answer[:, :-1]], dim=1)
    whole = model.generator.logits(model.states(source, read))  # (B, T, V)
    for t, step in enumerate(steps):
        going_on = ~(answer[:, :t] == EOS_ID).any(dim=1)  # what follows the end is padding, which nobody reads
        assert (step.logits - whole[:, t])[going_on].abs().max() <= 1e-4
        assert torch.equal(step.ids[going_on], whole[:, t].argmax(-1)[going_on])


def test_a_batch_gives_what_each_sentence_alone_gives(ending: Transformer) -> None:
    together = greedy(ending, pad(SOURCES), 20)
    assert together == [greedy(ending, torch.tensor([source]), 20)[0] for source in SOURCES]
    assert [len(row) for row in together] == LENGTHS


def test_decoding_stops_when_all_have_ended(ending: Transformer) -> None:
    steps = list(greedy_steps(ending, pad(SOURCES), 40))
    ids = torch.stack([step.ids for step in steps], dim=1)
    assert len(steps) == max(LENGTHS) + 1
    assert (ids == EOS_ID).any(dim=1).all()
    for row in ids.tolist():
        assert set(row[row.index(EOS_ID) + 1 :]) <= {PAD_ID}


def test_a_forced_token_is_written_and_read(model: Transformer) -> None:
    free = list(greedy_steps(model, pad(SOURCES[:1]), 5))
    forced = list(greedy_steps(model, pad(SOURCES[:1]), 5, forced={1: 444}))
    assert [int(step.ids) for step in forced[:2]] == [int(free[0].ids), 444]
    assert torch.equal(forced[1].logits, free[1].logits)  # what the model thinks of that step is not touched
    read = torch.tensor([[BOS_ID, int(free[0].ids), 444]])
    whole = model.generator.logits(model.states(pad(SOURCES[:1]), read))[:, -1]
    assert (forced[2].logits - whole).abs().max() <= 1e-4


TEXTS = ["The otter hides two umbrellas.", "", "My aunt.", " \t", "Don't hurry, it's only half past 9!", "x"]


def test_order_is_kept_and_blank_stays_blank(checkpoint: Checkpoint) -> None:
    together = translate(checkpoint, TEXTS, batch=2)
    alone = [translate(checkpoint, [text])[0] for text in TEXTS]
    assert together == alone
    assert together[1] == together[3] == ""


def test_an_editor_acts_in_every_step_of_the_batch(checkpoint: Checkpoint) -> None:
    edits = Edits(heads={Head("masked", layer, head) for layer in range(2) for head in range(4)})
    texts = [text for text in TEXTS if text.strip()]
    tap = Editor(site_edits(edits, checkpoint.config))
    edited = translate(checkpoint, texts, tap=tap)
    assert edited == [explain(checkpoint, text, edits=edits).text for text in texts]
    assert edited != translate(checkpoint, texts)
