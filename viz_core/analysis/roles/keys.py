"""Which keys each measure counts: for every query the tokens that a head of this role would look at.

    measure      the keys of query i                                        seen in
    self         i itself                                                   Raganato & Tiedemann 2018; Clark et al. 2019, §3.1
    previous     i − 1                                                      the same; Voita et al. 2019, §5.1
    next         i + 1; not in masked attention, where it is hidden         the same
    first        the first token: ⟨s⟩ for the decoder                       Raganato & Tiedemann 2018; Clark et al. 2019, §3.2
    last         the last token, ⟨/s⟩; not in masked attention              the same
    punctuation  tokens of words that are nothing but punctuation           Clark et al. 2019, §3.2
    word         the other tokens of i's own word; not in cross attention   Clark et al. 2019, §4.1 (why words are put together)
    repetition   other words with the same letters, capital or not          "duplicate token heads", Wang et al. 2023
    near         i − 1, i and i + 1, as far as they may be looked at        Raganato & Tiedemann 2018

In cross attention query i is the token that row i writes. `alignment` is counted in `consensus.py`.
"""

from __future__ import annotations

import unicodedata

import numpy as np
import numpy.typing as npt

from viz_core.tokens import TokenizedText
from viz_core.trace import Kind

Booleans = npt.NDArray[np.bool_]


def allowed(kind: Kind, queries: int, keys: int) -> Booleans:
    """Where a query may look, (Tq, Tk), without padding."""
    return np.tri(queries, keys, dtype=np.bool_) if kind == "masked" else np.ones((queries, keys), dtype=np.bool_)


def key_sets(kind: Kind, queries: TokenizedText, keys: TokenizedText) -> dict[str, Booleans]:
    """For each measure, True at the keys that it counts, (Tq, Tk) each."""
    i, j = np.indices((len(queries), len(keys)))
    spelt = np.array([[bool(a) and a == b for b in _spelt(keys)] for a in _spelt(queries)])
    sets = {
        "self": i == j,
        "previous": j == i - 1,
        "next": j == i + 1,
        "first": j == 0,
        "last": j == len(keys) - 1,
        "punctuation": np.broadcast_to([_is_punctuation(text) for text in _words(keys)], i.shape),
        "repetition": spelt,
        "near": abs(i - j) <= 1,
    }
    if kind != "cross":
        own = np.array([[a.word is not None and a.word == b.word for b in keys.tokens] for a in queries.tokens])
        sets |= {"word": own & (i != j), "repetition": spelt & ~own}
    if kind == "masked":
        del sets["next"], sets["last"]
    may = allowed(kind, *i.shape)
    return {name: counted & may for name, counted in sets.items()}


def _words(tokenized: TokenizedText) -> list[str]:
    """The word of each token, in small letters; nothing for a special token."""
    return ["" if token.word is None else tokenized.words[token.word].text.casefold() for token in tokenized.tokens]


def _spelt(tokenized: TokenizedText) -> list[str]:
    """The same without punctuation, of which every sentence repeats some."""
    return ["" if _is_punctuation(text) else text for text in _words(tokenized)]


def _is_punctuation(text: str) -> bool:
    return bool(text) and all(unicodedata.category(character).startswith("P") for character in text)
