"""Embedding vectors: nearest neighbours, and a map of some tokens."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from viz_core.analysis.next_token import vocabulary_label
from viz_core.checkpoint import Checkpoint
from viz_core.model.embedding import Embedding
from viz_core.tokenizer import Tokenizer
from viz_core.trace import Array, Floats


def norm(vector: Array) -> float:
    """Length of a vector, |x| = √Σ xᵢ²; derived."""
    return float(np.linalg.norm(vector.astype(np.float64)))


def colour_limit(values: Array, inside: float = 1.0) -> float:
    """End of a colour scale that holds this share of all values, rounded up to two significant digits."""
    edge = max(float(np.quantile(np.abs(values), inside)), 1e-6)
    unit = 10.0 ** (np.floor(np.log10(edge)) - 1)
    return float(np.ceil(edge / unit) * unit)


@dataclass(frozen=True, eq=False)
class EmbeddingSpace:
    """Every token of a vocabulary, with its vector.

    Attributes:
        embedding: the model's own; its matrix is not copied.   lengths: norms of the rows, (V,).
        labels: of the tokens.   texts: whether each is neither a special token nor a byte, (V,).
    """

    embedding: Embedding
    lengths: Floats
    labels: Sequence[str]
    texts: npt.NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.labels)

    @property
    def rows(self) -> Floats:
        """The embedding matrix E itself, (V, D)."""
        rows: Floats = self.embedding.weight.detach().numpy()
        return rows

    def unit(self, ids: Sequence[int]) -> Floats:
        """The rows of these tokens, each divided by its length, (n, D)."""
        divided: Floats = self.rows[ids] / self.lengths[ids, None]
        return divided


def vocabulary(embedding: Embedding, tokenizer: Tokenizer) -> EmbeddingSpace:
    lengths = np.maximum(embedding.weight.detach().norm(dim=1).numpy(), 1e-12)
    return EmbeddingSpace(embedding, lengths, [vocabulary_label(tokenizer, i) for i in range(len(tokenizer))], tokenizer.texts)


def one_hot_window(token_id: int, size: int) -> list[int]:
    """Indices of a few rows of the matrix: the first, one with its neighbours, the last."""
    return sorted({i for i in (0, token_id - 1, token_id, token_id + 1, size - 1) if 0 <= i < size})


def embedding_space(checkpoint: Checkpoint, side: str) -> EmbeddingSpace:
    """The embedding matrix of one side, `source` or `target`, as a space of tokens."""
    model = checkpoint.model
    embedding = model.source_embedding if side == "source" else model.target_embedding
    tokenizer = checkpoint.source_tokenizer if side == "source" else checkpoint.tokenizer
    return vocabulary(embedding, tokenizer)


def nearest_of(space: EmbeddingSpace, ids: Sequence[int], count: int) -> list[list[tuple[int, float]]]:
    """Nearest neighbours of some tokens by cosine similarity, cos(a, b) = a·b / (|a| |b|).

    Special tokens and bytes are left out: they are hardly trained, so they lie close to everything.

    Returns:
        For each token a list of (id, cosine), the nearest first.
    """
    neighbours: list[list[tuple[int, float]]] = []
    for start in range(0, len(ids), AT_A_TIME):
        some = ids[start : start + AT_A_TIME]
        cosines = space.unit(some) @ space.rows.T / space.lengths  # (n, V)
        cosines[:, ~space.texts] = cosines[range(len(some)), some] = -np.inf
        neighbours += [_best(space, token_id, row, count) for token_id, row in zip(some, cosines, strict=True)]
    return neighbours


AT_A_TIME = 16  # tokens whose cosines with the whole vocabulary are kept in memory
ROUNDED = 1e-5  # upper bound of a cosine's rounding error; its last digits depend on which ones are computed together


def _best(space: EmbeddingSpace, token_id: int, cosines: Floats, count: int) -> list[tuple[int, float]]:
    """The largest finite cosines of a token, of (V,), recomputed in float64; equal ones in the order of ids."""
    count = min(count, int(np.isfinite(cosines).sum()))
    if not count:
        return []
    least = -np.partition(-cosines, count - 1)[count - 1]  # sorting all of them would take much longer
    good = np.flatnonzero(cosines >= least - ROUNDED)
    own, others = space.rows[token_id].astype(np.float64), space.rows[good].astype(np.float64)
    exact = (others * own).sum(1) / np.maximum(norm(own) * np.linalg.norm(others, axis=1), 1e-24)
    best = np.argsort(-exact, kind="stable")[:count]
    return [(int(good[i]), float(exact[i])) for i in best]


def nearest(space: EmbeddingSpace, token_id: int, count: int) -> list[tuple[int, float]]:
    """The nearest neighbours of one token, as `nearest_of` gives them."""
    return nearest_of(space, [token_id], count)[0]


@dataclass(frozen=True, eq=False)
class WordMap:
    """Some tokens in a plane.

    Attributes:
        ids: of the tokens, those of the sentence first.
        owner: for each, the index in `ids` of the token whose neighbour it is, or its own.
        at: places, (n, 2).   explained: share of the variance along each axis, (2,).
        left: number of different tokens of the sentence that did not fit.
    """

    ids: list[int]
    owner: list[int]
    at: Floats
    explained: Floats
    left: int = 0


MOST = 44  # tokens on a map; more could not be told apart


def word_map(space: EmbeddingSpace, ids: Sequence[int], most: int = MOST) -> WordMap:
    """The tokens of a sentence and their nearest neighbours, in the plane of their first two principal components (Pearson 1901).

    X − mean = U S Vᵀ; places U S, explained S² / Σ S². Vectors are taken at unit length: the map shows what the cosine measures.

    Args:
        ids: may repeat; special tokens and bytes bring no neighbours.
        most: tokens on the map; the more the sentence has, the fewer neighbours each brings along.
    """
    different = list(dict.fromkeys(ids))
    tokens = different[:most]
    owner = list(range(len(tokens)))
    neighbours = min(5, most // max(1, len(tokens)) - 1)
    learned = [index for index, token_id in enumerate(tokens) if space.texts[token_id]]
    for index, ranked in zip(learned, nearest_of(space, [tokens[i] for i in learned], neighbours), strict=True):
        for near, _ in ranked:
            if near not in tokens:
                tokens.append(near)
                owner.append(index)
    points = space.unit(tokens).astype(np.float64)
    u, s, _ = np.linalg.svd(points - points.mean(0), full_matrices=False)
    places = np.zeros((len(tokens), 2))
    axes = min(2, len(s))
    places[:, :axes] = u[:, :axes] * s[:axes]
    share = np.zeros(2)
    share[:axes] = s[:axes] ** 2 / max(float((s**2).sum()), 1e-12)
    return WordMap(tokens, owner, places, share, max(0, len(different) - most))
