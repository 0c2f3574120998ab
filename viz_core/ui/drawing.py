"""What the drawing of the model shows of the current view."""

from __future__ import annotations

from collections.abc import Mapping

from viz_core.figures.architecture_parts import Bar, Chip, Sentence
from viz_core.tokens import Piece
from viz_core.ui.state import View

CANDIDATES = 3
BEFORE = 48  # characters of the translation that stay in view before the current piece


def sentence_of(view: View) -> Sentence:
    """The sentence, its translation split at the current piece, the pieces, and the most probable next ones."""
    explanation, step = view.explanation, view.current
    piece = explanation.output[view.step]
    written = explanation.text[: piece.start]
    return Sentence(
        source=explanation.source.text,
        written=written if len(written) <= BEFORE else f"… {written[-BEFORE:]}",
        now=explanation.text[piece.start : piece.end],
        rest=explanation.text[piece.end :],
        pieces_in=[_chip(piece) for piece in explanation.source.pieces],
        pieces_out=[_chip(piece, i, view.step) for i, piece in enumerate(explanation.target.pieces)],
        bars=_bars(view, piece),
        next_piece=piece.text,
        last=step.index + 1 == len(explanation.steps),
        forced=explanation.forced,
    )


def details(view: View) -> Mapping[str, int]:
    """The numbers that labels and captions name."""
    config = view.config
    return {
        "heads": config.n_heads,
        "layers": config.n_layers,
        "d_model": config.d_model,
        "d_k": config.d_k,
        "d_ff": config.d_ff,
        "vocabulary": config.target_vocab,
        "step": view.step + 1,
        "steps": len(view.explanation.steps),
        "source": len(view.source),
        "target": len(view.target),
    }


def _chip(piece: Piece, index: int = 0, step: int | None = None) -> Chip:
    state = "" if step is None or index < step else "read" if index == step else "ahead"
    return Chip(piece.text, piece.word, state)  # type: ignore[arg-type]


def _bars(view: View, written: Piece) -> list[Bar]:
    """The most probable pieces; below them the one that is written, where a typed target has another."""
    step = view.current
    bars = [
        Bar(text, share, token == written.id)
        for token, (text, share) in zip(step.top_ids(CANDIDATES), step.top(CANDIDATES), strict=True)
    ]
    return bars if any(bar.lit for bar in bars) else [*bars, Bar(written.text, step.probability(written.id), True)]
