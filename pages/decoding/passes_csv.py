"""The passes of a sentence that is written all at once, as CSV."""

from __future__ import annotations

from collections.abc import Iterator

from pages.decoding.non_autoregressive_compute import Filled
from viz_core.app.csv_files import Cell, written
from viz_core.tokenizer import Tokenizer


def passes_csv(found: Filled, tokenizer: Tokenizer, hidden: str) -> bytes:
    """A line for each place after each pass; `changed` is 1 where the pass before left another token there.

    Args:
        hidden: what the column is called that is 1 where `Pass.hidden` holds: `masked`, or what it means without masks.
    """

    def lines() -> Iterator[list[Cell]]:
        before = found.passes[0].ids
        for number, one in enumerate(found.passes, 1):
            places = zip(one.ids, before, one.probabilities, one.hidden, strict=True)
            for place, (token, was, probability, is_hidden) in enumerate(places, 1):
                yield [number, place, tokenizer.token_text(token), token, probability, int(is_hidden), int(token != was)]
            before = one.ids

    return written(f"pass place token id probability {hidden} changed", lines())
