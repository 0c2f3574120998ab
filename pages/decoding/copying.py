"""Copying with a pointer-generator: what is copied at each step and from where, and how many names it gets right."""

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.decoding.beam import greedy_of, show_limits
from pages.decoding.copying_compute import CopiedSentence, copied_tokens, decode_with_copying, get_pointer
from viz_core.analysis.unseen_names import LANGUAGE, name_translations, named_sentences
from viz_core.app import models, session
from viz_core.app.arithmetic import Section, arithmetic_section, show_arithmetic
from viz_core.app.cache import cached_aside
from viz_core.app.chosen import ANEW
from viz_core.app.controls import draw_link
from viz_core.app.long_work import pooled
from viz_core.app.markup import Raw
from viz_core.app.page import Page
from viz_core.explain import Notice
from viz_core.figures.base import percent
from viz_core.model.pointer import PointerGenerator

MOST_OF_IT = 0.9
"""The heads that carry this share of the weight are counted."""
TEXTS = ("of_copying", "places_none", "places_one", "places_many", "alone_same", "alone_other", "strongest", "harm", "gone")
"""Keys of the texts of the arithmetic."""


def show_copying(p: Page) -> None:
    """Both sentences, the copied share of each token, the mixture at one of them, and the names."""
    view = p.view
    pointer = get_pointer(view.checkpoint)
    if pointer is None:
        p.write("no_gate", name=view.checkpoint.name)
        if view.checkpoint.name in models.usable()[0]:  # it has a folder; a snapshot or a tuned model has none
            p.write("train_gate", name=Raw(view.checkpoint.name))
        return
    sentence = cached_aside(decode_with_copying, view.checkpoint, view.explanation, pointer)
    greedy = greedy_of(p)
    with p.controls():
        _another(p)
    show_limits(p)
    if not sentence.finite or not np.isfinite(greedy.total):
        p.write("unknown")
        return
    _check_picked(p, sentence)
    p.answer(copied_tokens, part="copied_sentences", off_stage=True)
    p.answer(copied_tokens)
    counted = st.container()  # for a line that takes longer
    show_arithmetic(
        p, {key: p.texts[key] for key in TEXTS}, figure="copied_tokens",
        sections=[Section("told", "harm"), arithmetic_section("of_copying")],
    )  # fmt: skip
    _gate_in_words(p, sentence, pointer)
    _count_names(p, pointer, counted)
    written, source = view.checkpoint.tokenizer.token_text, view.explanation.source.tokens
    p.offer(
        "copied", "copying", "step token id probability p_vocab p_gen source_position source_token same heads a",
        lambda: (
            [step, written(to.id), to.id, to.probability, to.in_vocab, to.p_gen,
             i + 1, origin.text, i in to.sources, float(to.mix[i]), float(to.a[i])]
            for step, to in enumerate(sentence.tokens, 1) for i, origin in enumerate(source)
        ),
    )  # fmt: skip
    p.show_code("code_copying")


def _check_picked(p: Page, sentence: CopiedSentence) -> None:
    """A notice where a link asks for a token that this sentence lacks; one after the last step can be picked."""
    cell = p.view_options.cell
    if session.is_link() and cell and cell[0] >= len(sentence.tokens):
        session.notify(Notice("look", {"name": "cell", "asked": session.parameter("cell") or ""}))


def _another(p: Page) -> None:
    """A button that replaces the sentence by our next one with an unseen name."""
    if p.view.checkpoint.source_language == LANGUAGE:
        texts = [sentence.text for sentence in named_sentences()]
        now = p.view.explanation.source.text
        text = texts[(texts.index(now) + 1) % len(texts)] if now in texts else texts[0]
        draw_link(p.texts["another"], "another_name", {**ANEW, "text": text})


def _gate_in_words(p: Page, sentence: CopiedSentence, pointer: PointerGenerator) -> None:
    p.write(
        "ours", numbers=f"{sum(parameter.numel() for parameter in pointer.parameters()):,}", times=float(np.exp(sentence.follow))
    )
    layer, head = sentence.top_head
    most, many = percent(float(sentence.heads.max())), sentence.heads_for(MOST_OF_IT)
    p.write("which_heads", layer=layer + 1, head=head + 1, most=most, many=many, all=sentence.heads.size)


def _count_names(p: Page, pointer: PointerGenerator, short: DeltaGenerator) -> None:
    """How many of our sentences keep their name: at length here, and in one line at the place `short`."""
    if p.view.checkpoint.source_language != LANGUAGE:
        return
    names = pooled(name_translations, p.view.checkpoint, pointer, named_sentences(), says=p.texts["measuring"])
    plain, copying = sum(name.in_plain for name in names), sum(name.in_copying for name in names)
    tails = [name.tail for name in names if name.tail]
    values = {"count": len(names), "plain": plain, "copying": copying}
    with short:
        p.write("names_short", **values)
    if tails:
        p.write("names_measured", wrong=len(names) - copying, tails=len(tails), example=tails[0], **values)
    else:
        p.write("names_measured_no_tail", **values)
