"""Typed text as an edit: as a forced token of the vocabulary, or as a replacement of a word."""

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from viz_core.tokenizer import SPACE, Tokenizer
from viz_core.words import Word, without_blanks

INSIDE = "·"  # leads a token that continues a word, as on every axis
ALIKE = 0.8  # similarity from which a word counts as misspelt: twice the common letters ÷ all letters (Ratcliff & Metzener 1988)


@dataclass(frozen=True)
class Forced:
    """A token to write. exact: whether the typed text is this token; if not, this is the nearest one."""

    id: int
    exact: bool


def forced_token(typed: str, tokenizer: Tokenizer) -> Forced:
    """The token that a typed text, not blank, stands for.

    Tokens are typed as shown: «Katze» begins a word, «·chen» continues one, «猫» follows no space, «⟨/s⟩» ends the sentence, «⟨E4⟩»
    is a byte. A sign such as «,» continues a word if there is such a token. Any other text becomes a token with a similar spelling,
    or the first token of its first word. Padding cannot be written, since attention masks it.
    """
    typed = tokenizer.normalized(typed)
    named = {tokenizer.token_text(i): i for i in (*tokenizer.specials, *tokenizer.byte_ids) if i != tokenizer.pad_id}
    if typed in named:
        return Forced(named[typed], True)
    word = typed.split(maxsplit=1)[0]
    inside = word.startswith(INSIDE) and len(word) > 1
    bare = word[1:] if inside else word.removeprefix(SPACE)
    spaced = not inside and ((bare[:1].isalnum() and not without_blanks(bare)) or word.startswith(SPACE))
    ids = {token: i for i, token in enumerate(tokenizer.vocab) if tokenizer.is_text(i)}
    spellings = [SPACE + bare, bare] if spaced else [bare] if inside else [bare, SPACE + bare]
    token_id = next((ids[spelling] for spelling in spellings if spelling in ids), None)
    if token_id is not None:
        return Forced(token_id, word == typed)
    like = [token for token in ids if token.startswith(SPACE) == spaced]
    if alike := difflib.get_close_matches(spellings[0], like, n=1, cutoff=ALIKE):
        return Forced(ids[alike[0]], False)
    return Forced(next(i for i in tokenizer.word_ids(bare, spaced) if tokenizer.vocab[i] != SPACE), False)


def forced_ids(words: Mapping[int, str], tokenizer: Tokenizer) -> dict[int, int]:
    return {index: forced_token(typed, tokenizer).id for index, typed in words.items()}


def swapped(text: str, words: Mapping[int, str], places: Sequence[Word]) -> tuple[str, list[int]]:
    """The text with these words replaced, by index, and the indices beyond its last word; places: the text's words."""
    for index in sorted(words, reverse=True):
        if index < len(places):
            text = text[: places[index].start] + words[index] + text[places[index].end :]
    return text, sorted(index for index in words if index >= len(places))
