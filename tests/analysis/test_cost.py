"""The arithmetic of cost against real models: their parameters one by one, and the products that torch itself counts."""

from typing import Any

import pytest
import torch
from torch.utils.flop_counter import FlopCounterMode

from viz_core.analysis.cost import BASE, BIG, parameters, part_costs, products, step_products
from viz_core.config import ModelConfig
from viz_core.model import Transformer
from viz_core.model.cache import DecoderCache
from viz_core.model.embedding import padding_mask

SMALL: dict[str, Any] = {"source_vocab": 31, "target_vocab": 31, "d_model": 12, "n_heads": 2, "n_layers": 3, "d_ff": 20}
SHAPES = [
    ModelConfig(**SMALL | each)
    for each in (
        {"norm": "pre"}, {"norm": "post", "n_heads": 6}, {"norm": "pre", "tied_embeddings": False, "target_vocab": 17},
        {"norm": "post", "n_layers": 1, "d_ff": 7}, {"decoder_final_norm": False},
    )
]  # fmt: skip


def built(config: ModelConfig) -> Transformer:
    with torch.device("meta"):
        return Transformer(config)


def belongs(name: str) -> str:
    """The part of a parameter, by its name in the model."""
    stack, *rest = name.split(".")
    if stack.endswith("embedding"):
        return f"embedding.{stack.removesuffix('_embedding')}"
    if stack == "generator":
        return stack
    block = next((part for part in rest if part in ("self_attn", "cross_attn", "ffn")), "norms")
    return f"{stack}.{block}"


@pytest.mark.parametrize("config", [*SHAPES, BASE, BIG], ids=str)
def test_every_part_has_the_parameters_of_a_real_model(config: ModelConfig) -> None:
    counted: dict[str, int] = {}
    for name, parameter in built(config).named_parameters():
        part = belongs(name)
        part = "embedding" if config.tied_embeddings and part == "embedding.source" else part
        counted[part] = counted.get(part, 0) + parameter.numel()
    assert {part.name: part.parameters for part in part_costs(config, 4, 5) if part.parameters} == counted
    assert parameters(config) == sum(counted.values())


@pytest.mark.parametrize("config", SHAPES, ids=str)
@pytest.mark.parametrize(("source", "target"), [(5, 7), (8, 1)])
def test_products_are_those_that_torch_counts(config: ModelConfig, source: int, target: int) -> None:
    model = Transformer(config).eval()
    with FlopCounterMode(display=False) as counter:
        model(torch.full((1, source), 5), torch.full((1, target), 5))
    assert counter.get_total_flops() == 2 * products(config, source, target)
    flops = counter.get_flop_counts()
    for part in part_costs(config, source, target):
        stack, _, block = part.name.partition(".")
        if block in ("self_attn", "cross_attn", "ffn"):
            at = [f"Transformer.{stack}.layers.{layer}.{block}" for layer in range(config.n_layers)]
            assert sum(sum(flops[name].values()) for name in at) == 2 * part.products, part.name


@pytest.mark.parametrize("config", SHAPES[:2], ids=str)
def test_a_decoding_step_costs_what_torch_counts(config: ModelConfig) -> None:
    model, source = Transformer(config).eval(), torch.full((1, 6), 5)
    memory, mask = model.encode(source)
    cache = DecoderCache(config.n_layers, 10)
    model.decode_step(torch.tensor([[1]]), memory, padding_mask(source), cache)
    for position in (2, 3):
        with FlopCounterMode(display=False) as counter:
            model.decode_step(torch.tensor([[7]]), memory, mask, cache)
        assert counter.get_total_flops() == 2 * step_products(config, 6, position)
