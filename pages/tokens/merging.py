"""How one word is built from its characters, merge by merge. The browser draws it, for the word that is looked at."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from pages.tokens.compute import BuiltWord, WordBlock, block_of, merge_rows, mergeable_pairs, token_text
from pages.tokens.downloads import merges_csv
from viz_core.app.markup import Raw, tex
from viz_core.app.page import Page
from viz_core.browser.pack import pack
from viz_core.texts import enumerated, texts, visible

LISTED = 24
"""Tokens of a word that are written out in its formula."""


def show_merges(p: Page, side: str, parts: Sequence[WordBlock], built: Sequence[BuiltWord | None], done: int) -> None:
    """The word that is looked at after each merge, and below it the arithmetic of the last one.

    Args:
        parts: the blocks of this side.   built: each of them; None for a special token.
        done: merges that are shown, at most.
    """
    p.mount("merges", merges_payload(side, parts, built, done))
    with p.below():
        # of the target, what this step writes
        picked = block_of(parts, p.view.token if side == "source" else p.view.step + 1)
        if (word := built[picked]) is not None:
            _arithmetic(p, parts[picked], word.word, picked, done)


def _arithmetic(p: Page, block: WordBlock, word: str, picked: int, most: int) -> None:
    tokenizer = p.view.checkpoint.tokenizer
    merges = tokenizer.merges(word, block.spaced)
    done = min(most, len(merges))
    rows = merge_rows(tokenizer.letters(word, block.spaced), merges)
    p.offer("merges", f"merges-{picked + 1}", partial(merges_csv, rows), word=word)
    listed = [*(tex(token.text) for token in block.tokens[:LISTED]), *([r"\dots"] if len(block.tokens) > LISTED else [])]
    tokens, own = Raw(r"\;".join(listed)), [str(token.id) for token in block.tokens]
    ids = Raw(p.text("the_id" if len(own) == 1 else "the_ids", ids=enumerated(own)))
    if done == 0:
        p.arithmetic("arithmetic_none", word=word, tokens=tokens, ids=ids)
        return
    merge = merges[done - 1]
    pairs = [(tex(token_text(a)), tex(token_text(b)), rank) for a, b, rank in mergeable_pairs(merge)]
    ranks = [p.text("rank", left=left, right=right, rank=f"{rank:,}") for left, right, rank in pairs]
    p.arithmetic(
        step=done, steps=len(merges), ranks=Raw(r",\quad ".join(ranks)), rank=merge.rank + 1,
        joined=tex(token_text(merge.after[merge.at])), word=word, tokens=tokens, ids=ids,
    )  # fmt: skip


def merges_payload(side: str, parts: Sequence[WordBlock], built: Sequence[BuiltWord | None], done: int) -> bytes:
    """Each word with its characters and its merges: index of the left one, rank from 1, the token that they become."""
    words = [
        each and {
            "word": visible(each.word),
            "letters": [visible(letter) for letter in each.letters],
            "merges": [(at, rank, visible(joined)) for at, rank, joined in each.merges],
        }
        for each in built
    ]  # fmt: skip
    about = {
        "side": side,
        "done": done,
        "counts": [len(block.tokens) for block in parts],
        "words": words,
        "texts": texts("tokens.figure"),
    }
    return pack({}, about)
