"""Sampling: ten draws beside greedy's sentence, and the truncated distribution of each step."""

from typing import Any

import numpy as np

from pages.decoding.beam import greedy_of, show_limits
from pages.decoding.compute import Draw, SamplingOptions, draw, truncated
from pages.decoding.controls import DRAW, FIRST, SEED, TEMPERATURE, TOP_K, TOP_P
from pages.decoding.truncation import DRAWS, sampled_sentences, trace_of, truncation
from viz_core.app.arithmetic import Section, arithmetic_section, show_arithmetic
from viz_core.app.controls import draw_link, more
from viz_core.app.csv_files import Lines
from viz_core.app.long_work import pooled
from viz_core.app.page import Page
from viz_core.texts import fill

TEXTS = (
    "greedy_forced", "not_drawn", "drew", "of_sampling", "truncated", "untruncated",
    "rule_k", "rule_p", "rule_p_of_k", "rule_forced", "rule_none",
)  # fmt: skip
"""Keys of the texts below the distribution."""


def show_sampling(p: Page) -> None:
    """The draws and the distributions of all steps, in the chosen order; lecture mode shows the first."""
    options, seed, first, picked = _options(p)
    greedy = greedy_of(p)
    show_limits(p)
    draws = pooled(draw, p.view.checkpoint, p.view.explanation, options, seed, DRAWS, says=p.text("drawing", draws=DRAWS))
    if not np.isfinite([greedy.total, *(draw.total for draw in draws)]).all():
        p.write("unknown")
        return
    asked: dict[str, Any] = {
        "temp": options.temperature,
        "top_k": options.top_k,
        "top_p": options.top_p,
        "seed": seed,
        "draw": picked,
    }
    for name in sorted(FIRST.options, key=lambda name: name != first):
        if name == "draws":
            p.answer(sampled_sentences, off_stage=name != first, **asked)
        else:
            p.answer(truncation, off_stage=name != first, **asked)
    tokenizer = p.view.checkpoint.tokenizer
    p.offer(
        "draws", f"draws-seed{seed}", "draw step token id log_prob random_number probability with_temperature_and_truncation",
        lambda: (
            [number, step, tokenizer.token_text(token), token, *numbers] for number, one in enumerate(draws, 1)
            for step, (token, *numbers) in enumerate(zip(one.ids, one.log_probs, one.dice, one.before, one.after, strict=True), 1)
        ), draws=DRAWS,
    )  # fmt: skip
    _explain_distribution(p, options, draws[picked - 1] if picked else None)
    p.show_code("code_sampling")


def _options(p: Page) -> tuple[SamplingOptions, int, str, int]:
    """The sampling options, the seed, the view that stands first, and the picked draw: 0 is greedy's sentence."""
    with p.controls():
        options = SamplingOptions(TEMPERATURE.draw(p), TOP_K.draw(p), TOP_P.draw(p))
        with more(p):
            first = FIRST.draw(p)
            of_draw = p.texts["sampled"]["of_draw"]
            picked = DRAW.draw(p, [p.text("of_greedy"), *(fill(of_draw, {"draw": i + 1}) for i in range(DRAWS))])
            seed = SEED.draw(p)
        draw_link(p.texts["draw_again"], "draw_again", {}, counts=SEED)  # on a site beside the seed
    return options, seed, first, picked


def _explain_distribution(p: Page, options: SamplingOptions, chosen: Draw | None) -> None:
    """The arithmetic of the most probable token of a step, after greedy's words or those of a draw, and the step's numbers."""
    show_arithmetic(
        p, {key: p.texts[key] for key in TEXTS}, figure="truncation",
        sections=[Section("told", "[[told]]"), arithmetic_section("of_sampling")],
    )  # fmt: skip
    checkpoint, ex, step = p.view.checkpoint, p.view.explanation, p.view.step

    def cut() -> Lines:
        one = truncated(trace_of(checkpoint, ex, chosen).array("output.log_probs")[step], options)
        for rank, (token, *numbers) in enumerate(zip(one.ids.tolist(), one.model, one.tempered, one.after, strict=True), 1):
            yield [rank, checkpoint.tokenizer.token_text(token), token, *numbers]

    if chosen is None or step < len(chosen.ids):
        columns = "rank token id probability with_temperature truncated"
        p.offer("cut", f"distribution-step{step + 1}", columns, cut, step=step + 1)
