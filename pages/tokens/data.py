"""The data of this page's figures."""

from typing import Annotated

from pages.tokens.compute import Span, blocks, built_words, count_kinds, written_target
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
    """A text in four rows: characters, words, tokens and ids.

    About: characters, how many the text has; blocks, each with its letters, word and tokens, as [text, start, width], a token also
    with its id; scores, of each block's tokens, in a unigram model.
    """
    tokenized, tokenizer = side_of(checkpoint, explanation, side)
    parts, scores = blocks(tokenized, tokenizer), None
    if isinstance(tokenizer, SentencePieceTokenizer):
        piece_scores = tokenizer.pieces.scores
        scores = [[piece_scores.get(tokenizer.vocab[token.id or 0]) for token in block.tokens] for block in parts]
    shown = [
        {
            "letters": [_entry(span) for span in block.letters],
            "word": _entry(block.word) if block.word else None,
            "tokens": [[*_entry(token), token.id] for token in block.tokens],
        }
        for block in parts
    ]
    return pack({}, {"side": side, "characters": len(tokenized.text), "blocks": shown, "scores": scores})


def _entry(span: Span) -> list[str | int]:
    return [visible(span.text), span.start, span.width]


def merges(checkpoint: Checkpoint, explanation: Explanation, side: Side, done: Count) -> bytes:
    """How each word is built from its characters, as from `built_words`. done: how many merges to show at most.

    About: counts, of each block's tokens; kinds, how many tokens of source and target are of each.
    """
    tokenized, tokenizer = side_of(checkpoint, explanation, side)
    if not isinstance(tokenizer, BpeTokenizer):
        raise Refused(404, "lacking", view="merges")
    counts = [len(block.tokens) for block in blocks(tokenized, tokenizer)]
    words, kinds = cached(built_words, explanation, tokenizer, side), count_kinds(explanation)
    return pack({}, {"side": side, "done": done, "counts": counts, "words": words, "kinds": kinds})
