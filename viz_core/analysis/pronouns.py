"""Pronoun resolution: Winograd pairs in which one word decides what "it" means, and whether the German pronoun follows."""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
import torch

from viz_core.analysis.words import groups
from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation
from viz_core.model.embedding import pad
from viz_core.trace import Doubles

FILE = Path(__file__).parent / "sentences" / "pronouns.toml"
LANGUAGES = "en", "de"
PRONOUN = "it"
LEAST = 0.1  # of a head's weights on both nouns together; below it, their shares say little
Pair = tuple[str, str]


@dataclass(frozen=True)
class Schema:
    """Two sentences that differ in one of `words`, which decides which of two nouns "it" stands for (after Winograd 1972).

    Attributes:
        sentences: "it" means the first noun in the first, the second noun in the second.   nouns: in the source.
        target: the German beginning, up to the pronoun.   pronouns: German, for the first noun and for the second.
    """

    sentences: Pair
    words: Pair
    nouns: Pair
    target: str
    pronouns: Pair


@dataclass(frozen=True, eq=False)
class PronounReading:
    """ln p of each pronoun (column) of a schema after the German beginning, for each sentence (row), (2, 2)."""

    schema: Schema
    log_probs: Doubles

    @property
    def right(self) -> tuple[bool, bool]:
        """True where the pronoun of the intended noun is the more probable of the two, for each sentence."""
        return bool(self.log_probs[0, 0] > self.log_probs[0, 1]), bool(self.log_probs[1, 1] > self.log_probs[1, 0])

    @property
    def turned(self) -> bool:
        """True if the pronoun is right in both sentences; chance is one in four."""
        return all(self.right)

    @property
    def leans(self) -> bool:
        """True if the word at least shifts the pronouns' log-probabilities in the right direction; chance is one in two."""
        first, second = self.log_probs[:, 0] - self.log_probs[:, 1]
        return bool(first > second)


@lru_cache(1)
def schemas() -> tuple[Schema, ...]:
    """The built-in schemas, English to German."""
    pairs = []
    for entry in tomllib.loads(FILE.read_text(encoding="utf-8"))["schema"]:
        words, nouns, pronouns = (tuple(entry[name]) for name in ("words", "nouns", "pronouns"))
        first, second = (entry["source"].format(word) for word in words)
        pairs.append(Schema((first, second), words, nouns, entry["target"], pronouns))
    return tuple(pairs)


def schema_of(left: str, right: str) -> tuple[Schema, bool] | None:
    """The schema whose two sentences these are, and whether they are in reverse order; None for any other pair."""
    for schema in schemas():
        if schema.sentences in ((left, right), (right, left)):
            return schema, (right, left) == schema.sentences
    return None


@torch.inference_mode()
def readings(checkpoint: Checkpoint, chosen: Sequence[Schema]) -> list[PronounReading]:
    """How an English–German model translates the pronoun in every sentence, given the German beginning; in one batch."""
    config = checkpoint.config
    sources, targets, starts, ends = [], [], [], []
    for schema in chosen:
        before = len(checkpoint.encode(schema.target, "target"))
        for sentence in schema.sentences:
            for pronoun in schema.pronouns:
                target = checkpoint.encode(f"{schema.target} {pronoun}", "target").ids
                sources.append(config.framed(checkpoint.encode(sentence, "source").ids))
                targets.append([config.bos_id, *target])
                starts.append(before)
                ends.append(len(target))
    log_probs = checkpoint.model(pad(sources, config.pad_id), pad(targets, config.pad_id)).double()  # (4 · schemas, T, V)
    totals = [
        float(log_probs[row, range(start, end), targets[row][start + 1 : end + 1]].sum())
        for row, (start, end) in enumerate(zip(starts, ends, strict=True))
    ]
    return [PronounReading(schema, np.array(totals[4 * i : 4 * i + 4]).reshape(2, 2)) for i, schema in enumerate(chosen)]


@dataclass(frozen=True, eq=False)
class PronounAttention:
    """Shares of one encoder head's attention from "it", for each sentence (row) and noun (column), (2, 2)."""

    layer: int
    head: int
    shares: Doubles

    @property
    def second(self) -> tuple[float, float]:
        """Share of the second noun in the attention to both, for each sentence."""
        before, after = self.shares[:, 1] / self.shares.sum(1)
        return float(before), float(after)


def most_changed_head(left: Explanation, right: Explanation, nouns: Pair) -> PronounAttention | None:
    """The encoder head whose attention from "it" shifts most between the two nouns; None if a word is missing.

    The shift is that of the second noun's share in the attention to both nouns. Heads that give both together less than LEAST in
    either sentence are left out.
    """
    first, other = (_noun_attention(explanation, nouns) for explanation in (left, right))
    if first is None or other is None:
        return None
    shares = np.stack([first, other], -2)  # (L, h, sentence, noun)
    both = shares.sum(-1)
    with np.errstate(invalid="ignore"):
        second = shares[..., 1] / both  # (L, h, sentence)
    moved = np.where((both >= LEAST).all(-1), np.abs(second[..., 1] - second[..., 0]), -1.0)
    layer, head = map(int, np.unravel_index(np.nan_to_num(moved, nan=-1.0).argmax(), moved.shape))
    return PronounAttention(layer, head, shares[layer, head]) if moved[layer, head] >= 0 else None


def _noun_attention(ex: Explanation, nouns: Pair) -> Doubles | None:
    """Attention from "it" to each noun, (L, h, 2): summed over the noun's tokens, averaged over the pronoun's."""
    labels, tokens = groups(ex.source)
    if not {PRONOUN, *nouns} <= set(labels):
        return None
    queries, keys = tokens[labels.index(PRONOUN)], [tokens[labels.index(noun)] for noun in nouns]
    weights = np.stack([block.weights for block in ex.trace.attentions("self")]).astype(np.float64)
    from_it = weights[:, :, queries].mean(2)  # (L, h, S)
    return np.stack([from_it[..., key].sum(-1) for key in keys], -1)
