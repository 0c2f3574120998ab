"""The tensors of a model that is imported, each taken once, by its name and its shape."""

from __future__ import annotations

from collections.abc import Iterable

import torch
from torch import Tensor

from viz_core.errors import ImportFailed
from viz_core.importing.source import Source
from viz_core.model.embedding import positional_encoding


class Weights:
    """The tensors of a file, taken one by one, so that what is left over can be told."""

    def __init__(self, source: Source) -> None:
        self._file, self._left, self.taken = source.weights_file, dict(source.tensors), dict[str, Tensor]()

    def take(self, name: str, shape: Iterable[int], to: str | None = None) -> Tensor:
        """A tensor of this shape; `to` puts it among the weights of our model, under this name."""
        wanted = tuple(shape)
        if name not in self._left:
            raise ImportFailed(f"{self._file}: {name} is missing, expected one of shape {wanted}")
        tensor = self._left.pop(name)
        if tuple(tensor.shape) != wanted:
            raise ImportFailed(f"{self._file}: {name} is {tuple(tensor.shape)}, expected {wanted}")
        if not tensor.is_floating_point() or not bool(tensor.isfinite().all()):
            raise ImportFailed(f"{self._file}: {name} holds something that is not a finite number")
        if to:
            self.taken[to] = tensor
        return tensor

    def linear(self, name: str, to: str, out: int, into: int) -> None:
        """The matrix (out, into) and the bias of a linear map."""
        self.take(f"{name}.weight", (out, into), f"{to}.weight")
        self.take(f"{name}.bias", (out,), f"{to}.bias")

    def norm(self, name: str, to: str, size: int, names: tuple[str, str] = ("weight", "bias")) -> None:
        """The gain and the bias of a LayerNorm."""
        for own, ours in zip(names, ("gamma", "beta"), strict=True):
            self.take(f"{name}.{own}", (size,), f"{to}.{ours}")

    def has(self, name: str) -> bool:
        return name in self._left

    def shape(self, name: str) -> tuple[int, ...]:
        if name not in self._left:
            raise ImportFailed(f"{self._file}: {name} is missing")
        return tuple(self._left[name].shape)

    def matrix(self, name: str) -> tuple[int, int]:
        """The shape of a matrix that is there."""
        shape = self.shape(name)
        if len(shape) != 2:
            raise ImportFailed(f"{self._file}: {name} is {shape}, expected a matrix")
        return shape[0], shape[1]

    def count(self, prefix: str) -> int:
        """How many layers there are whose names begin so."""
        numbers = {name.removeprefix(prefix).split(".")[0] for name in self._left if name.startswith(prefix)}
        return len(numbers)

    def buffers(self, endings: tuple[str, ...]) -> list[str]:
        """The names of those left whose last part is one of these."""
        return [name for name in self._left if name.rpartition(".")[2] in endings]

    def put_before(self, prefix: str) -> None:
        """Lets all names begin so."""
        self._left = {prefix + name: tensor for name, tensor in self._left.items()}

    def take_away(self, prefix: str) -> None:
        """Takes this from the start of the names that begin so."""
        self._left = {name.removeprefix(prefix): tensor for name, tensor in self._left.items()}

    def compare_positions(self, name: str, most: int, d: int, *, halves: bool = False) -> None:
        """Takes a matrix of sines and cosines, (rows, d) or with dimensions of 1 more, where there is one: ours are computed.

        Args:
            most: rows that are kept, at most.   halves: as for `positional_encoding`.

        Raises:
            ImportFailed: it holds something else, which our model could not have.
        """
        if self.has(name):
            found = torch.atleast_2d(self.take(name, self.shape(name)).squeeze())[:most].float()
            formula = positional_encoding(len(found), d, halves)
            if found.shape != formula.shape or not torch.allclose(found, formula, atol=2e-3):
                raise ImportFailed(
                    f"{self._file}: {name} is not the sines and cosines of the paper; only BART's positions may be learned"
                )

    def drop(self, *names: str) -> None:
        """Leaves out what is computed, or stands there twice."""
        for name in names:
            self._left.pop(name, None)

    def finish(self) -> dict[str, Tensor]:
        """What was taken; ImportFailed where something is left that our model has no place for."""
        if self._left:
            odd = sorted(self._left)
            raise ImportFailed(f"{self._file}: {len(odd)} tensors have no place in this model, such as {odd[0]}")
        return self.taken
