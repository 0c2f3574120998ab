"""Sampling: ten draws beside greedy's sentence, and the truncated distribution of one step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np
import streamlit as st

from pages.decoding.beam import greedy_of, write_limits
from pages.decoding.compute import Draw, SamplingOptions, TruncatedDistribution, draw, truncated
from pages.decoding.controls import DRAW, FIRST, SEED, TEMPERATURE, TOP_K, TOP_P
from pages.decoding.downloads import distribution_csv, draws_csv
from pages.decoding.figures import truncation_figure
from viz_core.analysis.divergence import marked
from viz_core.analysis.next_token import vocabulary_label
from viz_core.analysis.search import forced_in
from viz_core.app import session
from viz_core.app.cache import get_pass
from viz_core.app.controls import more
from viz_core.app.long_work import pooled
from viz_core.app.markup import Raw, latex, number
from viz_core.app.page import Page
from viz_core.decoding import Hypothesis
from viz_core.figures.attention import signed
from viz_core.figures.base import percent
from viz_core.figures.table import Drawn, draws_table
from viz_core.texts import enumerated
from viz_core.trace import Array
from viz_core.words import TokenizedText

Sentence = Hypothesis | Draw
DRAWS = 10
"""Sampled sentences."""
SHOWN = 10
"""Tokens of a step that have bars."""
PREFIX = 40
"""Characters of the words before a step in the figure's title."""


def show_sampling(p: Page) -> None:
    """The draws and the distribution, in the chosen order; lecture mode shows the first."""
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
    found = _show_distribution(p, options, draws[picked - 1] if picked else None, picked, forced)
    if first == "cut":
        _show_draws(p, [greedy, *draws], heading, picked, forced)
    tokenizer, step = p.view.checkpoint.tokenizer, p.view.step + 1
    p.offer("draws", f"draws-seed{seed}", partial(draws_csv, draws, tokenizer), draws=DRAWS)
    if found is not None:
        _arithmetic(p, options, *found, forced)
        p.offer("cut", f"distribution-step{step}", partial(distribution_csv, found[0], tokenizer), step=step)
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


def _show_distribution(
    p: Page, options: SamplingOptions, chosen: Draw | None, picked: int, forced: Mapping[int, int]
) -> tuple[TruncatedDistribution, str] | None:
    """The distribution of the current step after greedy's words, or after a draw's own, and its most probable token."""
    view, step = p.view, p.view.step
    if chosen and step >= len(chosen.ids):
        p.write("draw_ended", draw=picked, steps=len(chosen.ids), step=step + 1)
        return None
    found = truncated(_log_probs(p, chosen), options)
    total, ranks = len(found.ids), list(range(min(SHOWN, len(found.ids))))
    written = chosen.ids[step] if chosen else forced.get(step)
    drawn = int(np.flatnonzero(found.ids == written)[0]) if written is not None else None
    if drawn is not None and drawn >= SHOWN:
        ranks[-1] = drawn
    labels = [vocabulary_label(view.checkpoint.tokenizer, int(i)) for i in found.ids[ranks]]
    rows = [p.text("ranked", rank=f"{rank + 1:,}", token=label) for rank, label in zip(ranks, labels, strict=True)]
    ex = view.explanation
    before = view.checkpoint.tokenizer.decode(chosen.ids[:step]) if chosen else ex.text[: ex.output[step].start]
    kept = {
        "count": f"{found.count:,}", "kept": percent(found.kept), "cut": f"{total - found.count:,}", "lost": percent(1 - found.kept)
    }  # fmt: skip
    label = vocabulary_label(view.checkpoint.tokenizer, written) if written is not None else ""
    title = p.text(
        "title_forced" if step in forced else "title_all" if found.count == total else "title_cut", step=step + 1,
        before=before[-PREFIX:].strip() or p.text("nothing"), total=f"{total:,}", token=label, **kept,
    )  # fmt: skip
    figure = truncation_figure(
        rows, ranks, found.model, found.tempered, found.after, found.count, title=title,
        names=(p.text("with_temperature", t=f"{options.temperature:g}"), p.text("of_model"), p.text("bars")),
        axes=(p.text("rank"), p.text("probability")),
        ends=(
            p.text("stay", **kept), p.text("go", **kept, rules=_limits(p, options)), p.text("others", count=f"{total - SHOWN:,}"),
        ),
        drawn=min(drawn, SHOWN - 1) if drawn is not None else None, palette=p.palette,
    )  # fmt: skip
    p.show(figure, "cut", least="wide")
    if drawn is not None and not chosen:
        p.write("greedy_forced", token=label, rank=f"{drawn + 1:,}", before=percent(float(found.model[drawn])))
    if chosen and drawn is not None:
        p.write(
            "not_drawn" if step in forced else "drew", draw=picked, step=step + 1, token=label, dice=chosen.dice[step],
            rank=f"{drawn + 1:,}", before=percent(chosen.before[step]), after=percent(chosen.after[step]),
        )  # fmt: skip
    return found, labels[0]


def _log_probs(p: Page, chosen: Draw | None) -> Array:
    """Log-probability of each token at the current step, after greedy's words or after a draw's own, (V,)."""
    view = p.view
    if chosen is None:
        return view.current.log_probs
    read = (view.config.bos_id, *chosen.ids[:-1])
    trace = get_pass(view.checkpoint, (tuple(view.explanation.source.ids),), (read,), view.explanation.edits)
    row: Array = trace.array("output.log_probs")[view.step]
    return row


def _arithmetic(
    p: Page, options: SamplingOptions, found: TruncatedDistribution, label: str, forced: Mapping[int, int]
) -> None:  # fmt: skip
    """The most probable token before and after: temperature, truncation, renormalization."""
    log_p = float(np.log(found.model[0]))
    shares = {"p": number(float(found.tempered[0])), "mass": number(found.kept), "after": latex(percent(float(found.after[0])))}
    end = p.text("truncated", **shares) if found.count < len(found.ids) else p.text("untruncated")
    p.arithmetic(
        "of_sampling", token=Raw(latex(label)), t=Raw(f"{options.temperature:g}"), log=log_p, divided=log_p / options.temperature,
        model=Raw(latex(percent(float(found.model[0])))), tempered=Raw(latex(percent(float(found.tempered[0])))),
        end=Raw(end), count=f"{found.count:,}", total=f"{len(found.ids):,}",
        rules=Raw(_rules(p, options, found, p.view.step in forced)),
    )  # fmt: skip


def _rules(p: Page, options: SamplingOptions, found: TruncatedDistribution, forced: bool) -> str:
    rules = [p.text("rule_forced")] if forced else []
    rules += [p.text("rule_k", k=options.top_k)] if options.top_k else []
    if options.top_p < 1:
        shares = {"kept": number(found.kept), "of_k": number(found.of_k), "reached": percent(min(found.kept / found.of_k, 1.0))}
        rules.append(p.text("rule_p_of_k" if options.top_k else "rule_p", p=f"{options.top_p:g}", **shares))
    return " ".join(rules if options.top_k or options.top_p < 1 else [*rules, p.text("rule_none")])


def _limits(p: Page, options: SamplingOptions) -> str:
    rules = [p.text("by_k", k=options.top_k)] if options.top_k else []
    return enumerated([*rules, p.text("by_p", p=f"{options.top_p:g}")] if options.top_p < 1 else rules)
