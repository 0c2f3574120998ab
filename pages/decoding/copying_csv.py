"""Numbers of a sentence written with copying, as CSV."""

from __future__ import annotations

from collections.abc import Iterator

from pages.decoding.copying_compute import Copied
from viz_core.app.csv_files import Cell, written
from viz_core.tokenizer import Tokenizer
from viz_core.tokens import TokenizedText


def copying_csv(found: Copied, source: TokenizedText, tokenizer: Tokenizer) -> bytes:
    """A line for each written token and each source token: what the heads look at, where it would be copied from, and the gate.

    `probability` is p_gen · p_vocab + (1 − p_gen) · the sum of `a` over the lines with `same`: the source token is the written one.
    """

    def lines() -> Iterator[list[Cell]]:
        for step, token in enumerate(found.tokens, 1):
            about: list[Cell] = [step, tokenizer.token_text(token.id), token.id, token.probability, token.in_vocab, token.p_gen]
            for at, from_token in enumerate(source.tokens):
                numbers = [float(token.mix[at]), float(token.a[at])]
                yield [*about, at + 1, from_token.text, int(at in token.sources), *numbers]

    return written("step token id probability p_vocab p_gen source_position source_token same heads a", lines())
