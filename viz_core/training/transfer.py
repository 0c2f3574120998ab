"""Starting a model from the weights of another one, even with another vocabulary (Zoph et al. 2016, arXiv:1604.02201, §2)."""

from viz_core.checkpoint import Checkpoint
from viz_core.errors import CheckpointError
from viz_core.model import Transformer
from viz_core.tokenizer import Tokenizer

PER_TOKEN = ("source_embedding.weight", "target_embedding.weight", "generator.weight", "generator.bias")

SAME = ("n_heads", "n_layers", "n_decoder_layers", "norm", "activation", "positions", "layer_norm", "scaled_embeddings")
"""Settings that must be equal: otherwise the same matrices would compute something else, or some would have no place."""


def take_weights(model: Transformer, tokenizer: Tokenizer, start: Checkpoint) -> None:
    """Copy the parameters that both models have; of those with a row per token, the rows of tokens in both vocabularies.

    Raises:
        CheckpointError: a matrix has another shape or meaning.
    """
    if start.own_source_tokenizer:
        raise CheckpointError(f"{start.name}: has two vocabularies, and a run starts from one of a joint vocabulary")
    for name in SAME:
        ours, theirs = getattr(model.config, name), getattr(start.config, name)
        if ours != theirs:
            raise CheckpointError(f"{start.name}: has {name} {theirs}, this run has {ours}; its weights mean something else there")
    row = {token: i for i, token in enumerate(start.tokenizer.vocab)}
    new, old = zip(*[(i, row[token]) for i, token in enumerate(tokenizer.vocab) if token in row], strict=True)
    given = dict(start.model.named_parameters())
    for name, parameter in model.named_parameters():
        if name not in given:
            continue
        skipped = 1 if name in PER_TOKEN else 0
        if given[name].shape[skipped:] != parameter.shape[skipped:]:
            raise CheckpointError(f"{start.name}: {name} is {tuple(given[name].shape)}, this run has {tuple(parameter.shape)}")
        if name in PER_TOKEN:
            parameter.data[list(new)] = given[name].data[list(old)]
        else:
            parameter.data.copy_(given[name])
