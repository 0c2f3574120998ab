"""A tap is the identity, a recorder keeps an alias, an editor changes what passes."""

import pytest
import torch

from tests.conftest import Batch
from viz_core.errors import TapError
from viz_core.model import Transformer
from viz_core.taps import OFF, Editor, Recorder

X = torch.arange(6.0).reshape(2, 3)


def test_off_hands_back_the_very_tensor() -> None:
    assert OFF.at("encoder.0")("q", X) is X


def test_a_recorder_keeps_an_alias_under_the_full_name() -> None:
    recorder = Recorder()
    assert recorder.at("encoder").at("0")("q", X) is X
    assert recorder.tensors == {"encoder.0.q": X}
    assert recorder.tensors["encoder.0.q"] is X


def test_a_site_written_twice_raises_and_is_named() -> None:
    recorder = Recorder()
    recorder.at("decoder.1")("k", X)
    with pytest.raises(TapError, match=r"decoder\.1\.k was written twice"):
        recorder.at("decoder").at("1")("k", X)


def test_an_editor_changes_its_site_and_no_other() -> None:
    recorder = Recorder()
    tap = Editor({"a.q": lambda value: value * 2}, recorder).at("a")
    assert torch.equal(tap("q", X), X * 2)
    assert tap("k", X) is X
    assert torch.equal(recorder.tensors["a.q"], X * 2)


@pytest.mark.parametrize("edit", [lambda value: value[:1], lambda value: value.double()])
def test_an_edit_must_keep_shape_and_dtype(edit: object) -> None:
    with pytest.raises(TapError, match=r"edit at q returns .* expected torch\.float32 \(2, 3\)"):
        Editor({"q": edit})("q", X)  # type: ignore[dict-item]


def test_recording_changes_no_bit(model: Transformer, batch: Batch) -> None:
    assert torch.equal(model(*batch), model(*batch, Recorder()))


def test_the_output_is_what_was_recorded_last(model: Transformer, batch: Batch) -> None:
    recorder = Recorder()
    output = model(*batch, recorder)
    assert output is recorder.tensors["output.log_probs"]


def test_taking_out_a_head_takes_it_out(model: Transformer, batch: Batch) -> None:
    def without_head_1(mix: torch.Tensor) -> torch.Tensor:
        return mix.index_fill(1, torch.tensor([1]), 0.0)

    recorder = Recorder()
    output = model(*batch, Editor({"encoder.0.self_attn.mix": without_head_1}, recorder))
    assert recorder.tensors["encoder.0.self_attn.mix"][:, 1].abs().max() == 0
    assert not torch.equal(output, model(*batch))


def test_opening_the_mask_lets_a_position_see_what_follows(model: Transformer, batch: Batch) -> None:
    recorder = Recorder()
    model(*batch, Editor({"decoder.0.self_attn.mask": torch.ones_like}, recorder))
    assert (recorder.tensors["decoder.0.self_attn.weights"] > 0).all()
    assert recorder.tensors["decoder.1.self_attn.weights"][0, :, 0, 1:].max() == 0
