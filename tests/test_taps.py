"""A tap is the identity, a recorder keeps an alias, an editor changes what passes."""

import pytest
import torch

from tests.conftest import Batch
from viz_core.errors import TapError
from viz_core.model import Transformer
from viz_core.taps import Editor, Recorder

X = torch.arange(6.0).reshape(2, 3)


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
