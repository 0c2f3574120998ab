"""Which source words a word depends on, by three methods, and which source word each word is aligned with."""

from typing import Annotated, Any

import numpy as np

from pages.why.controls import explained_word
from pages.why.logits import attributions, sum_by_words
from viz_core.analysis.alignment import prediction_difference
from viz_core.analysis.integrated_gradients import Attributions, integrated_gradients, integrated_gradients_of_all, work_of_all
from viz_core.analysis.words import groups
from viz_core.app.answers import Between
from viz_core.app.arithmetic import Section, arithmetic_section, show_arithmetic
from viz_core.app.cache import cached, cached_aside, if_cached
from viz_core.app.csv_files import cells
from viz_core.app.long_work import pooled
from viz_core.app.page import Page
from viz_core.app.worker_process import has_many_readers
from viz_core.browser.pack import pack
from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation
from viz_core.model.transformer import Transformer
from viz_core.texts import visible
from viz_core.trace import Doubles

SHORT = 100_000_000_000
"""Multiply-adds of integrated gradients for which a reader waits: 3 s on one core of an AMD EPYC, about 12 steps of en-de."""
TOLD = ("agree", "agree_on_none", "disagree", "computing", "absent")
"""Texts about the words that the methods name; the browser picks one."""


def show_source_words(p: Page, row: Any) -> None:
    """The score of every source word by all three methods, and the word that each of them names.

    Over 460 tokens of 40 sentences with the shipped model, where some word's erasure costs LEAST (`analysis.alignment`), logit
    attribution names the word that erasure names for 86 %.

    For a long sentence, or in a class, integrated gradients are computed for the current step only. Until all steps are computed,
    another step needs a run, while the browser shows the two other methods at once.
    """
    view, ex, says = p.view, p.view.explanation, p.text("computing")
    pooled(prediction_difference, view.checkpoint.model, ex, says=says)
    gradients = _pool_gradients(p, says)
    scores = word_scores(view.checkpoint, ex, gradients)
    asked_of = slice(gradients - 1, gradients) if gradients else slice(None)
    numbers, by_gradients = scores["numbers"][asked_of], scores["gradients"][asked_of]
    if not p.known(scores["losses"], scores["keys"], scores["numbers"][:, 0], numbers, by_gradients):
        return
    p.answer(source_words, gradients=gradients)
    show_arithmetic(
        p, {name: p.texts[name] for name in (*TOLD, "about_needed", "of_needed")}, figure="source_words",
        sections=[Section("told", "[[told]]"), Section("about", "about_needed"), arithmetic_section("[[computed]]")],
    )  # fmt: skip
    step, labels = view.step, groups(ex.source)[0]
    rows = [scores[name][step] for name in ("losses", "gradients", "keys")]
    file, columns = f"source-words-step{step + 1}", "index source erasure gradients keys"
    p.offer("scores", file, columns, lambda: cells([labels], *rows), word=explained_word(p, step))
    p.show_code("code_source_words")


def source_words(checkpoint: Checkpoint, explanation: Explanation, gradients: Annotated[int, Between(0, 99_999)]) -> bytes:
    """The score of every source word by all three methods, at all steps.

    Args:
        gradients: 0 for integrated gradients of all steps, else the number of the only step that has them.

    Tensors: those of `word_scores`.

    About: words, of the source, special tokens last; count, how many are words; written, the token of each step; gradients.
    """
    labels, positions = groups(explanation.source)
    about = {
        "words": [visible(label) for label in labels],
        "count": sum(explanation.source.tokens[at[0]].word is not None for at in positions),
        "written": [visible(step.expected.label) for step in explanation.steps],
        "gradients": gradients,
    }
    return pack(word_scores(checkpoint, explanation, gradients), about)


def word_scores(checkpoint: Checkpoint, explanation: Explanation, gradients: int) -> dict[str, Doubles]:
    """The scores by method, (T, words): losses by erasure, gradients, keys by logit attribution.

    numbers, (T, 4): the logit; ln p, its baseline, the gradients' sum over the target. NaN for steps without gradients.
    """
    model, positions = checkpoint.model, groups(explanation.source)[1]
    parts = cached(attributions, model, explanation, ())
    numbers, shares = np.full((len(parts), 4), np.nan), np.full((len(parts), len(positions)), np.nan)
    numbers[:, 0] = [part.value for part in parts]
    for step, attributed in _gradients(model, explanation, gradients).items():
        shares[step] = sum_by_words(attributed.source, positions)
        numbers[step, 1:] = attributed.value, attributed.baseline, attributed.target.sum()
    return {
        "losses": cached_aside(prediction_difference, model, explanation),
        "gradients": shares,
        "keys": np.stack([sum_by_words(part.over_keys("cross"), positions) for part in parts]),
        "numbers": numbers,
    }


def _gradients(model: Transformer, ex: Explanation, number: int) -> dict[int, Attributions]:
    """Of all steps for 0, else of one, if there is such a step."""
    if not number:
        return dict(enumerate(_known_gradients(model, ex) or cached_aside(integrated_gradients_of_all, model, ex)))
    return {step: cached_aside(integrated_gradients, *call) for step, call in enumerate(_calls(model, ex)) if step == number - 1}


def _known_gradients(model: Transformer, ex: Explanation) -> list[Attributions] | None:
    """Of all steps, if they were computed, together or one by one."""
    whole = if_cached(integrated_gradients_of_all, model, ex)
    single = [] if whole else [if_cached(integrated_gradients, *call) for call in _calls(model, ex)]
    return whole or ([attribution for attribution in single if attribution] if all(single) else None)


def _calls(model: Transformer, ex: Explanation) -> list[tuple[Transformer, Explanation, int, int]]:
    return [(model, ex, step.index, step.expected.id) for step in ex.steps]


def _pool_gradients(p: Page, says: str) -> int:
    """Computes them and returns 0 for all steps, where a reader can wait for that and few others do; else the number of the step
    on display, the only one that has them.
    """
    model, ex, step = p.view.checkpoint.model, p.view.explanation, p.view.step
    if _known_gradients(model, ex):
        return 0
    if work_of_all(ex) <= SHORT and not has_many_readers():
        pooled(integrated_gradients_of_all, model, ex, says=says)
        return 0
    pooled(integrated_gradients, *_calls(model, ex)[step], says=says)
    if _known_gradients(model, ex):
        return 0
    p.follows.add("step")
    return step + 1
