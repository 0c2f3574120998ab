"""The keys that each measure counts: for every query, the tokens that a head of this role would attend to.

    measure      the keys of query i                                        seen in
    self         i itself                                                   Raganato & Tiedemann 2018; Clark et al. 2019, §3.1
    previous     i − 1                                                      the same; Voita et al. 2019, §5.1
    next         i + 1; not in masked attention, where it is hidden         the same
    first        the first token: ⟨s⟩ for the decoder                       Raganato & Tiedemann 2018; Clark et al. 2019, §3.2
    last         the last token, ⟨/s⟩; not in masked attention              the same
    punctuation  tokens of words that are nothing but punctuation           Clark et al. 2019, §3.2
    word         the other tokens of i's own word; not in cross attention   Clark et al. 2019, §4.1 (on joining words)
    repetition   other words with the same letters, capital or not          "duplicate token heads", Wang et al. 2023
    article      `articles.py`; not in cross attention                      Voita et al. 2019, §5.2 (syntactic relations)
    near         i − 1, i and i + 1, where the mask allows them             Raganato & Tiedemann 2018

In cross attention query i is the token that row i writes. `alignment` is counted by `consensus`.
"""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from viz_core.analysis.words import by_words, groups
from viz_core.trace import Array, Doubles, Kind
from viz_core.words import TokenizedText

Booleans = npt.NDArray[np.bool_]
Integers = npt.NDArray[np.int64]


def allowed(kind: Kind, queries: int, keys: int) -> Booleans:
    """Where a query may look, (Tq, Tk), without padding."""
    return np.tri(queries, keys, dtype=np.bool_) if kind == "masked" else np.ones((queries, keys), dtype=np.bool_)


def key_sets(kind: Kind, queries: TokenizedText, keys: TokenizedText, language: str) -> dict[str, Booleans]:
    """For each measure, True at the keys that it counts, (Tq, Tk) each; language: of the keys."""
    i, j = np.indices((len(queries), len(keys)))
    spelt = np.array([[bool(a) and a == b for b in _spelt(keys)] for a in _spelt(queries)])
    sets = {
        "self": i == j,
        "previous": j == i - 1,
        "next": j == i + 1,
        "first": j == 0,
        "last": j == len(keys) - 1,
        "punctuation": np.broadcast_to([is_punctuation(text) for text in _words(keys)], i.shape),
        "repetition": spelt,
        "near": abs(i - j) <= 1,
    }
    if kind != "cross":
        own = np.array([[a.word is not None and a.word == b.word for b in keys.tokens] for a in queries.tokens])
        sets |= {"word": own & (i != j), "repetition": spelt & ~own, "article": article_keys(kind, keys, language)}
    if kind == "masked":
        del sets["next"], sets["last"]
    may = allowed(kind, *i.shape)
    return {name: counted & may for name, counted in sets.items()}


def _words(tokenized: TokenizedText) -> list[str]:
    """The word of each token, in lower case; empty for a special token."""
    return ["" if token.word is None else tokenized.words[token.word].text.casefold() for token in tokenized.tokens]


def _spelt(tokenized: TokenizedText) -> list[str]:
    """`_words`, but empty for punctuation, which every sentence repeats."""
    return ["" if is_punctuation(text) else text for text in _words(tokenized)]


@dataclass(frozen=True, eq=False)
class Consensus:
    """One sentence's evidence on every head of cross attention. H counts the heads of all layers, W the words written.

    Attributes:
        counted: True at the tokens of the source word that the other heads agree on, (H, Tq, Tk); False in rows of special tokens.
        aligned: that source word for each word written, (H, W).
        picked: the source word that the head itself attends to most, ⟨/s⟩ counting as a word, (H, W).   read: without ⟨/s⟩, (H, W).
        choices: number of source words, plus one for ⟨/s⟩.
    """

    counted: Booleans
    aligned: Integers
    picked: Integers
    read: Integers
    choices: int

    def in_order(self) -> tuple[Doubles, int]:
        """Pairs of words written that each head reads from left to right, (H,), a tie counting half; and the number of pairs.

        Their ratio is (τ + 1) / 2, with Kendall's τ_a (1938).
        """
        left, right = np.triu_indices(self.read.shape[1], 1)
        steps = self.read[:, right] - self.read[:, left]
        return (steps > 0).sum(-1) + 0.5 * (steps == 0).sum(-1), len(left)


def consensus(weights: Array, queries: TokenizedText, keys: TokenizedText) -> Consensus | None:
    """The model's own word alignment, for each head by all others; not a gold alignment. None with a single head, or no word.

    Attention and alignment differ (Koehn & Knowles 2017, §3.5; Jain & Wallace 2019), so the consensus for one head is the source
    word, without ⟨/s⟩, to which all *other* heads of all layers attend most on average. With the shipped model, it agrees with
    erasure (`alignment.word_losses`) at 72 % of the words in every eighth sentence, the best single head at 63 %, a diagonal at
    48 %.

    Args:
        weights: cross attention of all heads, (H, Tq, Tk).
        queries: what was written.   keys: the source, ⟨/s⟩ at its end.
    """
    _, key_groups = groups(keys)
    written = [group for group in groups(queries)[1] if queries.tokens[group[0]].word is not None]
    if len(weights) < 2 or not written:
        return None
    shares = by_words(weights, written, key_groups)  # (H, W, source words + 1)
    words = shares[..., :-1]
    aligned = (words.sum(0) - words).argmax(-1)  # (H, W)
    member = np.array([[key in group for key in range(len(keys))] for group in key_groups])  # (source words + 1, Tk)
    counted = np.zeros(weights.shape, dtype=np.bool_)
    for word, rows in enumerate(written):
        counted[:, rows] = member[aligned[:, word], None]
    return Consensus(counted, aligned, shares.argmax(-1), words.argmax(-1), len(key_groups))


ARTICLES: Mapping[str, frozenset[str]] = {
    language: frozenset(words.split())
    for language, words in {
        "en": "a an the",
        "de": "der die das den dem des ein eine einen einem einer eines",
        "fr": "le la les l' l’ un une des",
        "es": "el la los las un una unos unas",
        "it": "il lo la i gli le l' l’ un uno una un' un’",
        "pt": "o a os as um uma uns umas",
        "nl": "de het een",
        "sv": "en ett den det de",
    }.items()
}
"""Complete lists, without contractions with a preposition («im», «du»). Some words are pronouns, too («das», «la»)."""
AFTER, BEFORE = 2, 3  # words from an article to its noun, and from a word back to its article, with room for adjectives


def article_keys(kind: Kind, text: TokenizedText, language: str) -> npt.NDArray[np.bool_]:
    """True at the keys to which a head that joins articles and nouns attends, (T, T); False in a language without articles.

    In self-attention articles attend to the two words after them. In masked attention these words are not read yet, so there the
    other words attend to the nearest article at most three words back. Punctuation ends a phrase.
    """
    words = [word.text.casefold() for word in text.words]
    articles = ARTICLES.get(language, frozenset())
    phrases = [_after(i, words, articles) if kind == "self" else _before(i, words, articles) for i in range(len(words))]
    rows = [range(0) if token.word is None else phrases[token.word] for token in text.tokens]
    return np.array([[token.word in row for token in text.tokens] for row in rows], dtype=np.bool_)


def is_punctuation(word: str) -> bool:
    return bool(word) and all(unicodedata.category(character).startswith("P") for character in word)


def _after(place: int, words: list[str], articles: frozenset[str]) -> range:
    end = place + 1
    while words[place] in articles and end < min(len(words), place + 1 + AFTER) and not is_punctuation(words[end]):
        end += 1
    return range(place + 1, end)


def _before(place: int, words: list[str], articles: frozenset[str]) -> range:
    if words[place] not in articles and not is_punctuation(words[place]):
        for back in range(place - 1, max(place - 1 - BEFORE, -1), -1):
            if words[back] in articles:
                return range(back, back + 1)
            if is_punctuation(words[back]):
                break
    return range(0)
