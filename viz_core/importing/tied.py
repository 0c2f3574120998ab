"""The embeddings and the generator of a transformers model, which its file may hold under any of four names.

If config.json ties them, `from_pretrained` of transformers 5 ties those that the file lacks, and leaves those with other values
untied; its `save_pretrained`, and `save_model` of safetensors, keep one name for matrices that share their numbers.
"""

import torch
from torch import Tensor

from viz_core.errors import ImportFailed
from viz_core.importing.source import Source
from viz_core.importing.weights import Weights

SHARED, SOURCE, TARGET, GENERATOR = (
    "model.shared.weight",
    "model.encoder.embed_tokens.weight",
    "model.decoder.embed_tokens.weight",
    "lm_head.weight",
)


def take_embeddings(
    source: Source, weights: Weights, rows: tuple[int, int], d: int, *, shared: bool, tied: bool
) -> dict[str, bool | str]:
    """Takes those of the four matrices that the file has, and adds the ones that the model computes with to the weights.

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
