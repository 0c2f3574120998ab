"""The fast decoder without taps, against the decoder under a tap and against whole passes."""

import itertools

import pytest
import torch
from torch import Tensor

from tests.conftest import MakeModel
from viz_core.config import EOS_ID
from viz_core.decoding import BeamSettings, beam_search, beam_steps, greedy_steps, sample_steps
from viz_core.decoding import hypothesis as module
from viz_core.model import Transformer
from viz_core.model.cache import DecoderCache
from viz_core.model.embedding import pad
from viz_core.model.incremental import IncrementalDecoder
from viz_core.taps import Editor

SOURCES = [[300, 301, 302, EOS_ID], [310, 311, 312, 313, 314, 315, EOS_ID], [320, EOS_ID], [330, 331, EOS_ID]]
READ = torch.tensor([[1, 340, 341, 342, 343], [1, 350, 351, 352, 353], [1, 360, 361, 362, 363], [1, 370, 371, 372, 373]])
KINDS = list(itertools.product(["pre", "post"], [True, False]))


@pytest.fixture(params=KINDS, ids=str)
def any_model(request: pytest.FixtureRequest, make_model: MakeModel) -> Transformer:
    norm, tied = request.param
    return make_model(norm=norm, tied_embeddings=tied)


@pytest.mark.parametrize("length", [4, 1], ids=["padded", "unpadded"])
def test_each_step_is_that_of_the_tapped_decoder_and_its_row_of_the_whole_pass(any_model: Transformer, length: int) -> None:
    source = pad(SOURCES[:length])
    memory, mask = any_model.encode(source)
    fast, cache = IncrementalDecoder(any_model, memory, mask, 5), DecoderCache(any_model.config.n_layers, 5)
    whole = any_model.generator.logits(any_model.states(source, READ[:length]))  # (B, T, V)
    for t in range(5):
        logits = fast(READ[:length, t])
        tapped = any_model.decode_step(READ[:length, t : t + 1], memory, mask, cache)
        assert (logits - tapped).abs().max() < 1e-4
        assert (logits - whole[:, t]).abs().max() < 1e-4


def test_reordered_rows_continue_from_the_rows_they_were_given(any_model: Transformer) -> None:
    """Rows repeat, are left out and change places; the second time each keeps its sentence."""
    source, read = pad([SOURCES[0], SOURCES[1]]), READ[:2, :2]
    fast = IncrementalDecoder(any_model, *any_model.encode(source), 9)
    for t in range(2):
        fast(read[:, t])
    for rows, moved in (([1, 0, 0, 1], True), ([3, 2, 1, 0], False), ([1, 2], True), ([1, 0, 1], True)):
        fast.reorder(torch.tensor(rows), moved)
        source, read = source[rows], read[rows]
        newest = torch.arange(400, 400 + len(rows))
        read = torch.cat([read, newest[:, None]], dim=1)
        expected = any_model.generator.logits(any_model.states(source, read))[:, -1]
        assert (fast(newest) - expected).abs().max() < 1e-4


def test_it_computes_in_the_precision_of_the_model(make_model: MakeModel) -> None:
    model = make_model().double()
    memory, mask = model.encode(pad(SOURCES))
    whole = model.generator.logits(model.states(pad(SOURCES), READ))  # (B, T, V)
    fast = IncrementalDecoder(model, memory, mask, 5)
    for t in range(5):
        assert (fast(READ[:, t]) - whole[:, t]).abs().max() < 1e-10
    with torch.inference_mode(), torch.autocast("cpu", torch.bfloat16):
        half = IncrementalDecoder(make_model(), *make_model().encode(pad(SOURCES)), 5)
        for t in range(5):
            assert (half(READ[:, t]).double() - whole[:, t]).abs().max() < 0.3


def test_every_search_gives_the_same_under_a_tap(any_model: Transformer) -> None:
    """An Editor without edits sees each pass and changes nothing, but is no reason to leave out the taps."""
    source, tap = pad(SOURCES), Editor({})
    for one, other in zip(greedy_steps(any_model, source, 9), greedy_steps(any_model, source, 9, tap), strict=True):
        assert torch.equal(one.ids, other.ids)
    for drawn, tapped in zip(
        sample_steps(any_model, source[:1], 9, draws=4), sample_steps(any_model, source[:1], 9, draws=4, tap=tap), strict=True
    ):
        assert torch.equal(drawn.ids, tapped.ids)
    settings = BeamSettings(3, 9, 0.6, n_best=3)
    both = zip(beam_steps(any_model, source, settings), beam_steps(any_model, source, settings, tap), strict=True)
    for step, seen in both:
        assert [[h.ids for h in each.live] for each in step] == [[h.ids for h in each.live] for each in seen]


def test_it_is_used_only_without_a_tap(make_model: MakeModel, monkeypatch: pytest.MonkeyPatch) -> None:
    """And not while learning, where dropout has a say."""
    model, taken = make_model(), []

    class Watched(IncrementalDecoder):
        def __call__(self, ids: Tensor) -> Tensor:
            taken.append(len(ids))
            return super().__call__(ids)

    monkeypatch.setattr(module, "IncrementalDecoder", Watched)
    list(beam_steps(model, pad(SOURCES), BeamSettings(2, 3), Editor({})))
    list(beam_steps(model, pad(SOURCES), BeamSettings(2, 3), whole=True))
    beam_search(model.train(), pad(SOURCES), 2, 3)
    assert taken == []
    beam_search(model.eval(), pad(SOURCES), 2, 3)
    assert taken == [4, 8, 8]
