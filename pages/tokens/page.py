"""Tokens: how a sentence becomes numbers."""

from functools import partial

from pages.tokens.compute import (
    block_of,
    blocks,
    count_kinds,
    id_ranges,
    merge_rows,
    mergeable_pairs,
    token_text,
    written_target,
)
from pages.tokens.controls import DONE, SIDE
from pages.tokens.downloads import merges_csv
from pages.tokens.figures import merge_table, spelling
from viz_core.app.frame import page
from viz_core.app.markup import Raw, tex

with page("tokens") as p:
    explanation, tokenizer = p.view.explanation, p.view.checkpoint.tokenizer
    with p.controls():
        side = SIDE.draw(p)
        tokenized = explanation.source if side == "source" else written_target(explanation)
        parts = blocks(tokenized, tokenizer)
        picked = block_of(parts, p.view.token if side == "source" else p.view.step + 1)  # of the target, what this step writes
        block = parts[picked]
        word = block.word.text if block.word else ""  # a special token is none
        merges = tokenizer.merges(word, block.spaced) if word else []
        done = DONE.draw(p, 0, len(merges), len(merges), of=(side, picked, tokenized.text))

    p.nothing_to_guess(side == "source")
    sizes = {"characters": len(tokenized.text), "words": len(tokenized.words), "tokens": len(tokenized), "ids": len(tokenized)}
    p.html(spelling(parts, p.palette, {row: p.text(row, count=count) for row, count in sizes.items()}, highlighted=picked))
    p.write("reading")

    if word:
        p.write("built", word=word)
        names = [p.text("start"), *(p.text("step", step=i + 1, rank=f"{merge.rank + 1:,}") for i, merge in enumerate(merges))]
        rows = merge_rows(tokenizer.letters(word, block.spaced), merges)
        p.html(merge_table(rows, done, p.palette, names))
        p.offer("merges", f"merges-{picked + 1}", partial(merges_csv, rows), word=word)
        tokens, own = Raw(r"\;".join(tex(token.text) for token in block.tokens)), [str(token.id) for token in block.tokens]
        ids = Raw(p.text("the_id" if len(own) == 1 else "the_ids", ids=", ".join(own)))
        if done == 0:
            p.arithmetic("arithmetic_none", word=word, tokens=tokens, ids=ids)
        else:
            merge = merges[done - 1]
            pairs = [(tex(token_text(a)), tex(token_text(b)), rank) for a, b, rank in mergeable_pairs(merge)]
            ranks = [p.text("rank", left=left, right=right, rank=f"{rank:,}") for left, right, rank in pairs]
            p.arithmetic(
                step=done, steps=len(merges), ranks=Raw(r",\quad ".join(ranks)), rank=merge.rank + 1,
                joined=tex(token_text(merge.after[merge.at])), word=word, tokens=tokens, ids=ids,
            )  # fmt: skip

    everything = explanation.source.ids + written_target(explanation).ids
    ids_of_kinds = {name: str(each) for name, each in id_ranges(len(tokenizer)).items()}
    p.write("special", **count_kinds(everything), **ids_of_kinds, entries=f"{len(tokenizer):,}")
