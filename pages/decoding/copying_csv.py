"""Numbers of a sentence written with copying, as CSV."""

from __future__ import annotations

from collections.abc import Iterator

from pages.decoding.copying_compute import Copied
from viz_core.app.csv_files import Cell, written
from viz_core.tokenizer import Tokenizer
from viz_core.tokens import Tokens


def copying_csv(found: Copied, source: Tokens, tokenizer: Tokenizer) -> bytes:
    """A line for each written piece and each source piece: what the heads look at, where it would be copied from, and the gate.

    `probability` is p_gen · p_vocab + (1 − p_gen) · the sum of `a` over the lines with `same`: the source piece is the written one.
    """

    def lines() -> Iterator[list[Cell]]:
        for step, piece in enumerate(found.pieces, 1):
            about: list[Cell] = [step, tokenizer.piece_text(piece.id), piece.id, piece.probability, piece.in_vocab, piece.p_gen]
            for at, from_piece in enumerate(source.pieces):
                numbers = [float(piece.mix[at]), float(piece.a[at])]
                yield [*about, at + 1, from_piece.text, int(at in piece.sources), *numbers]

    return written("step piece id probability p_vocab p_gen source_position source_piece same heads a", lines())
