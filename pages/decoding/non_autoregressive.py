"""Non-autoregressive decoding: pass by pass, beside token-by-token decoding, and why words are repeated."""

import logging
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from pages.decoding.controls import COUNT, DECODER, PASSES
from pages.decoding.non_autoregressive_compute import (
    Prediction,
    agreeing,
    fixed_point_prediction,
    greedy_translation,
    seconds,
)
from pages.decoding.passes import filled, pairs_of, passes
from viz_core.analysis import mask_predict_quality
from viz_core.app import models, session
from viz_core.app.arithmetic import arithmetic_section, show_arithmetic
from viz_core.app.cache import cached, cached_file
from viz_core.app.long_work import pooled
from viz_core.app.markup import Raw, breakable, markdown
from viz_core.app.page import Page
from viz_core.checkpoint import Checkpoint
from viz_core.errors import VizError
from viz_core.figures.attention import signed
from viz_core.figures.base import percent
from viz_core.texts import fill
from viz_core.tokenizer import Tokenizer

log = logging.getLogger(__name__)


def show_non_autoregressive(p: Page) -> None:
    """With a mask-predict model if there is one, otherwise with the model on display, which was not trained for this."""
    view = p.view
    masked = models.get_masked(view.checkpoint.source_language, view.checkpoint.target_language)
    with p.controls():
        decoder = DECODER.draw(p)
        most = PASSES.draw(p)
    if decoder == "masked" and masked:
        _show_mask_predict(p, masked, most)
        return
    if decoder == "masked":
        p.write("no_masked")
    _show_untrained(p, most)


def _show_mask_predict(p: Page, masked: Checkpoint, most: int) -> None:
    """The passes of a model that was trained for this, beside a model that writes token by token."""
    source, beside, tokenizer = p.view.explanation.source.text, twin(masked) or p.view.checkpoint, masked.tokenizer
    with p.controls():
        known = beside if COUNT.draw(p) == "known" else None
    written = cached(greedy_translation, beside, source)
    tried = filled(masked, known, source, most)
    best = tried[0]
    own, other = pooled(seconds, masked, beside, source, most, len(best.ids), says=p.texts["timing"])
    if p.view.explanation.edits.link():
        p.write("unedited")
    _show_passes(p, best, tokenizer, "masked", masked=masked.name, beside=known.name if known else "", passes=most)
    count, text = Raw(_passes(p, len(best.passes))), tokenizer.decode(best.ids)
    steps = len(tokenizer.encode(written, masked.target_language).ids) + 1
    p.write(
        "beside", filled=breakable(text), written=breakable(written), passes=count, name=beside.name,
        steps=Raw(p.text("steps", steps=steps)), time=Raw(f"{1000 * own:.1f} ms"), other=Raw(f"{1000 * other:.1f} ms"),
    )  # fmt: skip
    same = beside.config.n_layers == masked.config.n_layers and beside.config.d_model == masked.config.d_model
    shape = Raw(p.text("same_shape" if same else "other_shape"))
    if not session.is_recorded():  # what is measured is of this computer
        p.write("ratio", ratio=Raw(f"{own / other:.2f}"), name=beside.name, shape=shape)
    _write_lengths(p, tried, tokenizer, beside.name)
    p.offer(
        "lengths", "lengths", "tokens probability mean_log_prob sentence",
        lambda: ([len(one.ids), one.chance, one.passes[-1].mean, tokenizer.decode(one.ids)] for one in tried),
    )  # fmt: skip
    _show_rivals(p, best, tokenizer, masked, beside=known.name if known else "", passes=most)
    _write_quality(p, masked)
    p.show_code("code_mask_predict")


def _show_untrained(p: Page, most: int) -> None:
    """The passes of the causal decoder, which converge to greedy's sentence."""
    checkpoint, explanation = p.view.checkpoint, p.view.explanation
    prediction, greedy = cached(fixed_point_prediction, checkpoint, explanation, most)
    if not np.isfinite(prediction.first).all():
        p.write("unknown")
        return
    if explanation.given_target or explanation.edits.force:
        p.write("own_words")
    tokens, tokenizer = len(greedy), checkpoint.tokenizer
    same = [agreeing(predicted.ids, greedy) for predicted in prediction.passes]
    _show_passes(p, prediction, tokenizer, "not_as_greedy", masked="", beside="", passes=most)
    count, text = Raw(_passes(p, len(prediction.passes))), tokenizer.decode(prediction.ids)
    p.write(
        "beside_plain", filled=breakable(text), written=breakable(tokenizer.decode(greedy)), passes=count,
        steps=Raw(p.text("steps", steps=tokens)),
    )  # fmt: skip
    if explanation.edits.whole:
        p.write("whole")
    elif tokens in same:
        p.write("reached", count=same.index(tokens) + 1, steps=tokens)
    else:
        p.write("not_reached", same=same[-1], tokens=tokens)
    _show_rivals(p, prediction, tokenizer, None, beside="", passes=most)
    p.show_code("code_fixed_point")


def twin(masked: Checkpoint) -> Checkpoint | None:
    """A checkpoint with the same shape and languages that writes token by token, or None."""
    for name in models.usable()[0]:
        checkpoint = models.get_checkpoint(name)
        same = (checkpoint.source_language, checkpoint.target_language) == (masked.source_language, masked.target_language)
        if same and replace(checkpoint.config, decoder="masked") == masked.config:
            return checkpoint
    return None


def _show_passes(p: Page, prediction: Prediction, tokenizer: Tokenizer, hidden: str, **asked: Any) -> None:
    """The figure of the passes. hidden: the name of that column in the download; asked: the parameters of `passes`."""
    p.answer(passes, **asked)
    p.offer(
        "passes", "passes", f"pass position token id probability {hidden} changed",
        lambda: (
            [number, place, tokenizer.token_text(token), token, share, mark, token != was]
            for number, (before, one) in enumerate(pairwise((prediction.passes[0], *prediction.passes)), 1)
            for place, (token, share, mark, was) in enumerate(
                zip(one.ids, one.probabilities, one.hidden, before.ids, strict=True), 1
            )
        ),
    )  # fmt: skip


def _write_lengths(p: Page, tried: Sequence[Prediction], tokenizer: Tokenizer, name: str) -> None:
    if tried[0].chance is None:
        p.write("length_known", tokens=len(tried[0].ids), name=name)
        return
    rows = [
        p.text(
            "length_row", tokens=len(prediction.ids), chance=percent(prediction.chance or 0.0),
            mean=signed(prediction.passes[-1].mean, 3),
            text=breakable(tokenizer.decode(prediction.ids)),
        )
        for prediction in tried
    ]  # fmt: skip
    p.write("lengths", count=len(tried), rows=Raw("\n".join(rows)))


def _show_rivals(p: Page, prediction: Prediction, tokenizer: Tokenizer, masked: Checkpoint | None, **asked: Any) -> None:
    """The figure of two neighbouring positions, and its arithmetic. asked: parameters of `passes` besides the model."""
    pairs = len(prediction.ids) - 1
    p.say_beyond("place", max(pairs, 1))
    if not session.lecture():
        p.answer(passes, part="rivals", masked=masked.name if masked else "", **asked)
    text = "of_masked_rivals" if masked else "of_plain_rivals"
    show_arithmetic(p, {text: p.texts[text]}, figure="rivals", sections=[arithmetic_section(text)])
    rest = " position_after_all_others_known" if masked else ""
    p.offer(
        "rivals", "neighbouring-positions", f"place token id position position_after{rest}",
        lambda: (
            [place, tokenizer.token_text(token), token, *shares]
            for place, pair in enumerate(pairs_of(prediction, masked, p.view.explanation.source.text), 1)
            for token, *shares in zip(pair["ids"], *pair["series"], strict=True)
        ),
    )  # fmt: skip


def _write_quality(p: Page, masked: Checkpoint) -> None:
    """BLEU and repetitions by the number of passes, over many sentences, from the file beside the weights."""
    folder = models.folder(masked)
    try:
        measured = cached_file(mask_predict_quality.read, folder / mask_predict_quality.NAME, folder, masked)
    except VizError as error:
        log.warning("checkpoint %s: %s", masked.name, error)
        return
    if measured is None:
        return
    measurements = [*((_passes(p, count), scores) for count, scores in measured.passes.items())]
    measurements.append((p.text("measured_greedy", name=markdown(measured.name)), measured.beside))
    rows = [
        p.text("measured_row", name=name, bleu=f"{scores.bleu:.1f}", repeated=percent(scores.repeated))
        for name, scores in measurements
    ]
    p.write("measured", sentences=Raw(f"{measured.sentences:,}"), rows=Raw("\n".join(rows)))


def _passes(p: Page, count: int) -> str:
    return fill(p.texts["passes_figure"]["one_pass" if count == 1 else "more_passes"], {"passes": count})
