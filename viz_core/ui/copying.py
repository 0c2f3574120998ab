"""Copying on the page "How it chooses": what is copied at each step and from where, and what that is worth for names."""

from __future__ import annotations

from functools import partial

import numpy as np
import streamlit as st

from viz_core.analysis.changed import marked
from viz_core.analysis.copying import Copied, CopiedPiece
from viz_core.analysis.distribution import vocabulary_label
from viz_core.analysis.names import LANGUAGE, named_sentences
from viz_core.analysis.search import Asked, forced_in
from viz_core.decoding import Hypothesis
from viz_core.export.copying_csv import copying_csv
from viz_core.figures.base import percent
from viz_core.figures.copying import brief, copying_figure
from viz_core.figures.draws import Drawn, draws_table
from viz_core.model.pointer import PointerGenerator
from viz_core.ui import cache, state
from viz_core.ui.beam import own_words
from viz_core.ui.controls import take
from viz_core.ui.markup import Raw, markdown, number
from viz_core.ui.writer import Page

LONGEST = 50
"""Characters of the sentence that stand over the figure on the stage."""


def show_copying(p: Page) -> None:
    """Both sentences, the copied share of each piece, the mixture at one of them, and the names."""
    view = p.view
    pointer = cache.get_pointer(view.checkpoint)
    if pointer is None:
        p.write("no_gate", name=view.checkpoint.name)
        if view.checkpoint.name in cache.usable()[0]:  # a folder, which a step of its training or a tuned model has not
            p.write("train_gate", name=Raw(view.checkpoint.name))
        return
    with st.spinner(p.texts["copying_now"]):
        found = cache.get_copied(view.checkpoint, view.explanation, pointer)
        greedy = cache.get_search(view.checkpoint, view.explanation, Asked(1, 0.0, 1)).greedy
    own_words(p, forced_in(view.checkpoint, view.explanation))
    if not found.finite or not np.isfinite(greedy.total):
        p.write("unknown")
        return
    with p.controls():
        steps = len(found.pieces)
        at = p.slide("at_piece", 1, steps, min(view.step + 1, steps), (found.ids, view.step), width=260) - 1
        _another(p)
    if state.get("_lecture"):  # the stage has room for one: first what is copied
        _show_sources(p, found, at)
        _show_sentences(p, found, greedy)
    else:
        _show_sentences(p, found, greedy)
        _show_sources(p, found, at)
    _arithmetic(p, found, at)
    _told(p, found, pointer)
    tokenizer, source = view.checkpoint.tokenizer, view.explanation.source
    p.offer("copied", "copying", partial(copying_csv, found, source, tokenizer))
    p.light("code_copying")


def _another(p: Page) -> None:
    """A button that puts the next of our sentences with a name in the place of this one."""
    if p.view.checkpoint.source_language == LANGUAGE:
        texts = [sentence.text for sentence in named_sentences()]
        now = p.view.explanation.source.text
        text = texts[(texts.index(now) + 1) % len(texts)] if now in texts else texts[0]
        st.button(p.texts["another"], key="_another_name", on_click=take, args=(text,))


def _show_sentences(p: Page, found: Copied, greedy: Hypothesis) -> None:
    tokenizer, language = p.view.checkpoint.tokenizer, p.view.checkpoint.target_language
    plain, copying = (tokenizer.read(ids, language) for ids in (greedy.ids, found.ids))
    count = sum(piece.share > 0.5 for piece in found.pieces)
    whole = sum(float(np.log(piece.probability)) for piece in found.pieces)
    rows = [
        Drawn(p.text("plain_line"), marked(plain.words, plain.text, plain.words), _log(greedy.total), p.text("nothing_alone")),
        Drawn(
            p.text("copying_line"), marked(plain.words, copying.text, copying.words), _log(whole),
            p.text("of_pieces", count=count, pieces=len(found.pieces)),
        ),
    ]  # fmt: skip
    headings = [p.text(f"line_{name}") for name in ("name", "text", "log", "copied")]
    p.html(draws_table(rows, headings=headings, lit=1, palette=p.palette))


def _log(total: float) -> str:
    return f"{total:.2f}".replace("-", "−")


def _show_sources(p: Page, found: Copied, at: int) -> None:
    view = p.view
    written = view.checkpoint.tokenizer.read(found.ids, view.checkpoint.target_language).labels
    hover = [
        p.text(
            "hover", piece=label, p=percent(piece.probability), share=brief(piece.share), copy=brief(1 - piece.p_gen),
            gen=brief(piece.p_gen),
        )
        for label, piece in zip(written, found.pieces, strict=True)
    ]  # fmt: skip
    title = p.text("copy_title", piece=written[at], step=at + 1, steps=len(written), share=brief(found.pieces[at].share))
    if state.get("_lecture"):
        text = view.checkpoint.tokenizer.decode(found.ids)
        title = p.text("stage_title", text=text if len(text) <= LONGEST else f"{text[:LONGEST]} …", title=title)
    p.show(
        copying_figure(
            written, view.source, np.array([piece.share for piece in found.pieces]), found.contributions, title=title,
            axes=(p.text("row_axis"), p.text("bars_axis"), p.text("cells_axis")), hover=hover,
            lit=at, palette=p.palette,
        ),
        "copying", clicks="at_piece",
    )  # fmt: skip


def _arithmetic(p: Page, found: Copied, at: int) -> None:
    """The mixture and the gate at one step, in numbers."""
    tokenizer, piece = p.view.checkpoint.tokenizer, found.pieces[at]
    terms = " ".join(f"{'-' if term < 0 else '+'} {number(abs(term))}" for term in piece.terms).removeprefix("+ ")
    alone = p.text("alone_same")
    if piece.alone != piece.id:
        alone = p.text("alone_other", piece=markdown(vocabulary_label(tokenizer, piece.alone)), p=percent(piece.alone_prob))
    p.arithmetic(
        "of_copying", step=at + 1, piece=vocabulary_label(tokenizer, piece.id), places=Raw(_places(p, piece)), gen=piece.p_gen,
        copy=1 - piece.p_gen, vocab=piece.in_vocab, sum=Raw(_sum(piece)), copied=piece.copied, p=piece.probability,
        share=piece.share, alone=Raw(alone), terms=Raw(terms), beta=found.follow,
        strongest=Raw(_strongest(p, piece)),
    )  # fmt: skip


def _places(p: Page, piece: CopiedPiece) -> str:
    count = len(piece.sources)
    return p.text("places_many", count=count) if count > 1 else p.text("places_one" if count else "places_none")


def _sum(piece: CopiedPiece) -> str:
    weights = [number(float(piece.a[i])) for i in piece.sources] or ["0"]
    return f"({' + '.join(weights)})" if len(weights) > 1 else weights[0]


def _strongest(p: Page, piece: CopiedPiece) -> str:
    best = int(piece.a.argmax())
    label = markdown(p.view.source[best])
    return p.text("strongest", piece=label, mix=percent(float(piece.mix[best])), a=percent(float(piece.a[best])))


def _told(p: Page, found: Copied, pointer: PointerGenerator) -> None:
    """What is ours, which heads count, and how often a name comes out right."""
    p.write(
        "ours", numbers=f"{sum(each.numel() for each in pointer.parameters()):,}", times=float(np.exp(found.follow)),
    )  # fmt: skip
    layer, head = (int(i) for i in np.unravel_index(found.heads.argmax(), found.heads.shape))
    ranked = np.sort(found.heads.ravel())[::-1].cumsum()
    many = int(np.searchsorted(ranked, 0.9)) + 1
    p.write("heads_told", layer=layer + 1, head=head + 1, most=percent(float(found.heads.max())), many=many, all=found.heads.size)
    if p.view.checkpoint.source_language != LANGUAGE:
        return
    with st.spinner(p.texts["measuring"]):
        kept = cache.get_kept_names(p.view.checkpoint, pointer)
    plain, copying, tails = (
        sum(each.in_plain for each in kept),
        sum(each.in_copying for each in kept),
        [x.tail for x in kept if x.tail],
    )
    values = {"count": len(kept), "plain": plain, "copying": copying}
    if tails:
        p.write("names_measured", wrong=len(kept) - copying, tails=len(tails), example=tails[0], **values)
    else:
        p.write("names_measured_no_tail", **values)
