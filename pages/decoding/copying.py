"""Copying on the page "How it chooses": what is copied at each step and from where, and what that is worth for names."""

from __future__ import annotations

from functools import partial

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.decoding.beam import own_words
from pages.decoding.beam_compute import Asked, forced_in, search
from pages.decoding.controls import AT_TOKEN
from pages.decoding.copying_compute import Copied, CopiedToken, copied
from pages.decoding.copying_csv import copying_csv
from pages.decoding.copying_figure import around, brief, copying_figure
from viz_core.analysis.divergence import marked, word_runs
from viz_core.analysis.next_token import vocabulary_label
from viz_core.analysis.unseen_names import LANGUAGE, name_translations, named_sentences
from viz_core.app import models, session
from viz_core.app.cache import cached, cached_file
from viz_core.app.markup import Raw, markdown, number, shortened
from viz_core.app.page import Page
from viz_core.app.sidebar import take
from viz_core.checkpoint import Checkpoint
from viz_core.decoding import Hypothesis, copy_gate
from viz_core.figures.attention import signed
from viz_core.figures.base import percent
from viz_core.figures.draws import Drawn, draws_table
from viz_core.model.pointer import PointerGenerator

LONGEST = 40
"""Characters of the sentence that stand over the figure on the stage."""


def show_copying(p: Page) -> None:
    """Both sentences, the copied share of each token, the mixture at one of them, and the names."""
    view = p.view
    pointer = _pointer(view.checkpoint)
    if pointer is None:
        p.write("no_gate", name=view.checkpoint.name)
        if view.checkpoint.name in models.usable()[0]:  # a folder, which a step of its training or a tuned model has not
            p.write("train_gate", name=Raw(view.checkpoint.name))
        return
    with st.spinner(p.texts["copying_now"]):
        found = cached(copied, view.checkpoint, view.explanation, pointer)
        greedy = cached(search, view.checkpoint, view.explanation, Asked(1, 0.0, 1)).greedy
    own_words(p, forced_in(view.checkpoint, view.explanation))
    if not found.finite or not np.isfinite(greedy.total):
        p.write("unknown")
        return
    with p.controls():
        steps = len(found.tokens)
        at = AT_TOKEN.draw(p, 1, steps, min(view.step + 1, steps), (found.ids, view.step)) - 1
        _another(p)
    if session.get("_lecture"):  # the stage has room for one: first what is copied
        _show_sources(p, found, at)
        counted = _show_sentences(p, found, greedy)
    else:
        counted = _show_sentences(p, found, greedy)
        _show_sources(p, found, at)
    _arithmetic(p, found, at)
    _told(p, found, pointer, counted)
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


def _show_sentences(p: Page, found: Copied, greedy: Hypothesis) -> DeltaGenerator:
    """Without copying and with it; and a place below for what takes longer to count."""
    tokenizer, language = p.view.checkpoint.tokenizer, p.view.checkpoint.target_language
    plain, copying = (tokenizer.read(ids, language) for ids in (greedy.ids, found.ids))
    count = sum(token.share > 0.5 for token in found.tokens)
    whole = sum(float(np.log(token.probability)) for token in found.tokens)
    without = "plain_above" if greedy.ids == tuple(token.id for token in p.view.explanation.output) else "plain_line"
    rows = [
        Drawn(p.text(without), marked(plain.words, plain.text, plain.words), signed(greedy.total), p.text("nothing_alone")),
        Drawn(
            p.text("copying_line"), marked(plain.words, copying.text, copying.words), signed(whole),
            p.text("of_tokens", count=count, tokens=len(found.tokens)),
        ),
    ]  # fmt: skip
    headings = [p.text(f"line_{name}") for name in ("name", "text", "log", "copied")]
    p.html(draws_table(rows, headings=headings, highlighted=1, palette=p.palette))
    between = word_runs([word.text for word in plain.words], [word.text for word in copying.words])
    lost = [word for run in between if not run.after for word in run.before]
    gone = p.text("gone", words=", ".join(map(markdown, lost))) if lost else ""
    p.write("harm", gone=Raw(gone))
    return st.container()


def _show_sources(p: Page, found: Copied, at: int) -> None:
    view = p.view
    written = view.checkpoint.tokenizer.read(found.ids, view.checkpoint.target_language).labels
    rows, columns = around(at, len(written)), around(int(found.tokens[at].a.argmax()), len(view.source))
    hover = [
        p.text(
            "hover", token=written[row], copy=brief(1 - found.tokens[row].p_gen), gen=brief(found.tokens[row].p_gen),
            **_shares(found.tokens[row]),
        )
        for row in rows
    ]  # fmt: skip
    title = p.text("copy_title", token=written[at], step=at + 1, steps=len(written), **_shares(found.tokens[at]))
    if session.get("_lecture"):
        title = p.text("stage_title", text=shortened(view.checkpoint.tokenizer.decode(found.ids), LONGEST), title=title)
    p.show(
        copying_figure(
            [written[row] for row in rows], [view.source[column] for column in columns],
            np.array([found.tokens[row].share for row in rows]), found.contributions[np.ix_(rows, columns)],
            [[i - columns.start for i in found.tokens[row].sources if i in columns] for row in rows], title=title,
            axes=(_axis(p, "row_axis", rows, len(written)), p.text("bars_axis"), _axis(p, "cells_axis", columns, len(view.source))),
            hover=hover, highlighted=at - rows.start, first=rows.start, palette=p.palette,
        ),
        "copying", clicks="at_token",
    )  # fmt: skip


def _pointer(checkpoint: Checkpoint) -> PointerGenerator | None:
    """What a checkpoint has learned of copying, None if nothing.

    Raises:
        CheckpointError: the file is damaged, or belongs to other weights; the message says which.
    """
    folder = models.folder(checkpoint)
    return cached_file(copy_gate.read, folder / copy_gate.NAME, folder, checkpoint)


def _shares(token: CopiedToken) -> dict[str, str]:
    """How its share comes about: of its probability, so much by copying."""
    came = (1 - token.p_gen) * token.copied
    return {"p": _tenths(token.probability), "came": _tenths(came).removesuffix(" %"), "share": brief(token.share)}


def _tenths(share: float) -> str:
    """With one digit more than `percent`, so that the quotient of two is right in whole percent."""
    return f"{100 * share:.1f} %" if 0.0995 <= share < 0.9995 else percent(share)


def _axis(p: Page, key: str, shown: range, count: int) -> str:
    if len(shown) == count:
        return p.text(key)
    return p.text(f"{key}_part", first=shown.start + 1, last=shown.stop, count=count)


def _arithmetic(p: Page, found: Copied, at: int) -> None:
    """The mixture and the gate at one step, in numbers."""
    tokenizer, token = p.view.checkpoint.tokenizer, found.tokens[at]
    terms = " ".join(f"{'-' if term < 0 else '+'} {number(abs(term))}" for term in token.terms).removeprefix("+ ")
    alone = p.text("alone_same")
    if token.alone != token.id:
        alone = p.text("alone_other", token=markdown(vocabulary_label(tokenizer, token.alone)), p=percent(token.alone_prob))
    p.arithmetic(
        "of_copying", step=at + 1, token=vocabulary_label(tokenizer, token.id), places=Raw(_places(p, token)), gen=token.p_gen,
        copy=1 - token.p_gen, vocab=token.in_vocab, sum=Raw(_sum(token)), p=token.probability, steps=len(found.tokens),
        exact=Raw(_exact(1 - token.p_gen)), copied=Raw(_exact(token.copied)), whole=Raw(_exact(token.probability)),
        share=Raw(f"{token.share:.4f}" if token.share >= 0.001 else number(token.share)),
        alone=Raw(alone), terms=Raw(terms), beta=found.follow,
        strongest=Raw(_strongest(p, token)),
    )  # fmt: skip


def _places(p: Page, token: CopiedToken) -> str:
    count = len(token.sources)
    return p.text("places_many", count=count) if count > 1 else p.text("places_one" if count else "places_none")


def _sum(token: CopiedToken) -> str:
    weights = [number(float(token.a[i])) for i in token.sources] or ["0"]
    return f"({' + '.join(weights)})" if len(weights) > 1 else weights[0]


def _exact(value: float) -> str:
    """With digits enough that the share, rounded, can be found by hand."""
    return f"{value:.6f}" if value >= 0.001 else number(value)


def _strongest(p: Page, token: CopiedToken) -> str:
    best = int(token.a.argmax())
    label = markdown(p.view.source[best])
    return p.text("strongest", token=label, mix=percent(float(token.mix[best])), a=percent(float(token.a[best])))


def _told(p: Page, found: Copied, pointer: PointerGenerator, counted: DeltaGenerator) -> None:
    """What is ours, which heads count, and how often a name comes out right: that in short at a place above, too."""
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
        kept = cached(name_translations, p.view.checkpoint, pointer, named_sentences())
    plain, copying, tails = (
        sum(each.in_plain for each in kept),
        sum(each.in_copying for each in kept),
        [x.tail for x in kept if x.tail],
    )
    values = {"count": len(kept), "plain": plain, "copying": copying}
    with counted:
        p.write("names_short", **values)
    if tails:
        p.write("names_measured", wrong=len(kept) - copying, tails=len(tails), example=tails[0], **values)
    else:
        p.write("names_measured_no_tail", **values)
