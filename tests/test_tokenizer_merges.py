"""The merges that are shown are those that the backend makes."""

from __future__ import annotations

import itertools
import random

import pytest

from viz_core.tokenizer import SPACE, Tokenizer

CORPUS = ["▁low", "▁low", "▁lower", "▁lowest", "▁newest", "▁newer", "▁widest", "ing", "▁sing", "▁singing", ","] * 4


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    return Tokenizer.train(CORPUS, 420)


def built(tokenizer: Tokenizer, word: str, spaced: bool) -> list[str]:
    steps = tokenizer.merges(word, spaced)
    return list(steps[-1].after if steps else tokenizer.letters(word, spaced))


@pytest.mark.parametrize("word", ["lowest", "singing", "aaa", "x", "Ä", "🐱low", "lo▁west", "▁", "\0", "<0x41>", "⟨s⟩", "ing北ing"])
@pytest.mark.parametrize("spaced", [True, False])
def test_last_merge_gives_the_tokens_of_the_backend(tokenizer: Tokenizer, word: str, spaced: bool) -> None:
    ids = tokenizer._word_ids(word, spaced)
    assert built(tokenizer, word, spaced) == [tokenizer.vocab[i] for i in ids]


def test_random_words_agree_with_the_backend(tokenizer: Tokenizer) -> None:
    draw = random.Random(1)
    for _ in range(300):
        word = "".join(draw.choices("lowernstidgLÄ▁🐱", k=draw.randint(1, 14)))
        assert built(tokenizer, word, True) == [tokenizer.vocab[i] for i in tokenizer._word_ids(word, True)], word


def test_each_step_joins_the_pair_learned_first(tokenizer: Tokenizer) -> None:
    steps = tokenizer.merges("lowest", True)
    assert steps[0].before == (SPACE, "l", "o", "w", "e", "s", "t")
    for step, following in itertools.pairwise(steps):
        assert following.before == step.after
    for step in steps:
        assert step.rank == step.ranks[step.at] == min(rank for rank in step.ranks if rank is not None)
        assert len(step.ranks) == len(step.before) - 1
