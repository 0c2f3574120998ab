"""Non-autoregressive decoding: pass by pass, beside token-by-token decoding, and why words are repeated."""

import logging
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from pages.decoding.controls import COUNT, DECODER, PASSES
from pages.decoding.non_autoregressive_compute import Prediction, fixed_point_prediction
from pages.decoding.passes import filled, pairs_of, passes
from viz_core.analysis import mask_predict_quality
from viz_core.app import models
from viz_core.app.arithmetic import arithmetic_section, show_arithmetic
from viz_core.app.cache import cached, cached_file
from viz_core.app.markup import Raw, markdown
from viz_core.app.page import Page
from viz_core.checkpoint import Checkpoint
from viz_core.errors import VizError
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
        count = COUNT.draw(p)
    tried = filled(masked, beside, count == "known", source, most)
    _show_passes(p, tried[0], tokenizer, masked, masked=masked.name, beside=beside.name, count=count, passes=most)
    p.offer(
        "lengths", "lengths", "tokens probability mean_log_prob sentence",
        lambda: ([len(one.ids), one.chance, one.passes[-1].mean, tokenizer.decode(one.ids)] for one in tried),
    )  # fmt: skip
    _write_quality(p, masked)
    p.show_code("code_mask_predict")


def _show_untrained(p: Page, most: int) -> None:
    """The passes of the causal decoder, which converge to greedy's sentence."""
    prediction, _ = cached(fixed_point_prediction, p.view.checkpoint, p.view.explanation, most)
    if not np.isfinite(prediction.first).all():
        p.write("unknown")
        return
    _show_passes(p, prediction, p.view.checkpoint.tokenizer, None, masked="", beside="", count="predicted", passes=most)
    p.show_code("code_fixed_point")


def twin(masked: Checkpoint) -> Checkpoint | None:
    """A checkpoint with the same shape and languages that writes token by token, or None."""
    for name in models.usable()[0]:
        checkpoint = models.get_checkpoint(name)
        same = (checkpoint.source_language, checkpoint.target_language) == (masked.source_language, masked.target_language)
        if same and replace(checkpoint.config, decoder="masked") == masked.config:
            return checkpoint
    return None


def _show_passes(p: Page, prediction: Prediction, tokenizer: Tokenizer, filler: Checkpoint | None, **asked: Any) -> None:
    """The passes, decoding token by token beside them, and two neighbouring positions. asked: the parameters of `passes`."""
    pairs = len(prediction.ids) - 1
    p.say_beyond("place", max(pairs, 1))
    p.answer(passes, **asked)
    p.answer(passes, part="decodings", in_page=True, on_wall=False, off_stage=True, **asked)
    p.answer(passes, part="rivals", off_stage=True, **asked)
    text = "of_masked_rivals" if filler else "of_plain_rivals"
    show_arithmetic(p, {text: p.texts[text]}, figure="rivals", sections=[arithmetic_section(text)])
    hidden, rest = ("masked", " position_after_all_others_known") if filler else ("not_as_greedy", "")
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
    p.offer(
        "rivals", "neighbouring-positions", f"place token id position position_after{rest}",
        lambda: (
            [place, tokenizer.token_text(token), token, *shares]
            for place, pair in enumerate(pairs_of(prediction, filler, p.view.explanation.source.text), 1)
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
