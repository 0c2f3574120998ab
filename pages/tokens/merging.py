"""How one word is built from its characters, merge by merge. The browser draws it for the focused word."""

from collections.abc import Iterator, Sequence
from functools import partial

from pages.tokens.compute import BuiltWord, MergeRow, WordBlock, block_of, merge_rows
from pages.tokens.data import merges
from viz_core.app.arithmetic import show_arithmetic
from viz_core.app.csv_files import Cell, csv_file
from viz_core.app.page import Page


def show_merges(p: Page, side: str, parts: Sequence[WordBlock], built: Sequence[BuiltWord | None], done: int) -> None:
    """The focused word after each merge, and below it the arithmetic of the last one.

    Args:
        parts: the blocks of this side.   built: how each is built; None for a special token.
        done: merges that are shown, at most.
    """
    p.answer(merges, side=side, done=done)
    names = ("arithmetic", "arithmetic_none", "rank", "the_id", "the_ids")
    show_arithmetic(p, {name: p.texts[name] for name in names}, figure="merges", where={"side": side})
    picked = block_of(parts, looked_at(p, side))
    if (chosen := built[picked]) is not None:
        _offer(p, parts[picked], chosen.word, picked)


def looked_at(p: Page, side: str) -> int:
    """The focused token; in the target the one that this step writes."""
    return p.view.token if side == "source" else p.view.step + 1


def _offer(p: Page, block: WordBlock, word: str, picked: int) -> None:
    tokenizer = p.view.checkpoint.tokenizer
    rows = merge_rows(tokenizer.letters(word, block.spaced), tokenizer.merges(word, block.spaced))
    p.offer("merges", f"merges-{picked + 1}", partial(merges_csv, rows), word=word)


@csv_file("step rank position token merged")
def merges_csv(rows: Sequence[MergeRow]) -> Iterator[list[Cell]]:
    """The tokens of the word before the first merge (step 0) and after each one; merged is 1 for the token that it made."""
    for step, row in enumerate(rows):
        rank = None if row.merge is None else row.merge.rank + 1
        for i, token in enumerate(row.tokens):
            yield [step, rank, i + 1, token.text, int(i == row.joined)]
