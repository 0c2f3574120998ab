"""How one word is built from its characters, merge by merge. The browser draws it for the focused word."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from pages.tokens.compute import BuiltWord, MergeRow, WordBlock, block_of, merge_rows, mergeable_pairs, token_text
from pages.tokens.data import merges
from viz_core.app.arithmetic import PerState, show_arithmetic
from viz_core.app.csv_files import Cell, csv_file
from viz_core.app.markup import Raw, tex
from viz_core.app.page import Page
from viz_core.texts import enumerated

LISTED = 24
"""Tokens of a word that are written out in its formula."""


def show_merges(p: Page, side: str, parts: Sequence[WordBlock], built: Sequence[BuiltWord | None], done: int) -> None:
    """The focused word after each merge, and below it the arithmetic of the last one.

    Args:
        parts: the blocks of this side.   built: how each is built; None for a special token.
        done: merges that are shown, at most.
    """
    p.answer(merges, side=side, done=done)
    words = [{} if word is None else _word(p, block, word.word, done) for block, word in zip(parts, built, strict=True)]
    templates = {name: p.texts[name] for name in ("arithmetic", "arithmetic_none")}
    show_arithmetic(p, templates, by_token(side, parts, words))
    picked = block_of(parts, looked_at(p, side))
    if (chosen := built[picked]) is not None:
        _offer(p, parts[picked], chosen.word, picked)


def looked_at(p: Page, side: str) -> int:
    """The focused token; in the target the one that this step writes."""
    return p.view.token if side == "source" else p.view.step + 1


def by_token(side: str, parts: Sequence[WordBlock], words: Sequence[Mapping[str, Any]]) -> PerState:
    """The values of the arithmetic of each block, for each of its tokens."""
    values = [word for block, word in zip(parts, words, strict=True) for _ in block.tokens]
    texts = [{"text": "", **row} for row in values]
    return PerState(("token",), texts) if side == "source" else PerState(("step",), texts[1:])


def _offer(p: Page, block: WordBlock, word: str, picked: int) -> None:
    tokenizer = p.view.checkpoint.tokenizer
    rows = merge_rows(tokenizer.letters(word, block.spaced), tokenizer.merges(word, block.spaced))
    p.offer("merges", f"merges-{picked + 1}", partial(merges_csv, rows), word=word)


def _word(p: Page, block: WordBlock, word: str, most: int) -> dict[str, Any]:
    """The values of the arithmetic of a word, after at most `most` merges."""
    joins = p.view.checkpoint.tokenizer.merges(word, block.spaced)
    done = min(most, len(joins))
    listed = [*(tex(token.text) for token in block.tokens[:LISTED]), *([r"\dots"] if len(block.tokens) > LISTED else [])]
    tokens, own = Raw(r"\;".join(listed)), [str(token.id) for token in block.tokens]
    ids = Raw(p.text("the_id" if len(own) == 1 else "the_ids", ids=enumerated(own)))
    if done == 0:
        return {"text": Raw("arithmetic_none"), "word": word, "tokens": tokens, "ids": ids}
    merge = joins[done - 1]
    pairs = [(tex(token_text(a)), tex(token_text(b)), rank) for a, b, rank in mergeable_pairs(merge)]
    ranks = [p.text("rank", left=left, right=right, rank=f"{rank:,}") for left, right, rank in pairs]
    return {
        "text": Raw("arithmetic"), "step": done, "steps": len(joins), "ranks": Raw(r",\quad ".join(ranks)), "rank": merge.rank + 1,
        "joined": tex(token_text(merge.after[merge.at])), "word": word, "tokens": tokens, "ids": ids,
    }  # fmt: skip


@csv_file("step rank position token merged")
def merges_csv(rows: Sequence[MergeRow]) -> Iterator[list[Cell]]:
    """The tokens of the word before the first merge (step 0) and after each one; merged is 1 for the token that it made."""
    for step, row in enumerate(rows):
        rank = None if row.merge is None else row.merge.rank + 1
        for i, token in enumerate(row.tokens):
            yield [step, rank, i + 1, token.text, int(i == row.joined)]
