"""Non-autoregressive decoding: pass by pass, beside token-by-token decoding, and why words are repeated."""

import logging
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from pages.decoding.controls import COUNT, DECODER, PASSES, PLACE
from pages.decoding.mask_predict_figures import PassCell, passes_table, rivals_figure
from pages.decoding.non_autoregressive_compute import (
    Prediction,
    agreeing,
    fixed_point_prediction,
    greedy_translation,
    mask_predict_all_lengths,
    most_likely_repetition,
    position_given_others,
    repeated,
    repetition_risk,
    seconds,
    top_tokens,
)
from viz_core.analysis import mask_predict_quality
from viz_core.app import models, session
from viz_core.app.cache import cached, cached_file
from viz_core.app.long_work import pooled
from viz_core.app.markup import Raw, breakable, markdown, shortened
from viz_core.app.page import Page
from viz_core.checkpoint import Checkpoint
from viz_core.errors import VizError
from viz_core.figures.attention import signed
from viz_core.figures.base import percent
from viz_core.tokenizer import Tokenizer

MANY = 5
"""How many passes fit the stage at full height."""
SENTENCE_LENGTH = 60
"""How many characters of the sentence stand above the passes in lecture mode."""
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
    written = cached(greedy_translation, beside, source)
    given = tokenizer.encode(written, masked.target_language).ids
    tried = cached(mask_predict_all_lengths, masked, source, most, len(given) if count == "known" else None)
    best = tried[0]
    own, other = pooled(seconds, masked, beside, source, most, len(best.ids), says=p.texts["timing"])
    if p.view.explanation.edits.link():
        p.write("unedited")
    passes, text = Raw(_passes(p, len(best.passes))), tokenizer.decode(best.ids)
    if session.lecture():
        p.write("on_stage_masked", text=shortened(text, SENTENCE_LENGTH), passes=passes)
    else:
        key = "of_masked" if len(best.passes) > 1 else "of_masked_once"
        p.write(key, name=masked.name, tokens=len(best.ids), passes=passes, step_keys=Raw(p.text("step_keys")))
    notes = [p.text("written", hidden=sum(predicted.hidden), tokens=len(predicted.ids)) for predicted in best.passes]
    _show_passes(p, best, tokenizer, "mark_hidden", notes)
    p.write(
        "beside", filled=breakable(text), written=breakable(written), passes=passes, name=beside.name,
        steps=Raw(p.text("steps", steps=len(given) + 1)), time=Raw(f"{1000 * own:.1f} ms"), other=Raw(f"{1000 * other:.1f} ms"),
    )  # fmt: skip
    same = beside.config.n_layers == masked.config.n_layers and beside.config.d_model == masked.config.d_model
    shape = Raw(p.text("same_shape" if same else "other_shape"))
    p.write("ratio", ratio=Raw(f"{own / other:.2f}"), name=beside.name, shape=shape)
    _write_lengths(p, tried, tokenizer, beside.name)
    p.offer(
        "lengths", "lengths", "tokens probability mean_log_prob sentence",
        lambda: ([len(one.ids), one.chance, one.passes[-1].mean, tokenizer.decode(one.ids)] for one in tried),
    )  # fmt: skip
    _show_rivals(p, best, tokenizer, most, masked)
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
    passes, text = Raw(_passes(p, len(prediction.passes))), tokenizer.decode(prediction.ids)
    if session.lecture():
        p.write("on_stage_plain", text=shortened(text, SENTENCE_LENGTH), passes=passes)
    else:
        p.write("of_plain", name=checkpoint.name, tokens=tokens, step_keys=Raw(p.text("step_keys")))
    _show_passes(p, prediction, tokenizer, "mark_open", [p.text("agreeing", same=count, tokens=tokens) for count in same])
    p.write(
        "beside_plain", filled=breakable(text), written=breakable(tokenizer.decode(greedy)), passes=passes,
        steps=Raw(p.text("steps", steps=tokens)),
    )  # fmt: skip
    if explanation.edits.whole:
        p.write("whole")
    elif tokens in same:
        p.write("reached", count=same.index(tokens) + 1, steps=tokens)
    else:
        p.write("not_reached", same=same[-1], tokens=tokens)
    _show_rivals(p, prediction, tokenizer, most, None)
    p.show_code("code_fixed_point")


def twin(masked: Checkpoint) -> Checkpoint | None:
    """A checkpoint with the same shape and languages that writes token by token, or None."""
    for name in models.usable()[0]:
        checkpoint = models.get_checkpoint(name)
        same = (checkpoint.source_language, checkpoint.target_language) == (masked.source_language, masked.target_language)
        if same and replace(checkpoint.config, decoder="masked") == masked.config:
            return checkpoint
    return None


def _show_passes(p: Page, prediction: Prediction, tokenizer: Tokenizer, hidden: str, notes: Sequence[str]) -> None:
    """The table of passes. hidden: the text for the dashed mark; notes: one for each pass."""
    rows, before = [], prediction.passes[0].ids
    for number, (predicted, note) in enumerate(zip(prediction.passes, notes, strict=True), start=1):
        labels = tokenizer.read(predicted.ids, p.view.checkpoint.target_language).labels
        changed = [token != was for token, was in zip(predicted.ids, before, strict=True)]
        cells = [
            PassCell(*cell)
            for cell in zip(labels, predicted.probabilities, predicted.hidden, changed, repeated(predicted.ids), strict=True)
        ]
        rows.append((p.text("row", number=number), note, cells))
        before = predicted.ids
    legend = {"hidden": p.text(hidden), "other": p.text("mark_other"), "twin": p.text("mark_twin")}
    dense = session.lecture() and len(rows) > MANY
    table = passes_table(rows, legend, position=p.text("column"), dense=dense, palette=p.palette)
    p.html(table)  # its style sheet highlights the step's pass
    column = {"mark_hidden": "masked", "mark_open": "not_as_greedy"}[hidden]
    p.offer(
        "passes", "passes", f"pass position token id probability {column} changed",
        lambda: (
            [number, place, tokenizer.token_text(token), token, cell.probability, cell.hidden, cell.other]
            for number, (predicted, (*_, cells)) in enumerate(zip(prediction.passes, rows, strict=True), 1)
            for place, (token, cell) in enumerate(zip(predicted.ids, cells, strict=True), 1)
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


def _show_rivals(p: Page, prediction: Prediction, tokenizer: Tokenizer, most: int, masked: Checkpoint | None) -> None:
    """The predictions of two neighbouring positions and, with a masked model, the second's once it knows the first's token."""
    tokens = len(prediction.ids)
    if tokens < 2:
        p.write("too_short")
        return
    most_probable = [tokenizer.token_text(int(token)) for token in prediction.first.argmax(-1)]
    names = [p.text("pair", left=left, right=right) for left, right in pairwise(most_probable)]
    with p.controls():
        place = PLACE.draw(p, names, most_likely_repetition(prediction.first))
    both = repetition_risk(prediction.first, place)
    series = {p.text("at_first", place=index + 1): np.exp(prediction.first[index]) for index in (place, place + 1)}
    columns = [f"position_{place + 1}", f"position_{place + 2}"]
    if masked:
        known = tuple(both.token if index == place else token for index, token in enumerate(prediction.ids))
        informed = np.exp(cached(position_given_others, masked, p.view.explanation.source.text, known, place + 1))
        series[p.text("informed", place=place + 2)] = informed
        columns.append(f"position_{place + 2}_all_others_known")
    listed = top_tokens(both.token, [*series.values()])
    others = p.text("others", count=f"{len(tokenizer) - len(listed):,}")
    rest = [(name, np.append(values[listed], max(0.0, 1 - values[listed].sum()))) for name, values in series.items()]
    p.show(
        rivals_figure(
            [tokenizer.token_text(token) for token in listed], rest, others=others,
            title=p.text("rivals_title", left=place + 1, right=place + 2), axes=(p.text("token"), p.text("probability")),
            highlighted=listed.index(both.token), palette=p.palette,
        ),
        "rivals",
    )  # fmt: skip
    p.offer(
        "rivals", f"positions-{place + 1}-{place + 2}", " ".join(["token id", *columns]),
        lambda: ([tokenizer.token_text(i), i, *(float(values[i]) for values in series.values())] for i in listed),
    )  # fmt: skip
    values = {
        "i": place + 1, "j": place + 2, "token": tokenizer.token_text(both.token), "first": both.first, "second": both.second,
        "both": both.both,
    }  # fmt: skip
    if not masked:
        p.arithmetic("of_plain_rivals", **values)
        return
    counts = ", ".join(str(sum(predicted.hidden)) for predicted in prediction.passes)
    if len(prediction.passes) < most:
        counts += ", 0"
    values |= {"informed": float(informed[both.token]), "tokens": tokens, "passes": most, "counts": Raw(counts)}
    p.arithmetic("of_masked_rivals", **values)


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
    return p.text("one_pass") if count == 1 else p.text("more_passes", passes=count)
