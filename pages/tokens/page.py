"""Tokens: how a sentence becomes numbers."""

from pages.tokens.compute import blocks, built_words, count_kinds, id_ranges, written_target
from pages.tokens.controls import DONE, SIDE
from pages.tokens.merging import show_merges
from pages.tokens.spelling import show_spelling
from viz_core.app.cache import cached
from viz_core.app.frame import page

with page("tokens") as p:
    explanation, tokenizer = p.view.explanation, p.view.checkpoint.tokenizer
    with p.controls():
        side = SIDE.draw(p)
        tokenized = explanation.source if side == "source" else written_target(explanation)
        parts = blocks(tokenized, tokenizer)
        built = cached(built_words, explanation, tokenizer, side)
        most = max((len(word.merges) for word in built if word), default=0)
        done = DONE.draw(p, 0, most, most, of=(side, tokenized.text))  # of every word, so that another token moves nothing
    p.nothing_to_guess(side == "source")
    show_spelling(p, side, tokenized, parts)
    show_merges(p, side, parts, built, done)
    everything = explanation.source.ids + written_target(explanation).ids
    ids_of_kinds = {name: str(each) for name, each in id_ranges(len(tokenizer)).items()}
    p.write("special", **count_kinds(everything), **ids_of_kinds, entries=f"{len(tokenizer):,}")
