"""Copying with a pointer-generator: what is copied at each step and from where, and how many names it gets right."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.decoding.beam import greedy_of, write_limits
from pages.decoding.copying_compute import CopiedSentence, CopiedToken, decode_with_copying
from pages.decoding.downloads import copying_csv
from pages.decoding.figures import WRITTEN, brief, copying_figures
from viz_core.analysis.divergence import marked, word_runs
from viz_core.analysis.next_token import vocabulary_label
from viz_core.analysis.search import forced_in
from viz_core.analysis.unseen_names import LANGUAGE, name_translations, named_sentences
from viz_core.app import models, session
from viz_core.app.arithmetic import Varying, show_arithmetic
from viz_core.app.cache import cached_aside, cached_file
from viz_core.app.chosen import take
from viz_core.app.long_work import pooled
from viz_core.app.markup import Raw, markdown, number, percent_tenths, shortened
from viz_core.app.page import Page
from viz_core.app.view_options import unwatched
from viz_core.checkpoint import Checkpoint
from viz_core.decoding import Hypothesis, copying
from viz_core.explain import Notice
from viz_core.figures.attention import signed
from viz_core.figures.base import percent
from viz_core.figures.figure import Figure
from viz_core.figures.table import Drawn, draws_table
from viz_core.model.pointer import PointerGenerator
from viz_core.texts import enumerated

TITLE_LENGTH = 40
"""Characters of the output in the figure's title in lecture mode."""
MOST_OF_IT = 0.9
"""The share of the heads' weight for which the heads are counted."""


def show_copying(p: Page) -> None:
    """Both sentences, the copied share of each token, the mixture at one of them, and the names."""
    view = p.view
    pointer = _pointer(view.checkpoint)
    if pointer is None:
        p.write("no_gate", name=view.checkpoint.name)
        if view.checkpoint.name in models.usable()[0]:  # it has a folder; a snapshot or a tuned model has none
            p.write("train_gate", name=Raw(view.checkpoint.name))
        return
    found = cached_aside(decode_with_copying, view.checkpoint, view.explanation, pointer)
    greedy = greedy_of(p)
    write_limits(p, forced_in(view.checkpoint, view.explanation))
    if not found.finite or not np.isfinite(greedy.total):
        p.write("unknown")
        return
    _check_picked(p, found)
    with p.controls():
        _another(p)
    if session.get("_lecture"):  # lecture mode has room for one: first what is copied
        _show_sources(p, found, pointer)
        lost = _show_sentences(p, found, greedy)
    else:
        lost = _show_sentences(p, found, greedy)
        _show_sources(p, found, pointer)
    p.write("harm", gone=Raw(p.text("gone", words=enumerated(map(markdown, lost))) if lost else ""))
    counted = st.container()  # for a line that takes longer
    _show_arithmetic(p, found)
    _gate_in_words(p, found, pointer)
    _count_names(p, pointer, counted)
    tokenizer, source = view.checkpoint.tokenizer, view.explanation.source
    p.offer("copied", "copying", partial(copying_csv, found, source, tokenizer))
    p.show_code("code_copying")


def _check_picked(p: Page, found: CopiedSentence) -> None:
    """A notice where a link asks for a token that this sentence lacks; one behind the last step can be picked."""
    with unwatched():
        cell = p.view_options.cell
    if session.arrived() and cell and cell[0] >= len(found.tokens):
        session.say(Notice("look", {"name": "cell", "asked": session.asked("cell") or ""}))


def _another(p: Page) -> None:
    """A button that replaces the sentence by our next one with an unseen name."""
    if p.view.checkpoint.source_language == LANGUAGE:
        texts = [sentence.text for sentence in named_sentences()]
        now = p.view.explanation.source.text
        text = texts[(texts.index(now) + 1) % len(texts)] if now in texts else texts[0]
        st.button(p.texts["another"], key="_another_name", on_click=take, args=(text,))


def _show_sentences(p: Page, found: CopiedSentence, greedy: Hypothesis) -> list[str]:
    """The output without copying and with it; returns the words that are lost with it."""
    tokenizer, language = p.view.checkpoint.tokenizer, p.view.checkpoint.target_language
    plain, copying = (tokenizer.read(ids, language) for ids in (greedy.ids, found.ids))
    without = "plain_above" if greedy.ids == tuple(token.id for token in p.view.explanation.output) else "plain_line"
    rows = [
        Drawn(p.text(without), marked(plain.words, plain.text, plain.words), signed(greedy.total), "–"),
        Drawn(
            p.text("copying_line"), marked(plain.words, copying.text, copying.words), signed(found.total),
            p.text("of_tokens", count=found.mostly_copied, tokens=len(found.tokens)),
        ),
    ]  # fmt: skip
    headings = [p.text(key) for key in ("column_name", "column_text", "column_log", "column_copied")]
    p.html(draws_table(rows, headings=headings, highlighted=1, label="copied", palette=p.palette))
    between = word_runs([word.text for word in plain.words], [word.text for word in copying.words])
    return [word for run in between if not run.after for word in run.before]


def _show_sources(p: Page, found: CopiedSentence, pointer: PointerGenerator) -> None:
    """The figure of each token; a sentence where nothing is copied."""
    if found.contributions.max() < WRITTEN:
        most = brief(max(1 - token.p_gen for token in found.tokens))
        p.write("nothing_copied", steps=len(found.tokens), most=Raw(most))
        return
    figures = cache(lambda: _figures(p, found))
    made_of = pointer, bool(session.get("_lecture"))

    def figure(row: int) -> Figure:
        return figures()(row, _title(p, found, row))

    rows = len(found.tokens)
    p.show_each(figure, ("row",), key="copying", of=made_of, rows=rows, clicks="step", cells=True)


def _figures(p: Page, found: CopiedSentence) -> Callable[[int, str], Figure]:
    """The copied share of each output token, and what each source token contributes to it, as `copying_figures` makes them."""
    view, written = p.view, _labels(p, found)

    def axes(rows: range, columns: range) -> tuple[str, str, str]:
        written_axis = _axis(p, "row_axis", "row_axis_part", rows, len(written))
        return (
            written_axis if session.get("_lecture") else p.text("row_axis_click", axis=Raw(written_axis)), p.text("bars_axis"),
            _axis(p, "cells_axis", "cells_axis_part", columns, len(view.source)),
        )  # fmt: skip

    shown = [*zip(written, found.tokens, strict=True)]
    hover = [p.text("hover", token=label, copy=brief(1 - t.p_gen), gen=brief(t.p_gen), **_shares(t)) for label, t in shown]
    return copying_figures(
        written, view.source, np.array([token.share for token in found.tokens]), found.contributions,
        [token.sources for token in found.tokens], axes=axes, hover=hover, palette=p.palette,
    )  # fmt: skip


def _title(p: Page, found: CopiedSentence, at: int) -> str:
    written = _labels(p, found)
    title = p.text("copy_title", token=written[at], step=at + 1, steps=len(written), **_shares(found.tokens[at]))
    if not session.get("_lecture"):
        return title
    text = p.view.checkpoint.tokenizer.decode(found.ids)
    return p.text("stage_title", text=shortened(text, TITLE_LENGTH), title=title)


def _labels(p: Page, found: CopiedSentence) -> list[str]:
    return p.view.checkpoint.tokenizer.read(found.ids, p.view.checkpoint.target_language).labels


def _pointer(checkpoint: Checkpoint) -> PointerGenerator | None:
    """The copy gate of a checkpoint, None if it has none.

    Raises:
        CheckpointError: the file is damaged, or belongs to other weights; the message says which.
    """
    folder = models.folder(checkpoint)
    return cached_file(copying.read, folder / copying.NAME, folder, checkpoint)


def _shares(token: CopiedToken) -> dict[str, str]:
    """A token's probability, what copying contributes to it, and the quotient of the two, as text."""
    came = (1 - token.p_gen) * token.copied
    return {"p": percent_tenths(token.probability), "came": percent_tenths(came).removesuffix(" %"), "share": brief(token.share)}


def _axis(p: Page, whole: str, part: str, shown: range, count: int) -> str:
    """The title of an axis: the text `whole`, or `part` where only some of the tokens are shown."""
    if len(shown) == count:
        return p.text(whole)
    return p.text(part, first=shown.start + 1, last=shown.stop, count=count)


def _show_arithmetic(p: Page, found: CopiedSentence) -> None:
    """The mixture, and the gate, of each token."""
    steps = len(found.tokens)
    values = Varying(("row",), [_arithmetic(p, found, at) for at in range(steps)])
    show_arithmetic(p, {"of_copying": p.texts["of_copying"]}, values, steps=steps, beta=found.follow)


def _arithmetic(p: Page, found: CopiedSentence, at: int) -> dict[str, Any]:
    tokenizer, token = p.view.checkpoint.tokenizer, found.tokens[at]
    terms = " ".join(f"{'-' if term < 0 else '+'} {number(abs(term))}" for term in token.terms).removeprefix("+ ")
    alone = p.text("alone_same")
    if token.alone != token.id:
        alone = p.text("alone_other", token=markdown(vocabulary_label(tokenizer, token.alone)), p=percent(token.alone_prob))
    count, weights = len(token.sources), [number(float(token.a[i])) for i in token.sources] or ["0"]
    places = p.text("places_many", count=count) if count > 1 else p.text("places_one" if count else "places_none")
    best = int(token.a.argmax())
    strongest = p.text(
        "strongest", token=markdown(p.view.source[best]), mix=percent(float(token.mix[best])), a=percent(float(token.a[best]))
    )
    return {
        "step": at + 1, "token": vocabulary_label(tokenizer, token.id), "places": Raw(places), "gen": token.p_gen,
        "copy": 1 - token.p_gen, "vocab": token.in_vocab, "sum": Raw(f"({' + '.join(weights)})" if count > 1 else weights[0]),
        "p": token.probability, "exact": Raw(_exact(1 - token.p_gen)), "copied": Raw(_exact(token.copied)),
        "whole": Raw(_exact(token.probability)), "alone": Raw(alone), "terms": Raw(terms), "strongest": Raw(strongest),
        "share": Raw(f"{token.share:.4f}" if token.share >= 0.001 else number(token.share)),
    }  # fmt: skip


def _exact(value: float) -> str:
    """With enough digits to compute the rounded share by hand."""
    return f"{value:.6f}" if value >= 0.001 else number(value)


def _gate_in_words(p: Page, found: CopiedSentence, pointer: PointerGenerator) -> None:
    p.write("ours", numbers=f"{sum(each.numel() for each in pointer.parameters()):,}", times=float(np.exp(found.follow)))
    layer, head = found.top_head
    most, many = percent(float(found.heads.max())), found.heads_for(MOST_OF_IT)
    p.write("which_heads", layer=layer + 1, head=head + 1, most=most, many=many, all=found.heads.size)


def _count_names(p: Page, pointer: PointerGenerator, short: DeltaGenerator) -> None:
    """How many of our sentences keep their name: at length here, and in one line at the place `short`."""
    if p.view.checkpoint.source_language != LANGUAGE:
        return
    names = pooled(name_translations, p.view.checkpoint, pointer, named_sentences(), says=p.texts["measuring"])
    plain, copying = sum(each.in_plain for each in names), sum(each.in_copying for each in names)
    tails = [each.tail for each in names if each.tail]
    values = {"count": len(names), "plain": plain, "copying": copying}
    with short:
        p.write("names_short", **values)
    if tails:
        p.write("names_measured", wrong=len(names) - copying, tails=len(tails), example=tails[0], **values)
    else:
        p.write("names_measured_no_tail", **values)
