"""The loss of this sentence, position by position: with teacher forcing, and with the model's own words mixed in."""

from typing import Annotated

import numpy as np
import numpy.typing as npt

from pages.training.controls import EPSILON, LOSS_FIRST, OWN, SEED
from viz_core.analysis.next_token import vocabulary_label
from viz_core.app import models
from viz_core.app.answers import Between, Refused
from viz_core.app.arithmetic import Section, arithmetic_section, show_arithmetic
from viz_core.app.cache import get_pass
from viz_core.app.controls import draw_link
from viz_core.app.csv_files import Lines
from viz_core.app.page import Page
from viz_core.browser.pack import pack
from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation
from viz_core.texts import visible
from viz_core.trace import Array, Doubles
from viz_core.training import history
from viz_core.training.loss import position_losses
from viz_core.training.scheduled import SecondReading, second_reading
from viz_core.training.snapshots import split_name

SHOWN = 10
"""How many tokens have bars: the correct one, and the most probable ones."""
TEXTS = (
    "none_mixed_in", "all_right", "rises", "none_rises", "about_mixed", "about_typed", "about_own",
    "of_loss", "of_loss_smoothed", "of_mixed", "of_mixed_first",
)  # fmt: skip
"""Keys of the texts below."""


def show_loss(p: Page) -> None:
    """The token read, the token to write and the loss at each position, and the target of the current step."""
    with p.controls():
        own, epsilon, seed, parts = OWN.draw(p, 0, 100, 0), 0, 0, ["sentence_loss"]
        if own:
            seed = SEED.draw(p)
        else:
            epsilon = EPSILON.draw(p, 0, 60, 0)
            parts.insert(0 if LOSS_FIRST.draw(p) == "target" else 1, "target_bars")
    forced = position_losses(_log_probs(p.view.explanation), _true(p.view.explanation), epsilon / 100)
    if not p.known(forced):
        return
    for part in parts:
        p.answer(sentence_loss, part=part, off_stage=part != parts[0], epsilon=epsilon, own=own, seed=seed)
    if not own:
        _write_trained_with(p, epsilon / 100)
    show_arithmetic(
        p, {key: p.texts[key] for key in TEXTS}, figure="sentence_loss",
        sections=[Section("outcome", "[[outcome]]"), Section("about", "[[about]]"), arithmetic_section()],
    )  # fmt: skip
    if own:
        _offer_mixed(p, own, seed)
    else:
        _offer_forced(p, forced, epsilon / 100)


def sentence_loss(
    checkpoint: Checkpoint, explanation: Explanation, epsilon: Annotated[int, Between(0, 60)], own: Annotated[int, Between(0, 100)],
    seed: Annotated[int, SEED],
) -> bytes:  # fmt: skip
    """The loss at each of the T positions, with teacher forcing and after own words, and the target of each step.

    Tensors: forced and mixed (T,), −ln p of the token to write in the first and in the second pass; spread (T,), the mean of ln p
    over the vocabulary in the first; draws (T,), the random numbers; shares (T, N), the probabilities of the tokens with bars.

    About: `read`, what the second pass reads, and `right`, the correct token where that is another; `own`, where it is the model's;
    `write` and `predicts`, what should follow and what the second pass finds most probable; `bars`, the tokens with bars, the
    correct one first; `size` of the vocabulary; `typed`, whether the target was.

    Args:
        epsilon: of label smoothing, and own: the share of own words, in %.   seed: of the random numbers.
    """
    tokenizer, steps, correct = checkpoint.tokenizer, explanation.steps, explanation.target.tokens
    reading, second = _second_pass(checkpoint, explanation, own, seed)
    first, true = _log_probs(explanation), _true(explanation)
    forced, mixed = (position_losses(log_probs, true, 0.0) for log_probs in (first, second))
    spread = first.mean(1, dtype=np.float64)
    if not np.isfinite([forced, mixed, spread if epsilon else forced]).all():
        raise Refused(404, "lacking", view="sentence_loss")

    def label(token: int) -> str:
        return visible(vocabulary_label(tokenizer, token))

    bars = [[*dict.fromkeys((step.expected.id, *step.top_ids(SHOWN)))][:SHOWN] for step in steps]
    pairs = [*zip(reading.ids, correct, strict=True)]
    about = {
        "read": [visible(right.label) if right.id == token else label(token) for token, right in pairs],
        "right": ["" if right.id == token else visible(right.label) for token, right in pairs],
        "own": reading.own,
        "write": [visible(token.label) for token in explanation.output],
        "predicts": [label(int(token)) for token in second.argmax(1)],
        "bars": [[*map(label, ids)] for ids in bars],
        "size": first.shape[1],
        "typed": explanation.given_target,
        **{"epsilon": epsilon, "share": own, "seed": seed},
    }
    shares = np.array([[step.probability(token) for token in ids] for step, ids in zip(steps, bars, strict=True)])
    return pack({"forced": forced, "mixed": mixed, "spread": spread, "draws": np.array(reading.draws), "shares": shares}, about)


def _log_probs(explanation: Explanation) -> Array:
    return explanation.trace.array("output.log_probs")


def _true(explanation: Explanation) -> npt.NDArray[np.int64]:
    return np.array([token.id for token in explanation.output])


def _second_pass(checkpoint: Checkpoint, explanation: Explanation, own: int, seed: int) -> tuple[SecondReading, Array]:
    """What the second pass reads, and its ln p, (T, V); without own words the first pass."""
    first = _log_probs(explanation)
    reading = second_reading(explanation.target.ids, first, own / 100, seed)
    if not own:
        return reading, first
    sentence = (tuple(explanation.source.ids),), (reading.ids,)
    return reading, get_pass(checkpoint, *sentence, explanation.edits).array("output.log_probs")


def _write_trained_with(p: Page, smoothing: float) -> None:
    """The ε used in training, if known, with a button that selects it."""
    checkpoint = p.view.checkpoint
    name, trained = split_name(checkpoint.name)[0], history.smoothing(models.folder(checkpoint))
    if trained is None:
        return
    p.write("trained_with_it" if trained == smoothing else "trained_with", model=name, epsilon=f"{trained:g}")
    if trained != smoothing:
        draw_link(p.text("use_epsilon", epsilon=f"{trained:g}"), "loss_epsilon", {"epsilon": round(100 * trained)})


def _offer_forced(p: Page, losses: Doubles, smoothing: float) -> None:
    ex = p.view.explanation
    hard = position_losses(_log_probs(ex), _true(ex), 0.0)
    p.offer(
        "loss", "loss", "position reads should_write id probability minus_log_prob smoothing loss",
        lambda: (
            [t + 1, read.text, to.text, to.id, np.exp(-hard[t]), hard[t], smoothing, losses[t]]
            for t, (read, to) in enumerate(zip(ex.target.tokens, ex.output, strict=True))
        ),
    )  # fmt: skip
    p.show_code("code_loss")


def _offer_mixed(p: Page, own: int, seed: int) -> None:
    ex = p.view.explanation

    def lines() -> Lines:
        reading, second = _second_pass(p.view.checkpoint, ex, own, seed)
        forced, mixed = (position_losses(log_probs, _true(ex), 0.0) for log_probs in (_log_probs(ex), second))
        for t, (correct, to) in enumerate(zip(ex.target.tokens, ex.output, strict=True)):
            read = [t + 1, reading.draws[t] if t else None, reading.ids[t], reading.own[t]]
            yield [*read, correct.text, correct.id, to.text, mixed[t], forced[t]]

    columns = "position random_number read_id own_word correct correct_id should_write minus_log_prob teacher_forcing"
    p.offer("mixed", "mixed", columns, lines)
    p.show_code("code_mixed")
