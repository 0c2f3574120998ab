"""Finds the embeddings, the output matrix and the positions among the tensors beside the stacks.

import.json may name them; otherwise their own names and shapes tell. A name is read as words: `src_tok_emb.embedding` as src, tok,
emb, embedding.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import torch
from torch import Tensor

from viz_core.errors import ImportFailed
from viz_core.importing.description import NAME, Description, Vocabulary
from viz_core.importing.weights import Weights
from viz_core.model.embedding import positional_encoding

WORDS = {
    "source": r"src|source|enc|inp",
    "target": r"tgt|trg|target|dec|output",
    "embedding": r"\w*emb|lut$|wte$|tok|shared$",
    "positions": r"pos|w?pe$",
    "generator": r"gen|fc$|lin|head|out|proj|logit|classif",
}
"""Patterns for the beginning of such words."""
CLOSE, ANGLE = 1e-4, 4e-7
"""Tolerance between a file's positions and the formula, and its growth per row, since late angles are inexact in single
precision."""


@dataclass(frozen=True)
class Parts:
    """Names of tensors.

    Attributes:
        source, target: the embeddings; the same if one serves both languages.
        generator: the output matrix; the target embedding if the file has no other.
        positions: of source and target; empty if the file has none.
    """

    source: str
    target: str
    generator: str
    positions: tuple[str, ...]


class TakenParts(NamedTuple):
    """The parts and what they say, as fields of ModelConfig; bias: name of the output bias, None if there is none."""

    parts: Parts
    bias: str | None
    settings: dict[str, Any]


def take_parts(about: Description, weights: Weights, d: int) -> TakenParts:
    """Takes what no stack has taken: embeddings, output matrix with its bias, and positions."""
    about.leave_out(weights)
    parts = find_parts(about, weights, d)
    if parts.generator == parts.target:
        weights.notes.append(f"{weights.file}: no output matrix, so {parts.target} serves as one (generator in {NAME})")
    bias = _bias(weights, parts)
    positions = take_positions(about, weights, parts.positions)
    tied = about.embeddings(weights, parts.source, parts.target, parts.generator, d)
    if bias:
        weights.take(bias, (len(about.target),), "generator.bias")
    return TakenParts(parts, bias, positions | tied | {"output_bias": bias is not None})


def find_parts(about: Description, weights: Weights, d: int) -> Parts:
    """The parts of a model with d dimensions, among the tensors that no stack has taken.

    Raises:
        ImportFailed: they are ambiguous; the message names the field of import.json that would tell.
    """
    matrices, tables = list[str](), list[str]()
    for name, tensor in weights.left().items():
        if _is_computed(tensor, d):
            weights.drop(name)
        elif tensor.is_floating_point() and tensor.dim() >= 2 and tensor.size(-1) == d and tensor.numel() >= d:
            (tables if _is_positions(name, tensor) else matrices if tensor.dim() == 2 else []).append(name)
    given = {role: _given(about, weights, role) for role in ("source_embedding", "target_embedding", "generator")}
    generator = given["generator"] or _generator(matrices, weights, about.target, {*given.values()})
    turned = (d, len(about.target))
    if not generator and (
        name := next((name for name, table in weights.left().items() if table.shape == turned != turned[::-1]), "")
    ):
        raise ImportFailed(f"{weights.file}: {name} is {turned}, expected {turned[::-1]}, as torch.nn.Linear has it; save its .T")
    rest = [name for name in matrices if name != generator]
    if not rest and not (given["source_embedding"] and given["target_embedding"]):
        what = f"no matrix of {d} columns, one row for each word, beside the layers"
        raise ImportFailed(
            f"{weights.file}: {what}: save the whole model, embeddings included; or {NAME} names it: source_embedding"
        )
    source = given["source_embedding"] or _embedding(rest, "source", about, {given["target_embedding"]})
    target = given["target_embedding"] or _embedding(rest, "target", about, {source})
    if source is None and target is not None and len(rest) == 2:
        source = next(name for name in rest if name != target)
    if target is None and source is not None and len(rest) == 2:
        target = next(name for name in rest if name != source)
    if len(rest) == 1:
        source = source or rest[0]
        target = target or _target(source, generator, about, weights)
    for role, chosen in (("source_embedding", source), ("target_embedding", target)):
        if chosen is None:
            names = ", ".join(matrices[:6])
            raise ImportFailed(f"{weights.file}: {names}: which of them is the {role.replace('_', ' ')}? {NAME} says it: {role!r}")
    assert source and target
    return Parts(source, target, generator or target, _tables(tables, about))


def is_formula(table: Tensor) -> bool | None:
    """Whether a table (T, D) is the paper's positions: False with sine and cosine in turn, True with all sines first, else None."""
    if table.size(1) % 2 == 0 and table.is_floating_point():
        close = max(CLOSE, ANGLE * len(table), 4 * torch.finfo(table.dtype).eps)  # rounded in a half-precision file
        for halves in (False, True):
            if torch.allclose(table.float(), positional_encoding(len(table), table.size(1), halves), rtol=0, atol=close):
                return halves
    return None


def take_positions(about: Description, weights: Weights, names: Sequence[str]) -> dict[str, Any]:
    """Takes the positions of source and target, if the file has them; returns their kind and number, as fields of ModelConfig."""
    if not names:
        return {"max_len": about.max_len}
    tables = [rows(weights.look(name, weights.shape(name)))[: about.max_len] for name in names]
    weights.drop(*names)
    most = min(map(len, tables))
    kinds = {is_formula(table[:most]) for table in tables}
    if len(kinds) == 1 and None not in kinds:
        for name, table in dict(zip(names, tables, strict=True)).items():
            weights.tell_rounded(name, table, positional_encoding(len(table), table.size(1), bool(next(iter(kinds)))))
        return {"max_len": most, "positions": "halves" if kinds.pop() else "interleaved"}
    for side, table in zip(("source", "target"), tables, strict=True):
        weights.taken[f"{side}_embedding.positions"] = table[:most].clone()
    return {"max_len": most, "positions": "learned"}


def rows(tensor: Tensor) -> Tensor:
    """Positions as a matrix (T, D), without dimensions of size 1."""
    return tensor.reshape(-1, tensor.size(-1))


def _speaks_of(name: str, what: str, language: str = "") -> bool:
    """True if a word of a name is of this kind, or the code of a language."""
    words = re.split(r"[\W\d_]+", re.sub(r"([a-z])([A-Z])", r"\1_\2", name).lower())
    return any(word == language or re.match(WORDS[what], word) for word in words if word)


def _given(about: Description, weights: Weights, role: str) -> str | None:
    """The tensor that import.json names, with or without `.weight` and the prefix that was stripped from all names."""
    if about.fields.get(role) is None:
        return None
    name, left = about.fields.text(role), weights.left()
    for tensor in left:
        if any(full == tensor or full.endswith(f".{tensor}") or tensor.endswith(f".{full}") for full in (name, f"{name}.weight")):
            return tensor
    some = ", ".join([tensor for tensor in left if tensor.endswith("weight")][:6])
    raise ImportFailed(f"{NAME}: {role} is {name!r}, which {weights.file} does not hold; it holds {some}")


def _is_computed(tensor: Tensor, d: int) -> bool:
    """True for what a class of positions may keep to compute them: 0, 1, 2 …, or the frequencies."""
    n = tensor.numel()
    if n < 2 or n > max(tensor.shape) or not tensor.is_floating_point():
        return False
    flat, counted = tensor.flatten().float(), torch.arange(n)
    return torch.equal(flat, counted.float()) or (2 * n == d and torch.allclose(flat, 10_000 ** (-2 * counted / d), rtol=1e-4))


def _is_positions(name: str, tensor: Tensor) -> bool:
    return _speaks_of(name, "positions") or is_formula(rows(tensor)[:8]) is not None


def _generator(matrices: list[str], weights: Weights, target: Vocabulary, others: Iterable[str | None]) -> str | None:
    """The matrix that its name does not call an embedding; of several, the one with a bias or a usual name."""
    names = [name for name in matrices if name not in others and not _speaks_of(name, "embedding")]
    for fitting in (
        [name for name in matrices if weights.shape(name)[0] == len(target)],
        [name for name in matrices if target.fits(weights.shape(name)[0])],
        [name for name in matrices if weights.has(f"{name.removesuffix('weight')}bias")],
        [name for name in matrices if _speaks_of(name, "generator")],
        [name for name in matrices if not _speaks_of(name, "source") and not _speaks_of(name, "target")],
    ):
        if len(names) > 1 and not set(names).isdisjoint(fitting):
            names = [name for name in names if name in fitting]
    # A single matrix is an embedding, whatever it is called.
    return names[0] if len(names) == 1 and len(matrices) > 1 else None


def _embedding(names: list[str], side: str, about: Description, others: Iterable[str | None]) -> str | None:
    """The only name that mentions this side, or its language, and not the other."""
    language = dict(zip(("source", "target"), about.languages, strict=True))
    other = "target" if side == "source" else "source"
    own = [name for name in names if name not in others and _speaks_of(name, side, language[side])]
    candidates = [name for name in own if not _speaks_of(name, other, language[other])]
    return candidates[0] if len(candidates) == 1 else None


def _bias(weights: Weights, parts: Parts) -> str | None:
    """The bias beside the output matrix; if an embedding serves as one, the only bias with a number for each word."""
    if parts.generator != parts.target:
        beside = f"{parts.generator.removesuffix('weight')}bias"
        return beside if weights.has(beside) else None
    words = weights.shape(parts.target)[:1]
    names = [name for name, tensor in weights.left().items() if name.endswith("bias") and tensor.shape == words]
    return names[0] if len(names) == 1 else None


def _target(only: str, generator: str | None, about: Description, weights: Weights) -> str | None:
    """The target embedding of a file with one embedding: that one, or the output matrix; None if it might be either."""
    rows = {name: weights.shape(name)[0] for name in (only, generator) if name}
    exact = [name for name in rows if rows[name] == len(about.target)]
    fits = exact or [name for name in rows if about.target.fits(rows[name])]
    if len(fits) > 1 and _embedding([only], "source", about, ()):  # the source's alone, by its name
        return None
    return fits[0] if fits else only


def _tables(names: list[str], about: Description) -> tuple[str, ...]:
    """The positions of source and target: one for both, or one for each."""
    if not names:
        return ()
    source, target = (_embedding(names, side, about, ()) for side in ("source", "target"))
    return (names[0], names[0]) if len(names) == 1 else (source or names[0], target or names[1])
