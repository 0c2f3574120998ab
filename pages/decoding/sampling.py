"""Sampling: ten draws beside greedy's sentence, and the truncated distribution of each step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from pages.decoding.beam import greedy_of, write_limits
from pages.decoding.compute import Draw, SamplingOptions, TruncatedDistribution, draw, truncated
from pages.decoding.controls import DRAW, FIRST, SEED, TEMPERATURE, TOP_K, TOP_P
from pages.decoding.downloads import distribution_csv, draws_csv
from pages.decoding.figures import no_distribution_figure, truncation_figure
from viz_core.analysis.divergence import marked
from viz_core.analysis.next_token import vocabulary_label
from viz_core.analysis.search import forced_in
from viz_core.app import session
from viz_core.app.arithmetic import Section, Varying, arithmetic_section, show_arithmetic
from viz_core.app.cache import cached, get_pass
from viz_core.app.controls import more
from viz_core.app.long_work import pooled
from viz_core.app.markup import Raw, latex, number
from viz_core.app.page import Page
from viz_core.app.view_options import unwatched
from viz_core.checkpoint import Checkpoint
from viz_core.decoding import Hypothesis
from viz_core.explain import Explanation
from viz_core.figures.attention import signed
from viz_core.figures.base import percent
from viz_core.figures.figure import Figure
from viz_core.figures.palette import Palette
from viz_core.figures.table import Drawn, draws_table
from viz_core.texts import enumerated, fill, texts
from viz_core.tokenizer import Tokenizer
from viz_core.trace import Trace
from viz_core.words import TokenizedText

Sentence = Hypothesis | Draw
DRAWS = 10
"""Sampled sentences."""
SHOWN = 10
"""Tokens of a step that have bars."""
PREFIX = 40
"""Characters of the words before a step in the figure's title."""


def show_sampling(p: Page) -> None:
    """The draws and the distributions of all steps, in the chosen order; lecture mode shows the first."""
    options, seed, first, picked = _options(p)
    greedy, forced = greedy_of(p), forced_in(p.view.checkpoint, p.view.explanation)
    write_limits(p, forced)
    draws = pooled(draw, p.view.checkpoint, p.view.explanation, options, seed, DRAWS, says=p.text("drawing", draws=DRAWS))
    if not np.isfinite([greedy.total, *(each.total for each in draws)]).all():
        p.write("unknown")
        return
    settings = {"t": f"{options.temperature:g}", "k": options.top_k or p.texts["off"]}
    settings["p"] = f"{options.top_p:g}" if options.top_p < 1 else p.texts["off"]
    heading = p.text("heading_text", settings=p.text("settings", **settings), seed=seed)
    if first == "draws":
        _show_draws(p, [greedy, *draws], heading, picked, forced)
    p.offer("draws", f"draws-seed{seed}", partial(draws_csv, draws, p.view.checkpoint.tokenizer), draws=DRAWS)
    _show_distribution(p, options, draws[picked - 1] if picked else None, picked)
    if first == "cut":
        _show_draws(p, [greedy, *draws], heading, picked, forced)
    p.show_code("code_sampling")


def _options(p: Page) -> tuple[SamplingOptions, int, str, int]:
    """How it is drawn, the seed, what stands first, and the picked draw: 0 is greedy's sentence."""
    with p.controls():
        options = SamplingOptions(TEMPERATURE.draw(p), TOP_K.draw(p), TOP_P.draw(p))
        again = st.container(width="content")  # before the seed is known, which stands behind "More"
        with more(p):
            first = FIRST.draw(p)
            picked = DRAW.draw(p, [p.text("of_greedy"), *(p.text("of_draw", draw=i + 1) for i in range(DRAWS))])
            seed = SEED.draw(p)
    following = {SEED.key(p.name): (seed + 1) % (int(SEED.high) + 1)}
    again.button(p.texts["draw_again"], key="_draw_again", on_click=session.change, kwargs=following)
    return options, seed, first, picked


def _show_draws(p: Page, sentences: Sequence[Sentence], heading: str, picked: int, forced: Mapping[int, int]) -> None:
    checkpoint = p.view.checkpoint
    lines = [checkpoint.tokenizer.read(each.ids, checkpoint.target_language) for each in sentences]
    counts = Counter(line.text for line in lines[1:])
    rows = [
        Drawn(
            name=str(index) if index else p.text("greedy"),
            words=[*marked(lines[0].words, line.text, line.words), *([] if each.ended else [(" …", False)])],
            log_prob=signed(each.total),
            times=f"{counts[line.text]} ×" if index or line.text in counts else "–",
            forced=_forced_words(line, forced),
        )
        for index, (line, each) in enumerate(zip(lines, sentences, strict=True))
    ]
    headings = [p.text("heading_name"), heading, p.text("heading_log"), p.text("heading_times")]
    p.html(draws_table(rows, headings=headings, highlighted=picked, palette=p.palette))
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
    others = [(i, each) for i, each in enumerate(draws, 1) if each.ended and lines[i].text != lines[0].text]
    above = [i for i, each in others if each.total > greedy.total]
    if greedy.ended and others:
        p.write("above" if above else "none_above", draws=names(above))
    if cut := [i for i, each in enumerate(draws, 1) if not each.ended]:
        p.write("cut_off", draws=names(cut), steps=len(draws[cut[0] - 1].ids))


@dataclass(frozen=True, eq=False)
class SampledStep:
    """What is shown of one step: its truncated distribution as a figure, and the values of the texts below.

    Attributes:
        values: `text` and `told` are the keys of these texts, empty where there is nothing to say.
    """

    figure: Figure
    values: Mapping[str, Any]


def _show_distribution(p: Page, options: SamplingOptions, chosen: Draw | None, picked: int) -> None:
    """The distribution of each step after greedy's words, or after a draw's own, and its most probable token."""
    view = p.view
    trace = view.trace if chosen is None else _trace_of(p, chosen)
    steps = cached(sampled_steps, view.checkpoint, view.explanation, trace, options, chosen, picked, p.palette)
    p.show_each(lambda step: steps[step].figure, ("step",), key="cut", of=(options, chosen, picked), least="wide")
    keys = ("of_sampling", "greedy_forced", "not_drawn", "drew")
    show_arithmetic(
        p, {key: p.texts[key] for key in keys}, Varying(("step",), [each.values for each in steps]),
        sections=[Section("told", "[[told]]"), arithmetic_section()], t=Raw(f"{options.temperature:g}"), draw=picked,
    )  # fmt: skip
    with unwatched():
        step = view.step
    if chosen is None or step < len(chosen.ids):
        p.offer("cut", f"distribution-step{step + 1}", partial(_csv_of_step, p, trace, step, options), step=step + 1)


def _trace_of(p: Page, chosen: Draw) -> Trace:
    """The pass over a draw's own words."""
    view = p.view
    read = (view.config.bos_id, *chosen.ids[:-1])
    return get_pass(view.checkpoint, (tuple(view.explanation.source.ids),), (read,), view.explanation.edits)


def _csv_of_step(p: Page, trace: Trace, step: int, options: SamplingOptions) -> bytes:
    return distribution_csv(truncated(trace.array("output.log_probs")[step], options), p.view.checkpoint.tokenizer)


def sampled_steps(
    checkpoint: Checkpoint, explanation: Explanation, trace: Trace, options: SamplingOptions, chosen: Draw | None, picked: int,
    palette: Palette,
) -> list[SampledStep]:  # fmt: skip
    """All steps of the explained sentence.

    Args:
        trace: of greedy's words, or of those of the draw.
        chosen: the draw whose words are read, and its number `picked`; None for greedy's.
    """
    words, forced = texts("decoding"), forced_in(checkpoint, explanation)
    steps = []
    for step in range(len(explanation.steps)):
        if chosen and step >= len(chosen.ids):
            title = fill(words["draw_ended"], {"draw": picked, "steps": len(chosen.ids), "step": step + 1})
            steps.append(SampledStep(no_distribution_figure(title, palette), {"text": "", "told": ""}))
            continue
        found = truncated(trace.array("output.log_probs")[step], options)
        written = chosen.ids[step] if chosen else forced.get(step)
        before = checkpoint.tokenizer.decode(chosen.ids[:step]) if chosen else explanation.text[: explanation.output[step].start]
        drawn = int(np.flatnonzero(found.ids == written)[0]) if written is not None else None
        picture = _figure(words, checkpoint.tokenizer, options, found, step, before, drawn, step in forced, palette)
        values = _arithmetic(words, checkpoint.tokenizer, options, found, step in forced)
        told: dict[str, Any] = {"told": ""}
        if drawn is not None:
            label, share = vocabulary_label(checkpoint.tokenizer, int(found.ids[drawn])), percent(float(found.model[drawn]))
            told |= {"told": Raw("greedy_forced"), "token": label, "rank": f"{drawn + 1:,}", "before": share}
        if chosen:
            told |= {
                "told": Raw("not_drawn" if step in forced else "drew"), "step": step + 1, "dice": chosen.dice[step],
                "before": percent(chosen.before[step]), "after": percent(chosen.after[step]),
            }  # fmt: skip
        steps.append(SampledStep(picture, values | told))
    return steps


def _figure(
    words: Mapping[str, str], tokenizer: Tokenizer, options: SamplingOptions, found: TruncatedDistribution, step: int, before: str,
    drawn: int | None, forced: bool, palette: Palette,
) -> Figure:  # fmt: skip
    """One step's distribution. drawn: the rank of the token that was drawn or is forced, from 0."""
    total, ranks = len(found.ids), list(range(min(SHOWN, len(found.ids))))
    if drawn is not None and drawn >= SHOWN:
        ranks[-1] = drawn
    labels = [vocabulary_label(tokenizer, int(i)) for i in found.ids[ranks]]
    rows = [fill(words["ranked"], {"rank": f"{rank + 1:,}", "token": label}) for rank, label in zip(ranks, labels, strict=True)]
    kept = {
        "count": f"{found.count:,}", "kept": percent(found.kept), "cut": f"{total - found.count:,}", "lost": percent(1 - found.kept)
    }  # fmt: skip
    about = {
        "step": step + 1, "before": _end_of(before) or words["nothing"], "total": f"{total:,}",
        "token": vocabulary_label(tokenizer, int(found.ids[drawn])) if drawn is not None else "",
    }  # fmt: skip
    title = "title_forced" if forced else "title_all" if found.count == total else "title_cut"
    return truncation_figure(
        rows, ranks, found.model, found.tempered, found.after, found.count, title=fill(words[title], about | kept),
        names=(fill(words["with_temperature"], {"t": f"{options.temperature:g}"}), words["of_model"], words["bars"]),
        axes=(words["rank"], words["probability"]),
        ends=(
            fill(words["stay"], kept), fill(words["go"], kept | {"rules": _limits(words, options)}),
            fill(words["others"], {"count": f"{total - SHOWN:,}"}),
        ),
        drawn=min(drawn, SHOWN - 1) if drawn is not None else None, palette=palette,
    )  # fmt: skip


def _end_of(text: str) -> str:
    """The last whole words of what is written so far, as many as a title has room for."""
    text = text.strip()
    if len(text) <= PREFIX:
        return text
    kept = text[-PREFIX:]
    return f"… {kept.partition(' ')[2] or kept}"


def _arithmetic(
    words: Mapping[str, str], tokenizer: Tokenizer, options: SamplingOptions, found: TruncatedDistribution, forced: bool
) -> dict[str, Any]:
    """The most probable token before and after: temperature, truncation, renormalization."""
    log_p, model, tempered = float(np.log(found.model[0])), float(found.model[0]), float(found.tempered[0])
    shares = {"p": number(tempered), "mass": number(found.kept), "after": latex(percent(float(found.after[0])))}
    return {
        "text": Raw("of_sampling"), "best": vocabulary_label(tokenizer, int(found.ids[0])), "log": log_p,
        "divided": log_p / options.temperature, "model": percent(model), "tempered": percent(tempered),
        "end": Raw(fill(words["truncated"], shares) if found.count < len(found.ids) else words["untruncated"]),
        "count": f"{found.count:,}", "total": f"{len(found.ids):,}", "rules": Raw(_rules(words, options, found, forced)),
    }  # fmt: skip


def _rules(words: Mapping[str, str], options: SamplingOptions, found: TruncatedDistribution, forced: bool) -> str:
    rules = [words["rule_forced"]] if forced else []
    rules += [fill(words["rule_k"], {"k": options.top_k})] if options.top_k else []
    if options.top_p < 1:
        shares = {"kept": number(found.kept), "of_k": number(found.of_k), "reached": percent(min(found.kept / found.of_k, 1.0))}
        rules.append(fill(words["rule_p_of_k" if options.top_k else "rule_p"], {"p": f"{options.top_p:g}"} | shares))
    return " ".join(rules if options.top_k or options.top_p < 1 else [*rules, words["rule_none"]])


def _limits(words: Mapping[str, str], options: SamplingOptions) -> str:
    rules = [fill(words["by_k"], {"k": options.top_k})] if options.top_k else []
    return enumerated([*rules, fill(words["by_p"], {"p": f"{options.top_p:g}"})] if options.top_p < 1 else rules)
