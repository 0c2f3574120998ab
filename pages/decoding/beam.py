"""Beam search on the page "How it chooses": its settings, the tree, and how its scores come about."""

from __future__ import annotations

from pages.decoding.controls import ALPHA, EARLY, N_BEST, SIZE
from collections.abc import Mapping
from functools import partial

import streamlit as st

from pages.decoding.beam_compute import Asked, Search, most_steps, search, steps_of
from pages.decoding.beam_payload import beam_tree_payload
from pages.decoding.downloads import endings_csv, search_csv
from viz_core.app import session
from viz_core.app.cache import cached
from viz_core.app.markup import Raw, markdown, number, shortened
from viz_core.app.page import Page
from viz_core.decoding import Hypothesis, length_penalty
from viz_core.explain import Notice

SIZES, PENALTIES, BEST = (1, 10), (0.0, 2.0), (1, 5)
TERMS = 4
"""Of a sum that are written out."""
LONGEST = 100
"""Characters of a sentence that are shown above its arithmetic."""


def settings(p: Page) -> Asked:
    """What to search for, from the row of controls."""
    usual = Asked()
    with p.controls():
        return Asked(
            size=SIZE.draw(p),
            length_penalty=ALPHA.draw(p),
            n_best=N_BEST.draw(p),
            early_stop=EARLY.draw(p) == "on",
        )


def show_beam(p: Page) -> None:
    """The tree of the search, and the arithmetic of its best ending and of greedy's."""
    asked = settings(p)
    with st.spinner(p.texts["searching"]):
        found = cached(search, p.view.checkpoint, p.view.explanation, asked)
    own_words(p, found.forced)
    if not found.known:
        p.write("unknown")
        return
    _settle_picked(p, found)
    p.mount("beam_tree", beam_tree_payload(found, p.view.checkpoint.tokenizer))
    _arithmetic(p, found)
    tokenizer = p.view.checkpoint.tokenizer
    p.offer("search", f"beam{asked.size}-candidates", partial(search_csv, found, tokenizer))
    p.offer("endings", f"beam{asked.size}-endings", partial(endings_csv, found, tokenizer))
    p.light("code_beam")


def own_words(p: Page, forced: Mapping[int, int]) -> None:
    """Which tokens are forced, and that of a typed target nothing is. And where it stops early."""
    most = most_steps(p.view.explanation)
    if most < steps_of(p.view.checkpoint, p.view.explanation):
        p.write("stops", steps=most)
    if p.view.explanation.given_target:
        p.write("typed")
    elif forced:
        read = p.view.checkpoint.tokenizer.token_text
        p.write("forced", tokens=", ".join(p.text("forced_at", token=read(token), step=i + 1) for i, token in forced.items()))


def _settle_picked(p: Page, found: Search) -> None:
    """A candidate that a link asks for and this search has not, is left out and told."""
    cell = p.look.cell
    if not session.arrived() or cell is None:
        return
    if cell[0] >= len(found.steps) or cell[1] >= len(found.steps[cell[0]].candidates):
        session.say(Notice("look", {"name": "cell", "asked": session.asked("cell") or ""}))


def _arithmetic(p: Page, found: Search) -> None:
    """Score = Σ ln p / lp for the best ending, and for greedy's sentence or, where that is the best, for the next best."""
    best, greedy, alpha = found.best, found.greedy, found.asked.length_penalty
    other, which = (greedy, "greedy") if best.ids != greedy.ids else (found.endings[1] if len(found.endings) > 1 else None, "next")
    lines = [_sum(p, "winner", best, alpha)]
    if other:
        lines.append(_sum(p, which, other, alpha))
    why = p.text("no_penalty" if alpha == 0 else "penalty")
    p.arithmetic("of_beam", alpha=Raw(f"{alpha:g}"), lines=Raw("\n\n".join(lines)), why=Raw(why))


def _sum(p: Page, which: str, one: Hypothesis, alpha: float) -> str:
    terms = " ".join(f"- {number(-value)}" if value < 0 else f"+ {number(value)}" for value in one.log_probs[:TERMS])
    if one.ids[TERMS:]:
        left = p.text("terms_more", count=len(one.ids) - TERMS)
        terms += rf" - \underbrace{{{number(-sum(one.log_probs[TERMS:]))}}}_{{\text{{{left}}}}}"
    text = p.view.checkpoint.tokenizer.decode(one.tokens)
    return p.text(
        "of_sentence", name=p.text(f"name_{which}"), text=markdown(shortened(text, LONGEST)),
        terms=terms, total=number(one.total), length=len(one.ids), alpha=f"{alpha:g}",
        penalty=number(length_penalty(len(one.ids), alpha)), score=number(one.score),
    )  # fmt: skip
