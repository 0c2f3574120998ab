"""The characters, words, tokens and ids of a text, one row above the other, and the columns that each takes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from viz_core.analysis.words import groups
from viz_core.composed import is_mark
from viz_core.config import BOS_ID, EOS_ID, PAD_ID, UNK_ID
from viz_core.explain import Explanation
from viz_core.texts import visible
from viz_core.tokenizer import BYTES, FIRST_BYTE_ID, FIRST_TEXT_ID, Tokenizer
from viz_core.words import Merge, Token, TokenizedText

BLANK = "␣"
"""The sign for the space before a word."""
_BYTE = {entry: f"⟨{entry[3:5]}⟩" for entry in BYTES}


@dataclass(frozen=True)
class Span:
    """One entry of a row. It takes the columns start … start + width − 1 of its block."""

    text: str
    start: int
    width: int
    id: int | None = None


@dataclass(frozen=True)
class WordBlock:
    """One word with the space before it, or one special token. A column is a character, or one byte of a character.

    Attributes:
        index: of the word in the text, None for a special token.
        word: None for a special token.
        letters: its characters; BLANK for the space before it.
        tokens: with their ids.
    """

    index: int | None
    word: Span | None
    letters: tuple[Span, ...]
    tokens: tuple[Span, ...]

    @property
    def spaced(self) -> bool:
        """Whether it starts with a space."""
        return bool(self.letters) and self.letters[0].text == BLANK

    @property
    def width(self) -> int:
        return max(span.start + span.width for span in (*self.letters, *self.tokens))


def token_text(entry: str) -> str:
    """An entry of the vocabulary as the page shows it: a byte as ⟨E4⟩, anything else unchanged, with its leading ▁."""
    return _BYTE.get(entry, entry)


def written_target(explanation: Explanation) -> TokenizedText:
    """The whole target: ⟨s⟩, from which the decoder starts, and all tokens that it wrote."""
    start = explanation.target.tokens[0]
    return TokenizedText(explanation.text, explanation.target.words, (start, *explanation.output))


def blocks(tokenized: TokenizedText, tokenizer: Tokenizer) -> list[WordBlock]:
    """A text word by word, with each character above its token."""
    _, words = groups(tokenized)
    return [_block(tokenized, [tokenized.tokens[position] for position in positions], tokenizer) for positions in words]


def _block(tokenized: TokenizedText, group: Sequence[Token], tokenizer: Tokenizer) -> WordBlock:
    letters: list[Span] = []
    tokens: list[Span] = []
    column, last = 0, -1  # the next free column; the last character that has one
    for token in group:
        start = column
        follows_blank = token.start == 0 or tokenized.text[token.start - 1].isspace()
        if tokenizer.starts_word(token.id) and follows_blank:
            letters.append(Span(BLANK, column, 1))
            column += 1
        if token.start < token.end <= last + 1:  # another byte of the same character
            letters[-1] = Span(letters[-1].text, letters[-1].start, letters[-1].width + 1)
            column += 1
        for i in range(max(token.start, last + 1), token.end):
            wider = 1
            if letters and is_mark(tokenized.text[i]):  # drawn on its letter
                letter, wider = letters[-1], int(column == start)
                letters[-1] = Span(letter.text + tokenized.text[i], letter.start, letter.width + wider)
            else:
                letters.append(Span(tokenized.text[i], column, 1))
            column, last = column + wider, i
        column = max(column, start + 1)  # a special token has no characters but needs room
        text = tokenizer.specials.get(token.id) or token_text(tokenizer.vocab[token.id])
        tokens.append(Span(text, start, column - start, token.id))
    index = group[0].word
    own = [span for span in letters if span.text != BLANK]
    word = None
    if index is not None and own:
        start, end = own[0].start, own[-1].start + own[-1].width
        whole = tokenized.words[index]  # the last token may reach into the next word
        word = Span(tokenized.text[whole.start : max(whole.end, group[-1].end)], start, end - start)
    return WordBlock(index, word, tuple(letters), tuple(tokens))


def block_of(parts: Sequence[WordBlock], token: int) -> int:
    """The index of the block that holds the text's token with this index."""
    ends = np.cumsum([len(block.tokens) for block in parts])
    return int(np.searchsorted(ends, token, side="right"))


def built_words(explanation: Explanation, tokenizer: Tokenizer, side: str) -> list[dict[str, Any] | None]:
    """How the word of each of the `blocks` of one side, `source` or `target`, is built; None for a special token.

    letters: the pieces before the first merge. merges: of each the index of the left one of the two merged pieces, the rank from 1,
    the merged piece, and the result of `mergeable_pairs`. tokens: with their ids.
    """
    tokenized = explanation.source if side == "source" else written_target(explanation)
    return [_built(block, block.word.text, tokenizer) if block.word else None for block in blocks(tokenized, tokenizer)]


def _built(block: WordBlock, word: str, tokenizer: Tokenizer) -> dict[str, Any]:
    return {
        "word": visible(word),
        "letters": [visible(token_text(letter)) for letter in tokenizer.letters(word, block.spaced)],
        "merges": [
            (merge.at, merge.rank + 1, visible(token_text(merge.after[merge.at])), mergeable_pairs(merge))
            for merge in tokenizer.merges(word, block.spaced)
        ],
        "tokens": [(visible(token.text), token.id) for token in block.tokens],
    }


@dataclass(frozen=True)
class MergeRow:
    """A word after some of its merges.

    Attributes:
        tokens: its tokens at this point; a column is one of the characters before the first merge.
        joined: index of the token that the last merge made, None before the first merge.
        merge: the last merge.
    """

    tokens: tuple[Span, ...]
    joined: int | None
    merge: Merge | None


def merge_rows(letters: Sequence[str], merges: Sequence[Merge]) -> list[MergeRow]:
    """The word before the first merge and after each one, every token above its characters."""
    widths = [1] * len(letters)
    rows = [MergeRow(_row(letters, widths), None, None)]
    for merge in merges:
        widths = [*widths[: merge.at], widths[merge.at] + widths[merge.at + 1], *widths[merge.at + 2 :]]
        rows.append(MergeRow(_row(merge.after, widths), merge.at, merge))
    return rows


def _row(entries: Sequence[str], widths: Sequence[int]) -> tuple[Span, ...]:
    return tuple(Span(token_text(entry), sum(widths[:i]), widths[i]) for i, entry in enumerate(entries))


def mergeable_pairs(merge: Merge) -> list[tuple[str, str, int]]:
    """The neighbours that could be merged at this step, the first four by rank: (left, right, rank from 1)."""
    known = sorted((rank, i) for i, rank in enumerate(merge.ranks) if rank is not None)
    pieces = [visible(token_text(piece)) for piece in merge.before]
    return [(pieces[i], pieces[i + 1], rank + 1) for rank, i in known[:4]]


def count_kinds(explanation: Explanation) -> dict[str, int]:
    """How many tokens of source and target there are of each kind: pad, bos, eos, unk, bytes, text."""
    ids = explanation.source.ids + written_target(explanation).ids
    kinds = {"pad": PAD_ID, "bos": BOS_ID, "eos": EOS_ID, "unk": UNK_ID}
    counts = {name: sum(i == kind for i in ids) for name, kind in kinds.items()}
    counts["bytes"] = sum(UNK_ID < i < FIRST_TEXT_ID for i in ids)
    return counts | {"text": len(ids) - sum(counts.values())}


def id_ranges(entries: int) -> dict[str, int]:
    """The ids of each kind of token in a vocabulary of this size: its only id, or its first and last."""
    special = {"pad_id": PAD_ID, "bos_id": BOS_ID, "eos_id": EOS_ID, "unk_id": UNK_ID}
    return special | {"first_byte": FIRST_BYTE_ID, "last_byte": FIRST_TEXT_ID - 1, "first_text": FIRST_TEXT_ID, "last": entries - 1}
