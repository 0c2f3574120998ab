"""Tokens: how a sentence becomes numbers."""

from pages.tokens.compute import blocks, candidates, census, id_ranges, ladder, rarest, words_of, written, written_target
from pages.tokens.controls import DONE, SIDE, WORD
from pages.tokens.spelling import merge_ladder, spelling
from viz_core.app.frame import page
from viz_core.app.markup import Raw, tex

with page("tokens") as p:
    explanation, tokenizer = p.view.explanation, p.view.checkpoint.tokenizer
    with p.controls():
        side = SIDE.draw(p)
        tokenized = explanation.source if side == "source" else written_target(explanation)
        parts = blocks(tokenized, tokenizer)
        words = words_of(parts)  # index of each in parts → the word
        picked = list(words)[WORD.draw(p, list(words.values()), rarest(parts))] if words else None
        merges = tokenizer.merges(words[picked], parts[picked].spaced) if picked is not None else []
        done = DONE.draw(p, 0, len(merges), len(merges), of=(side, picked, tokenized.text))

    p.nothing_to_guess(side == "source")
    sizes = {"characters": len(tokenized.text), "words": len(tokenized.words), "tokens": len(tokenized), "ids": len(tokenized)}
    spelling(parts, p.palette, {row: p.text(row, count=count) for row, count in sizes.items()}, highlighted=picked)
    p.write("reading")

    if picked is not None:
        word, block = words[picked], parts[picked]
        p.write("built", word=word)
        names = [p.text("start"), *(p.text("step", step=i + 1, rank=f"{merge.rank + 1:,}") for i, merge in enumerate(merges))]
        merge_ladder(ladder(tokenizer.letters(word, block.spaced), merges), done, p.palette, names, block.index)
        tokens, ids = Raw(r"\;".join(tex(token.text) for token in block.tokens)), ", ".join(str(token.id) for token in block.tokens)
        if done == 0:
            p.arithmetic("arithmetic_none", word=word, tokens=tokens, ids=ids)
        else:
            merge = merges[done - 1]
            ranks = [p.text("rank", left=tex(written(a)), right=tex(written(b)), rank=rank) for a, b, rank in candidates(merge)]
            p.arithmetic(
                step=done,
                steps=len(merges),
                ranks=Raw(r",\quad ".join(ranks)),
                rank=merge.rank + 1,
                joined=tex(written(merge.after[merge.at])),
                word=word,
                tokens=tokens,
                ids=ids,
            )

    everything = explanation.source.ids + written_target(explanation).ids
    p.write("special", **census(everything), **id_ranges(len(tokenizer)), entries=f"{len(tokenizer):,}")
