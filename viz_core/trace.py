"""A Trace: the tensors that one forward pass computed, by site, with typed accessors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from viz_core.config import ModelConfig, Stack
from viz_core.errors import TapError, nearest

Array = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]
Floats = npt.NDArray[np.floating[Any]]
Kind = Literal["self", "masked", "cross"]
"""The three attentions of Figure 1: the encoder's self-attention, the decoder's masked self-attention, and cross attention."""

BLOCK: Mapping[Kind, tuple[Stack, str]] = {
    "self": ("encoder", "self_attn"),
    "masked": ("decoder", "self_attn"),
    "cross": ("decoder", "cross_attn"),
}
BLOCKS: Mapping[Stack, tuple[str, ...]] = {"encoder": ("self_attn", "ffn"), "decoder": ("self_attn", "cross_attn", "ffn")}
"""The sub-layers of one layer, in order (Figure 1)."""


def heads_shape(config: ModelConfig, kind: Kind) -> tuple[int, int]:
    """Layers and heads of one attention."""
    return config.layers(BLOCK[kind][0]), config.n_heads


@dataclass(frozen=True, eq=False)
class Attention:
    """One attention block of one layer, all heads. Arrays share the trace's memory; nothing is copied or rounded.

    Attributes:
        q: (h, Tq, d_k).   k, v: (h, Tk, d_k).
        scores, scaled, masked, weights: (h, Tq, Tk). masked is −∞ where the mask forbids.
        mask: True where a query may look, (Tq, Tk).
        mix: the weighted values of each head, (h, Tq, d_k).
        out: the block's output, (Tq, D).
    """

    q: Array
    k: Array
    v: Array
    scores: Array
    scaled: Array
    mask: npt.NDArray[np.bool_]
    masked: Array
    weights: Array
    mix: Array
    out: Array


@dataclass(frozen=True, eq=False, repr=False)
class Trace(Mapping[str, Tensor]):
    """What a traced pass recorded: full site name → tensor, in the order of computation.

    Attributes:
        config: the shape of the model.
        tensors: by full site name, batch first, as computed.
    """

    config: ModelConfig
    tensors: Mapping[str, Tensor]

    def __post_init__(self) -> None:
        object.__setattr__(self, "tensors", MappingProxyType(dict(self.tensors)))

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles and copies bit for bit, as NumPy arrays."""
        return _of_arrays, (self.config, {site: np.ascontiguousarray(tensor.numpy()) for site, tensor in self.tensors.items()})

    def __getitem__(self, site: str) -> Tensor:
        """The very tensor of the forward pass.

        Raises:
            TapError: no such site was recorded.
        """
        try:
            return self.tensors[site]
        except KeyError:
            raise TapError(f"site {site!r} was not recorded; {nearest(site, self.tensors)}") from None

    def __contains__(self, site: object) -> bool:
        return site in self.tensors

    def __iter__(self) -> Iterator[str]:
        return iter(self.tensors)

    def __len__(self) -> int:
        return len(self.tensors)

    def __eq__(self, other: object) -> bool:
        return self is other  # not tensor by tensor, as a Mapping would

    def __hash__(self) -> int:
        return id(self)

    def __repr__(self) -> str:
        """Sites and shapes; the layers of a stack share a line where their shapes are equal."""
        lines: dict[tuple[str, str, tuple[int, ...]], list[int]] = {}
        for name, tensor in self.tensors.items():
            stack, layer, rest = [*name.split(".", 2), "", ""][:3]
            if layer.isdecimal():
                lines.setdefault((stack, rest, tuple(tensor.shape)), []).append(int(layer))
            else:
                lines[name, "", tuple(tensor.shape)] = []
        listed = [f"  {_grouped(stack, layers, rest)} {shape}" for (stack, rest, shape), layers in lines.items()]
        return "\n".join([f"Trace of {len(self)} sites; a name has one number for {{…}}:", *listed])

    def get(self, site: str, default: Any = None) -> Any:
        """The tensor of a site, or the default where it was not recorded."""
        return self.tensors.get(site, default)

    def attentions(self, kind: Kind, row: int = 0) -> list[Attention]:
        """The blocks of this kind in all layers; arguments as for `attention`."""
        return [self.attention(kind, layer, row) for layer in range(self.config.layers(BLOCK[kind][0]))]

    def array(self, site: str, row: int = 0) -> Array:
        """One sentence of the batch as a NumPy array that shares the tensor's memory.

        `source.positions` and `target.positions` are the same for every sentence and come whole.
        """
        tensor = self[site]
        array: Array = (tensor if site.endswith(".positions") else tensor[row]).numpy()
        return array

    def attention(self, kind: Kind, layer: int, row: int = 0) -> Attention:
        """One attention block of one layer, for one sentence of the batch."""
        stack, block = BLOCK[kind]
        prefix = f"{stack}.{layer}.{block}"
        parts = {site: self.array(f"{prefix}.{site}", row) for site in Attention.__annotations__ if site != "mask"}
        shape = parts["weights"].shape[1:]
        mask = self[f"{prefix}.mask"]
        mask = mask[min(row, mask.size(0) - 1), 0].expand(*shape)
        return Attention(**parts, mask=mask.numpy())


def _of_arrays(config: ModelConfig, arrays: Mapping[str, npt.NDArray[Any]]) -> Trace:
    return Trace(config, {site: torch.from_numpy(array) for site, array in arrays.items()})


def _grouped(stack: str, layers: list[int], rest: str) -> str:
    if not layers:
        return stack
    return f"{stack}.{layers[0]}.{rest}" if len(layers) == 1 else f"{stack}.{{{layers[0]}…{layers[-1]}}}.{rest}"
