"""Tokens: how a sentence turns into numbers."""

from pages.tokens.compute import blocks, built_words, count_kinds, id_ranges
from pages.tokens.controls import DONE, SIDE
from pages.tokens.data import side_of
from pages.tokens.splitting import show_merges, show_spelling, show_split, special_rows
from viz_core.app.cache import cached
from viz_core.app.frame import page
from viz_core.app.markup import Raw
from viz_core.tokenizer import BpeTokenizer

with page("tokens") as p:
    explanation, checkpoint = p.view.explanation, p.view.checkpoint
    with p.controls():
        side = SIDE.draw(p)
        tokenized, tokenizer = side_of(checkpoint, explanation, side)
        has_merges = isinstance(tokenizer, BpeTokenizer)
        parts = blocks(tokenized, tokenizer)
        built = cached(built_words, explanation, tokenizer, side) if has_merges else []
        most = max((len(word["merges"]) for word in built if word), default=0)
        # The range is that of all words, so that another word leaves the slider as it is.
        done = DONE.draw(p, 0, most, most, of=(side, tokenized.text)) if has_merges else 0
    p.nothing_to_guess(side == "source")
    show_spelling(p, side)
    if has_merges:
        show_merges(p, side, parts, done)
        ids_of_kinds = {name: str(token_id) for name, token_id in id_ranges(len(tokenizer)).items()}
        counts = count_kinds(explanation)
        values = ids_of_kinds | {name: f"[[{name}]]" for name in counts} | {"entries": f"{len(tokenizer):,}"}
        p.write_text(p.text("special", **values), "special", figure="merges", counts=counts)
    else:
        show_split(p, tokenizer, side)
        p.write("special_other", rows=Raw(special_rows(p, tokenizer)), entries=f"{len(tokenizer):,}")
