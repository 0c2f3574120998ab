"""The data of this page's figures."""

from collections.abc import Mapping, Sequence
from typing import Annotated

from pages.tokens.compute import BuiltWord, Span, WordBlock, blocks, built_words, count_kinds, written_target
from pages.tokens.controls import SIDE
from viz_core.app.answers import Between, Refused
from viz_core.app.cache import cached
from viz_core.browser.pack import pack
from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation
from viz_core.texts import visible
from viz_core.tokenizer import BpeTokenizer, SentencePieceTokenizer, Tokenizer
from viz_core.words import TokenizedText

Side = Annotated[str, SIDE]
Count = Annotated[int, Between(0, 9999)]


def side_of(checkpoint: Checkpoint, explanation: Explanation, side: str) -> tuple[TokenizedText, Tokenizer]:
    """A text and its tokenizer; the target's text is all that the decoder wrote."""
    if side == "source":
        return explanation.source, checkpoint.source_tokenizer
    return written_target(explanation), checkpoint.tokenizer


def spelling(checkpoint: Checkpoint, explanation: Explanation, side: Side) -> bytes:
    """A text in four rows: characters, words, tokens and ids."""
    tokenized, tokenizer = side_of(checkpoint, explanation, side)
    parts, scores = blocks(tokenized, tokenizer), None
    if isinstance(tokenizer, SentencePieceTokenizer):
        piece_scores = tokenizer.pieces.scores
        scores = [[piece_scores.get(tokenizer.vocab[token.id or 0]) for token in block.tokens] for block in parts]
    return spelling_payload(side, parts, len(tokenized.text), scores)


def merges(checkpoint: Checkpoint, explanation: Explanation, side: Side, done: Count) -> bytes:
    """How each word is built from its characters. done: how many merges to show at most."""
    tokenized, tokenizer = side_of(checkpoint, explanation, side)
    if not isinstance(tokenizer, BpeTokenizer):
        raise Refused(404, "lacking", view="merges")
    built = cached(built_words, explanation, tokenizer, side)
    return merges_payload(side, blocks(tokenized, tokenizer), built, done, count_kinds(explanation))


def spelling_payload(
    side: str, parts: Sequence[WordBlock], characters: int, scores: Sequence[Sequence[float | None]] | None = None
) -> bytes:
    """Each block with its letters, word and tokens, as [text, start, width]; a token also has its id.

    Args:
        characters: of the whole text.   scores: of each block's tokens, in a unigram model.
    """
    about = {
        "side": side,
        "characters": characters,
        "blocks": [
            {
                "letters": [_entry(span) for span in block.letters],
                "word": _entry(block.word) if block.word else None,
                "tokens": [[*_entry(token), token.id] for token in block.tokens],
            }
            for block in parts
        ],
        "scores": scores,
    }
    return pack({}, about)


def _entry(span: Span) -> list[str | int]:
    return [visible(span.text), span.start, span.width]


def merges_payload(
    side: str, parts: Sequence[WordBlock], built: Sequence[BuiltWord | None], done: int, kinds: Mapping[str, int]
) -> bytes:
    """Each word as in `BuiltWord`. kinds: how many tokens of source and target are of each."""
    words = [
        word and {
            "word": visible(word.word),
            "letters": [visible(letter) for letter in word.letters],
            "merges": [
                (left, rank, visible(joined), [(visible(a), visible(b), its) for a, b, its in pairs])
                for left, rank, joined, pairs in word.merges
            ],
            "tokens": [(visible(text), its) for text, its in word.tokens],
        }
        for word in built
    ]  # fmt: skip
    about = {
        "side": side,
        "done": done,
        "counts": [len(block.tokens) for block in parts],
        "words": words,
        "kinds": kinds,
    }
    return pack({}, about)
