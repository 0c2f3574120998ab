"""A tap is the identity, a recorder keeps an alias, an editor changes what passes; and what a pass records is the registry."""

from typing import Any

import pytest
import torch

from tests.conftest import Batch
from viz_core.config import ModelConfig
from viz_core.errors import TapError
from viz_core.model import Transformer
from viz_core.sites import sites
from viz_core.taps import Editor, Recorder
from viz_core.texts import texts

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


S, T = 5, 3
OTHERS: dict[str, Any] = {
    "norm": "post", "n_decoder_layers": 3, "activation": "gelu", "positions": "learned", "scaled_embeddings": False,
    "embedding_norm": True, "final_norm": True, "tied_embeddings": False, "output_bias": True,
}  # fmt: skip
"""All that the models of others have."""
ENDS = {"norm": "pre", "decoder_final_norm": False}
"""A norm at the end of one stack only."""


@pytest.fixture(params=[{"norm": "pre"}, {"norm": "post"}, OTHERS, ENDS], ids=["pre", "post", "others", "ends"])
def recorded(request: pytest.FixtureRequest) -> tuple[ModelConfig, dict[str, torch.Tensor]]:
    config = ModelConfig(source_vocab=11, target_vocab=11, d_model=12, n_heads=2, n_layers=2, d_ff=20, **request.param)
    recorder = Recorder()
    Transformer(config).eval()(torch.randint(4, 11, (2, S)), torch.randint(4, 11, (2, T)), recorder)
    return config, recorder.tensors


def test_a_pass_records_the_registry_in_its_order(recorded: tuple[ModelConfig, dict[str, torch.Tensor]]) -> None:
    config, tensors = recorded
    assert list(tensors) == list(sites(config))


def test_every_tensor_has_the_axes_of_its_site(recorded: tuple[ModelConfig, dict[str, torch.Tensor]]) -> None:
    config, tensors = recorded
    for name, site in sites(config).items():
        target, cross = name.startswith(("decoder", "target", "output")), ".cross_attn." in name
        length = T if target else S
        sizes = {
            "B": 2, "h": 2, "1": 1, "d_k": 6, "D": 12, "F": 20, "V": 11, "T": length, "Tq": length, "Tk": S if cross else length,
        }  # fmt: skip
        shape = tuple(tensors[name].shape)
        assert len(shape) == len(site.axes), name
        for axis, size in zip(site.axes, shape, strict=True):
            assert size in (sizes[axis],) if axis in sizes else size in (1, length), (name, shape)


def test_every_site_is_explained(recorded: tuple[ModelConfig, dict[str, torch.Tensor]]) -> None:
    config, _ = recorded
    assert {site.text_key for site in sites(config).values()} <= texts("sites").keys()
    assert all(site.formula for site in sites(config).values())


@pytest.mark.parametrize(
    ("ties", "letter"),
    [({}, "E"), ({"tied_generator": "source", "tied_embeddings": False}, "U"), ({"tied_embeddings": False}, "U")],
)
def test_the_output_matrix_is_the_embedding_table_only_where_it_is(ties: dict[str, Any], letter: str) -> None:
    config = ModelConfig(source_vocab=11, target_vocab=11, **ties)
    assert sites(config)["output.logits"].formula == rf"\text{{states}}\; {letter}^\top"
