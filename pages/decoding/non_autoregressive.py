"""All places at once on the page "How it chooses": pass by pass, against token by token, and why words repeat."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np
import streamlit as st

from pages.decoding.controls import COUNT, PASSES, PLACE, WHO
from pages.decoding.mask_predict_figure import Cell, filling_table
from pages.decoding.non_autoregressive_compute import (
    Filled,
    agreeing,
    alone,
    ask_plain,
    fill,
    likely_rivals,
    repeated,
    rivals,
    seconds,
    written_greedily,
)
from pages.decoding.passes_csv import passes_csv
from pages.decoding.rivals_figure import rivals_figure
from viz_core.analysis import mask_predict_quality
from viz_core.analysis.mask_predict_quality import PassQuality
from viz_core.app import models, session
from viz_core.app.cache import cached, cached_file
from viz_core.app.markup import Raw, breakable, markdown, shortened
from viz_core.app.page import Page
from viz_core.checkpoint import Checkpoint
from viz_core.errors import VizError
from viz_core.figures.attention import signed
from viz_core.figures.base import percent
from viz_core.tokenizer import Tokenizer
from viz_core.trace import Array

MANY = 5
"""Passes for which the stage has room in full height."""
LONGEST = 60
"""Characters of the sentence that stand over the passes on the stage."""
SHOWN = 3
"""Tokens of each place that have bars."""


log = logging.getLogger(__name__)


def show_non_autoregressive(p: Page) -> None:
    """By the model that learned it where there is one, or by the sentence's own."""
    view = p.view
    masked = models.get_masked(view.checkpoint.source_language, view.checkpoint.target_language)
    with p.controls():
        who = WHO.draw(p)
        most = PASSES.draw(p)
    if who == "masked" and masked:
        _show_masked(p, masked, most)
        return
    if who == "masked":
        p.write("no_masked")
    _show_plain(p, most)


def _sister(masked: Checkpoint) -> Checkpoint | None:
    """A checkpoint of the same shape that writes token by token, for the same languages; None if there is none."""
    for name in models.usable()[0]:
        found = models.get_checkpoint(name)
        same = (found.source_language, found.target_language) == (masked.source_language, masked.target_language)
        if same and replace(found.config, decoder="masked") == masked.config:
            return found
    return None


def _measured(masked: Checkpoint) -> PassQuality | None:
    """How good it is with few passes and with many, as stored; None where nothing is stored that can be used."""
    folder = models.folder(masked)
    try:
        return cached_file(mask_predict_quality.read, folder / mask_predict_quality.NAME, folder, masked)
    except VizError as error:
        log.warning("checkpoint %s: %s", masked.name, error)
        return None


def _show_masked(p: Page, masked: Checkpoint, most: int) -> None:
    text, beside = p.view.explanation.source.text, _sister(masked) or p.view.checkpoint
    with p.controls():
        count = COUNT.draw(p)
    written = cached(written_greedily, beside, text)
    told = masked.tokenizer.encode(written, masked.target_language).ids
    with st.spinner(p.texts["filling"]):
        tried = cached(fill, masked, text, most, len(told) if count == "known" else None)
        found = tried[0]
        own, other = cached(seconds, masked, beside, text, most, len(found.ids))
    if p.view.explanation.edits.link():
        p.write("unedited")
    if session.get("_lecture"):
        _on_stage(p, "on_stage_masked", found, masked.tokenizer)
    else:
        key = "of_masked" if len(found.passes) > 1 else "of_masked_once"
        passes = Raw(_passes(p, len(found.passes)))
        p.write(key, name=masked.name, tokens=len(found.ids), passes=passes, keys=Raw(p.text("keys")))
    _table(
        p,
        found,
        masked.tokenizer,
        "mark_hidden",
        [p.text("written", hidden=sum(x.hidden), tokens=len(x.ids)) for x in found.passes],
    )
    p.write(
        "beside", filled=breakable(masked.tokenizer.decode(found.ids)), written=breakable(written),
        passes=Raw(_passes(p, len(found.passes))),
        name=beside.name, steps=Raw(p.text("steps", steps=len(told) + 1)), time=Raw(_milliseconds(own)),
        other=Raw(_milliseconds(other)),
    )  # fmt: skip
    same = beside.config.n_layers == masked.config.n_layers and beside.config.d_model == masked.config.d_model
    shape = Raw(p.text("same_shape" if same else "other_shape"))
    p.write("ratio", ratio=Raw(f"{own / other:.2f}"), name=beside.name, shape=shape)
    _lengths(p, tried, masked.tokenizer, beside.name)
    _rivals(p, found, masked.tokenizer, most, masked)
    _measured(p, masked)
    p.offer("passes", "passes", partial(passes_csv, found, masked.tokenizer, "masked"))
    p.light("code_parallel")


def _show_plain(p: Page, most: int) -> None:
    checkpoint, explanation = p.view.checkpoint, p.view.explanation
    found, greedy = cached(ask_plain, checkpoint, explanation, most)
    if not np.isfinite(found.first).all():
        p.write("unknown")
        return
    if explanation.given_target or explanation.edits.force:
        p.write("own_words")
    tokens = len(greedy)
    same = [agreeing(each.ids, greedy) for each in found.passes]
    if session.get("_lecture"):
        _on_stage(p, "on_stage_plain", found, checkpoint.tokenizer)
    else:
        p.write("of_plain", name=checkpoint.name, tokens=tokens, keys=Raw(p.text("keys")))
    _table(p, found, checkpoint.tokenizer, "mark_open", [p.text("settled", same=count, tokens=tokens) for count in same])
    p.write(
        "beside_plain", filled=breakable(checkpoint.tokenizer.decode(found.ids)),
        written=breakable(checkpoint.tokenizer.decode(greedy)),
        passes=Raw(_passes(p, len(found.passes))), steps=Raw(p.text("steps", steps=tokens)),
    )  # fmt: skip
    if explanation.edits.whole:
        p.write("whole")
    elif tokens in same:
        p.write("reached", count=same.index(tokens) + 1, steps=tokens)
    else:
        p.write("not_reached", same=same[-1], tokens=tokens)
    _rivals(p, found, checkpoint.tokenizer, most, None)
    p.offer("passes", "passes", partial(passes_csv, found, checkpoint.tokenizer, "not_as_greedy"))
    p.light("code_plain")


def _on_stage(p: Page, key: str, found: Filled, tokenizer: Tokenizer) -> None:
    """What it comes to, over the passes: the stage has no room below."""
    text = shortened(tokenizer.decode(found.ids), LONGEST)
    p.write(key, text=text, passes=Raw(_passes(p, len(found.passes))))


def _table(p: Page, found: Filled, tokenizer: Tokenizer, hidden: str, told: Sequence[str]) -> None:
    """A line a pass."""
    rows, before = [], None
    for number_, (one, words) in enumerate(zip(found.passes, told, strict=True), start=1):
        labels = tokenizer.read(one.ids, p.view.checkpoint.target_language).labels
        others = [before is not None and token != was for token, was in zip(one.ids, before or one.ids, strict=True)]
        cells = [Cell(*each) for each in zip(labels, one.probabilities, one.hidden, others, repeated(one.ids), strict=True)]
        rows.append((p.text("row", number=number_), words, cells))
        before = one.ids
    legend = {"hidden": p.text(hidden), "other": p.text("mark_other"), "twin": p.text("mark_twin")}
    highlighted, dense = min(p.view.step, len(rows) - 1), bool(session.get("_lecture")) and len(rows) > MANY
    p.html(filling_table(rows, legend, place=p.text("column"), highlighted=highlighted, dense=dense, palette=p.palette))


def _lengths(p: Page, tried: Sequence[Filled], tokenizer: Tokenizer, name: str) -> None:
    if tried[0].chance is None:
        p.write("length_known", tokens=len(tried[0].ids), name=name)
        return
    rows = [
        p.text(
            "length_row", tokens=len(each.ids), chance=percent(each.chance or 0.0), mean=signed(each.passes[-1].mean, 3),
            text=breakable(tokenizer.decode(each.ids)),
        )
        for each in tried
    ]  # fmt: skip
    p.write("lengths", count=len(tried), rows=Raw("\n".join(rows)))


def _rivals(p: Page, found: Filled, tokenizer: Tokenizer, most: int, masked: Checkpoint | None) -> None:
    """Two neighbours and what both want; with a masked model, what the second wants when it knows."""
    tokens = len(found.ids)
    if tokens < 2:
        p.write("too_short")
        return
    names = [p.text("pair", left=at, right=at + 1) for at in range(1, tokens)]
    with p.controls():
        place = PLACE.draw(p, names, likely_rivals(found.first))
    both = rivals(found.first, place)
    series = [(p.text("at_first", place=at + 1), np.exp(found.first[at])) for at in (place, place + 1)]
    if masked:
        known = [both.token if at == place else token for at, token in enumerate(found.ids)]
        informed = np.exp(alone(masked, p.view.explanation.source.text, known, place + 1))
        series.append((p.text("informed", place=place + 2), informed))
    shown = _shown(both.token, [values for _, values in series])
    p.show(
        rivals_figure(
            [tokenizer.token_text(token) for token in shown], [(name, values[shown]) for name, values in series],
            title=p.text("rivals_title", left=place + 1, right=place + 2), axes=(p.text("token"), p.text("probability")),
            highlighted=shown.index(both.token), palette=p.palette,
        ),
        "rivals",
    )  # fmt: skip
    values = {
        "i": place + 1, "j": place + 2, "token": tokenizer.token_text(both.token), "first": both.first, "second": both.second,
        "both": both.both,
    }  # fmt: skip
    if not masked:
        p.arithmetic("of_plain_rivals", **values)
        return
    counts = ", ".join(str(sum(each.hidden)) for each in found.passes)
    if len(found.passes) < most:
        counts += ", 0"
    values |= {"informed": float(informed[both.token]), "tokens": tokens, "passes": most, "counts": Raw(counts)}
    p.arithmetic("of_masked_rivals", **values)


def _shown(token: int, series: Sequence[Array]) -> list[int]:
    """The token that both want, and the most probable ones of each, in the order of the first place's probabilities."""
    found = {token, *(int(i) for values in series for i in np.argsort(-values)[:SHOWN])}
    return sorted(found, key=lambda i: -series[0][i])


def _measured(p: Page, masked: Checkpoint) -> None:
    """How good it is with so many passes, over many sentences, as it was stored with its weights."""
    found = _measured(masked)
    if found is None:
        return
    named = [*((_passes(p, count), each) for count, each in found.passes.items())]
    named.append((p.text("measured_greedy", name=markdown(found.name)), found.beside))
    rows = [p.text("measured_row", name=name, bleu=f"{each.bleu:.1f}", repeated=percent(each.repeated)) for name, each in named]
    p.write("measured", sentences=Raw(f"{found.sentences:,}"), rows=Raw("\n".join(rows)))


def _passes(p: Page, count: int) -> str:
    return p.text("one_pass") if count == 1 else p.text("more_passes", passes=count)


def _milliseconds(seconds: float) -> str:
    return f"{1000 * seconds:.1f} ms"
