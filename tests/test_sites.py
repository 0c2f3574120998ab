"""The registry and what a pass really records are the same."""

from typing import Any

import pytest
import torch

from viz_core.config import ModelConfig
from viz_core.model import Transformer
from viz_core.sites import sites
from viz_core.taps import Recorder
from viz_core.texts import texts

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
