"""Sampling: ten draws beside greedy's sentence, and the truncated distribution of each step."""

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
import streamlit as st

from pages.decoding.beam import greedy_of, write_limits
from pages.decoding.compute import Draw, SamplingOptions, draw, truncated
from pages.decoding.controls import DRAW, FIRST, SEED, TEMPERATURE, TOP_K, TOP_P
from pages.decoding.truncation import DRAWS, trace_of, truncation
from viz_core.analysis.divergence import marked
from viz_core.analysis.search import forced_in
from viz_core.app.arithmetic import Section, arithmetic_section, show_arithmetic
from viz_core.app.controls import draw_link, more
from viz_core.app.csv_files import Lines
from viz_core.app.long_work import pooled
from viz_core.app.page import Page
from viz_core.decoding import Hypothesis
from viz_core.figures.attention import signed
from viz_core.figures.table import Drawn, draws_table
from viz_core.texts import enumerated
from viz_core.words import TokenizedText

Sentence = Hypothesis | Draw
TEXTS = (
    "greedy_forced", "not_drawn", "drew", "of_sampling", "truncated", "untruncated",
    "rule_k", "rule_p", "rule_p_of_k", "rule_forced", "rule_none",
)  # fmt: skip
"""Keys of the texts below the distribution."""


def show_sampling(p: Page) -> None:
    """The draws and the distributions of all steps, in the chosen order; lecture mode shows the first."""
    options, seed, first, picked = _options(p)
    greedy, forced = greedy_of(p), forced_in(p.view.checkpoint, p.view.explanation)
    write_limits(p, forced)
    draws = pooled(draw, p.view.checkpoint, p.view.explanation, options, seed, DRAWS, says=p.text("drawing", draws=DRAWS))
    if not np.isfinite([greedy.total, *(draw.total for draw in draws)]).all():
        p.write("unknown")
        return
    settings = {"t": f"{options.temperature:g}", "k": options.top_k or p.texts["off"]}
    settings["p"] = f"{options.top_p:g}" if options.top_p < 1 else p.texts["off"]
    heading = p.text("heading_text", settings=p.text("settings", **settings), seed=seed)
    if first == "draws":
        _show_draws(p, [greedy, *draws], heading, picked, forced)
    tokenizer = p.view.checkpoint.tokenizer
    p.offer(
        "draws", f"draws-seed{seed}", "draw step token id log_prob random_number probability with_temperature_and_truncation",
        lambda: (
            [number, step, tokenizer.token_text(token), token, *numbers] for number, one in enumerate(draws, 1)
            for step, (token, *numbers) in enumerate(zip(one.ids, one.log_probs, one.dice, one.before, one.after, strict=True), 1)
        ), draws=DRAWS,
    )  # fmt: skip
    _show_distribution(p, options, seed, draws[picked - 1] if picked else None, picked)
    if first == "cut":
        _show_draws(p, [greedy, *draws], heading, picked, forced)
    p.show_code("code_sampling")


def _options(p: Page) -> tuple[SamplingOptions, int, str, int]:
    """The sampling options, the seed, the view that stands first, and the picked draw: 0 is greedy's sentence."""
    with p.controls():
        options = SamplingOptions(TEMPERATURE.draw(p), TOP_K.draw(p), TOP_P.draw(p))
        again = st.container(width="content")  # reserved here, because the seed is read later, behind "More"
        with more(p):
            first = FIRST.draw(p)
            picked = DRAW.draw(p, [p.text("of_greedy"), *(p.text("of_draw", draw=i + 1) for i in range(DRAWS))])
            seed = SEED.draw(p)
    with again:
        draw_link(p.texts["draw_again"], "draw_again", {"seed": (seed + 1) % (int(SEED.high) + 1)})
    return options, seed, first, picked


def _show_draws(p: Page, sentences: Sequence[Sentence], heading: str, picked: int, forced: Mapping[int, int]) -> None:
    checkpoint = p.view.checkpoint
    lines = [checkpoint.tokenizer.read(output.ids, checkpoint.target_language) for output in sentences]
    counts = Counter(line.text for line in lines[1:])
    rows = [
        Drawn(
            name=str(index) if index else p.text("greedy"),
            words=[*marked(lines[0].words, line.text, line.words), *([] if sentence.ended else [(" …", False)])],
            log_prob=signed(sentence.total),
            times=f"{counts[line.text]} ×" if index or line.text in counts else "–",
            forced=_forced_words(line, forced),
        )
        for index, (line, sentence) in enumerate(zip(lines, sentences, strict=True))
    ]
    headings = [p.text("heading_name"), heading, p.text("heading_log"), p.text("heading_times")]
    p.html(draws_table(rows, headings=headings, highlighted=picked))
    p.write("distinct", draws=DRAWS, distinct=len(counts), same=counts[lines[0].text])
    _compare(p, sentences, lines)
    if forced:
        p.write("framed")


def _forced_words(line: TokenizedText, forced: Mapping[int, int]) -> set[int]:
    """Indices, in the list of `marked`, of the words with a forced token: that list also has what is between words."""
    words = {line.tokens[step].word for step in forced if step < len(line.tokens)}
    return {2 * word + 1 for word in words if word is not None}


def _compare(p: Page, sentences: Sequence[Sentence], lines: Sequence[TokenizedText]) -> None:
    """Which draws are more probable than greedy's sentence, and which were cut off and so cannot be compared."""

    def names(draws: Sequence[int]) -> str:
        return enumerated(p.text("of_draw", draw=i) for i in draws)

    greedy, *draws = sentences
    others = [(i, draw) for i, draw in enumerate(draws, 1) if draw.ended and lines[i].text != lines[0].text]
    above = [i for i, draw in others if draw.total > greedy.total]
    if greedy.ended and others:
        p.write("above" if above else "none_above", draws=names(above))
    if cut := [i for i, draw in enumerate(draws, 1) if not draw.ended]:
        p.write("cut_off", draws=names(cut), steps=len(draws[cut[0] - 1].ids))


def _show_distribution(p: Page, options: SamplingOptions, seed: int, chosen: Draw | None, picked: int) -> None:
    """The distribution of each step after greedy's words, or after a draw's own, and its most probable token."""
    view = p.view
    p.answer(truncation, temp=options.temperature, top_k=options.top_k, top_p=options.top_p, seed=seed, draw=picked)
    show_arithmetic(
        p, {key: p.texts[key] for key in TEXTS}, figure="truncation",
        sections=[Section("told", "[[told]]"), arithmetic_section("of_sampling")],
    )  # fmt: skip
    checkpoint, ex, step = view.checkpoint, view.explanation, view.step

    def cut() -> Lines:
        one = truncated(trace_of(checkpoint, ex, chosen).array("output.log_probs")[step], options)
        for rank, (token, *numbers) in enumerate(zip(one.ids.tolist(), one.model, one.tempered, one.after, strict=True), 1):
            yield [rank, checkpoint.tokenizer.token_text(token), token, *numbers]

    if chosen is None or step < len(chosen.ids):
        columns = "rank token id probability with_temperature truncated"
        p.offer("cut", f"distribution-step{step + 1}", columns, cut, step=step + 1)
