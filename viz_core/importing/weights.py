"""The tensors of a model to import, each taken once, by name and shape; and those that a transformers model shares.

A transformers file may hold the embeddings and the generator under any of four names. If config.json ties them, `from_pretrained`
of transformers 5 ties those that the file lacks, and leaves those with other values untied; its `save_pretrained`, and `save_model`
of safetensors, keep one name for matrices that share their numbers.
"""

import re
from collections.abc import Iterable

import torch
from torch import Tensor

from viz_core.errors import ImportFailed
from viz_core.importing.source import Source

ROUNDED = 1e-5
"""Larger differences do not come from float32's rounding of a late position's angle."""


class Weights:
    """The tensors of a file, taken one by one, so that left-over ones can be reported.

    Args:
        by: for messages, which file says the shapes.
    """

    def __init__(self, source: Source, by: str = "") -> None:
        self._by = by
        self.file, self._left, self.taken = source.weights_file, dict(source.tensors), dict[str, Tensor]()
        self._kinds, self._zeros, self.notes = {_kind(name) for name in self._left}, dict[str, None](), source.notes

    def take(self, name: str, shape: Iterable[int], to: str | None = None) -> Tensor:
        """Takes a tensor of this shape; `to`: its name among the weights of our model."""
        tensor = self.look(name, shape)
        self._left.pop(name)
        if to:
            self.taken[to] = tensor
        return tensor

    def look(self, name: str, shape: Iterable[int]) -> Tensor:
        """A tensor of this shape, without taking it."""
        wanted = tuple(shape)
        if name not in self._left:
            others = "; other layers have theirs, so the file is incomplete" if _kind(name) in self._kinds else ""
            raise ImportFailed(f"{self.file}: {name} is missing, expected one of shape {wanted}{others}")
        tensor = self._left[name]
        if tuple(tensor.shape) != wanted:
            raise ImportFailed(f"{self.file}: {name} is {tuple(tensor.shape)}, expected {wanted}{self._by}")
        if not tensor.is_floating_point():
            kind = str(tensor.dtype).removeprefix("torch.")
            raise ImportFailed(f"{self.file}: {name} holds {kind}, expected floating-point numbers; quantized models are not read")
        if not bool(tensor.float().isfinite().all()):
            raise ImportFailed(f"{self.file}: {name} holds something that is not a finite number")
        return tensor

    def linear(self, name: str, to: str, out: int, into: int) -> None:
        """Takes the matrix (out, into) and the bias of a linear map."""
        self.take(f"{name}.weight", (out, into), f"{to}.weight")
        self.taken[f"{to}.bias"] = self.bias(f"{name}.bias", out)

    def bias(self, name: str, size: int) -> Tensor:
        """Takes a bias, (size,); zeros, with a note, if no layer of the stack has it, as with `bias=False`."""
        if name in self._left or _kind(name) in self._kinds:
            return self.take(name, (size,))
        self._zeros[_kind(name)] = None
        return torch.zeros(size)

    def norm(self, name: str, to: str, size: int, names: tuple[str, str] = ("weight", "bias")) -> None:
        """Takes the gain and the bias of a LayerNorm."""
        self.take(f"{name}.{names[0]}", (size,), f"{to}.gamma")
        self.taken[f"{to}.beta"] = self.bias(f"{name}.{names[1]}", size)

    def has(self, name: str) -> bool:
        return name in self._left

    def shape(self, name: str) -> tuple[int, ...]:
        if name not in self._left:
            raise ImportFailed(f"{self.file}: {name} is missing")
        return tuple(self._left[name].shape)

    def matrix(self, name: str) -> tuple[int, int]:
        """The shape of a matrix, which must exist."""
        shape = self.shape(name)
        if len(shape) != 2:
            raise ImportFailed(f"{self.file}: {name} is {shape}, expected a matrix")
        return shape[0], shape[1]

    def count(self, prefix: str) -> int:
        """Number of layers with this prefix."""
        numbers = {name.removeprefix(prefix).split(".")[0] for name in self._left if name.startswith(prefix)}
        return len(numbers)

    def left(self) -> dict[str, Tensor]:
        """The tensors that have not been taken."""
        return dict(self._left)

    def replace_prefix(self, prefix: str, other: str = "") -> None:
        """Renames the tensors whose names begin with a prefix."""
        renamed = self._left.items()
        self._left = {other + name.removeprefix(prefix) if name.startswith(prefix) else name: tensor for name, tensor in renamed}

    def drop(self, *names: str) -> None:
        """Leaves out tensors that are computed, or duplicates."""
        for name in names:
            self._left.pop(name, None)

    def tell_rounded(self, name: str, table: Tensor, formula: Tensor) -> None:
        """Notes that the file's positions differ slightly from the formula's, (T, D) each, which the import uses."""
        if table.numel() and (apart := float((table.float() - formula).abs().max())) > ROUNDED:
            kind = str(table.dtype).removeprefix("torch.")
            self.notes.append(
                f"{self.file}: {name} ({kind}) differs by up to {apart:.2g} from the sines and cosines that it was rounded from; "
                "the import computes these, in float32"
            )

    def finish(self, way_out: str = "") -> dict[str, Tensor]:
        """The tensors taken. Left-over masks and counters are ignored, since they are computed.

        Args:
            way_out: for the error message, what the user can do about left-over tensors.

        Raises:
            ImportFailed: a tensor is left over that our model has no place for.
        """
        odd = sorted(name for name, tensor in self._left.items() if tensor.is_floating_point() and not _is_mask(name, tensor))
        if lost := next((name for name in self._left if name.endswith("weight") and not _is_number(self._left[name])), None):
            self.look(lost, self._left[lost].shape)  # raises for a quantized matrix, which the model cannot do without
            raise ImportFailed(f"{self.file}: {lost} is empty, as in a part of a sharded model; save the whole model")
        if odd:
            many = f"{len(odd)} tensors have no place in this model, such as " if len(odd) > 1 else "no place in this model for "
            raise ImportFailed(f"{self.file}: {many}{odd[0]}{way_out}")
        if zeros := list(self._zeros):
            more = f" and {len(zeros) - 2} others" if len(zeros) > 2 else ""
            self.notes.append(f"{self.file}: no {', no '.join(zeros[:2])}{more}: these biases are read as 0")
        return self.taken


def _is_number(tensor: Tensor) -> bool:
    return tensor.is_floating_point() and tensor.numel() > 0


def _kind(name: str) -> str:
    """A name with a star for the layer's number, the same in all layers of a stack."""
    return re.sub(r"(?<![^.])\d+(?=\.(?!weight$|bias$))", "*", name)


def _is_mask(name: str, tensor: Tensor) -> bool:
    """True if a tensor is empty, or is square or named a mask and holds zeros and one other number: −∞, −1e9, −100, … or 1."""
    rows = tensor.float().squeeze()
    named = "mask" in name.rpartition(".")[2].lower()
    if rows.numel() > 0 and not named and (rows.dim() != 2 or rows.size(0) != rows.size(1)):
        return False
    other = rows[rows != 0]
    if other.numel() == 0:
        return named or rows.numel() == 0
    return bool((other == other[0]).all()) and (float(other[0]) == 1 or float(other[0]) <= -100)


SHARED, SOURCE, TARGET, GENERATOR = (
    "model.shared.weight",
    "model.encoder.embed_tokens.weight",
    "model.decoder.embed_tokens.weight",
    "lm_head.weight",
)


def take_embeddings(
    source: Source, weights: Weights, rows: tuple[int, int], d: int, *, shared: bool, tied: bool
) -> dict[str, bool | str]:
    """Reads the embedding and output matrices, as far as the file has them, and adds the ones that the model uses to the weights.

    Args:
        source: gets a note if its weights and its config.json contradict each other.
        rows: of source and target.
        shared: whether both languages share a matrix, by the model's kind and config.json.   tied: `tie_word_embeddings`.

    Returns:
        Which of them are equal, as fields of ModelConfig.
    """
    shapes = {SHARED: rows[0], SOURCE: rows[0], TARGET: rows[1], GENERATOR: rows[1]}
    matrices = {name: weights.take(name, (size, d)) for name, size in shapes.items() if weights.has(name)}
    if not (shared and tied):
        for name in (SOURCE, TARGET):
            if name not in matrices and SHARED in matrices and matrices[SHARED].shape == (shapes[name], d):
                matrices[name] = matrices[SHARED]
                source.notes.append(
                    f"{source.weights_file}: {name} is missing, {SHARED} stands for it; transformers 5 would draw it at random"
                )
    apart = []
    if tied:
        apart = _tie(matrices, (GENERATOR, TARGET, SOURCE) if shared else (GENERATOR,), SHARED if shared else TARGET)
    if apart:
        source.notes.append(
            f"config.json ties the embeddings, but {source.weights_file} has other numbers for {' and '.join(apart)}: "
            "read as in the file, not tied, which is what transformers does"
        )
    if missing := next((name for name in (SOURCE, TARGET, GENERATOR) if name not in matrices), None):
        why = "" if tied else ", or in config.json tie_word_embeddings true"
        named = SHARED if shared and tied else missing
        raise ImportFailed(f"{source.weights_file}: {named} is missing, expected one of shape {(shapes[named], d)}{why}")
    one_matrix, generator_is_tied = _equal(matrices[SOURCE], matrices[TARGET]), _equal(matrices[GENERATOR], matrices[TARGET])
    with_source = not generator_is_tied and _equal(matrices[GENERATOR], matrices[SOURCE])
    weights.taken["source_embedding.weight"] = matrices[SOURCE]
    if not one_matrix:
        weights.taken["target_embedding.weight"] = matrices[TARGET]
    if not generator_is_tied and not with_source:
        weights.taken["generator.weight"] = matrices[GENERATOR]
    return {"tied_embeddings": one_matrix, "tied_generator": "source" if with_source else generator_is_tied}


def _tie(matrices: dict[str, Tensor], names: tuple[str, ...], to: str) -> list[str]:
    """Fills in the matrices that the file lacks, in the order of transformers' `tie_weights`; returns those that differ."""
    if to not in matrices:
        first = next((name for name in names if name in matrices), None)
        if first is None:
            return []
        matrices[to] = matrices[first]
    for name in names:
        matrices.setdefault(name, matrices[to])
    return [name for name in names if not _equal(matrices[name], matrices[to])]


def _equal(left: Tensor, right: Tensor) -> bool:
    return left.shape == right.shape and torch.equal(left.float(), right.float())
