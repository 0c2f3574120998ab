"""Variants seen in the wild: the code of both ways beside each other, and what the other way changes in this sentence."""

from __future__ import annotations

from functools import partial

import streamlit as st

from pages.code.controls import SEED, VARIANT
from pages.code.downloads import effect_csv, places_csv, spreads_csv
from pages.code.figures import number_table
from pages.code.variant_numbers import NUMBERS
from viz_core.analysis.variants import VARIANTS, Effect, variant_effect
from viz_core.analysis.variants.initialisation import HOWS, PLACES, gradients, spread
from viz_core.app import session
from viz_core.app.cache import cached
from viz_core.app.code_panel import code_panel, lines_with
from viz_core.app.page import Page
from viz_core.figures.base import percent

FIRST = "mask_value"
SEEDS = 20
ON_STAGE = 1
"""Lines of code before and after the highlighted ones that there is room for on the stage."""
LONGEST = 110
"""Characters of a translation that are shown."""


def show_variants(p: Page) -> None:
    """One variant: what it is, both codes, its own numbers, and its effect."""
    with p.controls():
        name = VARIANT.draw(p, [*VARIANTS], FIRST)
        variant = VARIANTS[name]
        seed = SEED.draw(p, 1, SEEDS, 1) if variant.edits is None else 1
    p.show_code("code_variants")
    st.markdown(p.table("about_variants")[name])
    if variant.edits is None:  # their figures come first, or they were not on the stage
        with st.spinner(p.text("computing")):
            asked = p.view.checkpoint, p.view.explanation
            places = {place: cached(gradients, *asked, place, seed) for place in PLACES}
            spreads = {how: cached(spread, *asked, how, seed) for how in HOWS}
        NUMBERS[name](p, (places, spreads))
        p.offer(name, name, partial(places_csv, places) if name == "norm_place" else partial(spreads_csv, spreads))
        _show_codes(p, name)
        return
    _show_codes(p, name)
    if not variant.possible(p.view.config):
        p.write("impossible", d_k=p.view.config.d_k, heads=p.view.config.n_heads)
        return
    with st.spinner(p.text("computing")):
        found = cached(variant_effect, p.view.checkpoint, p.view.explanation, name, entries=12)
    NUMBERS[name](p, found)
    p.offer("effect", f"variant-{name}", partial(effect_csv, p.view.explanation, found, p.view.checkpoint.tokenizer))
    _show_effect(p, found)


def _show_codes(p: Page, name: str) -> None:
    variant, around = VARIANTS[name], ON_STAGE if session.get("_lecture") else None
    for column, side, (function, highlighted) in zip(
        st.columns(2), ("ours", "theirs"), (variant.ours, variant.theirs), strict=True
    ):
        with column:
            words = p.table(side)
            st.markdown(words.get(name, words["other"]))
            code_panel(function, p.palette, lines_with(function, highlighted), near=True, around=around)


def _show_effect(p: Page, found: Effect) -> None:
    """Both translations, and how far the probabilities over the same tokens went."""
    if not found.known:
        p.write("unknown_effect")
        return
    rows = [[p.text(name), text[:LONGEST]] for name, text in (("as_trained", found.usual), ("with_variant", found.text))]
    p.html(number_table(["", p.text("column_writes_text")], rows, name="effect", words=(1,), palette=p.palette))
    steps = ", ".join(str(step + 1) for step in found.steps)
    told = "effect_other" if found.steps else "effect_same" if found.greatest else "effect_none"
    p.write(told, greatest=percent(found.greatest).removesuffix(" %"), steps=steps, count=len(found.before))
