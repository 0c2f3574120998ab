"""Sampling on the page "How it chooses": the cut in the distribution of a step, and ten draws side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np
import streamlit as st

from pages.decoding.beam import own_words
from pages.decoding.beam_compute import Asked, search
from pages.decoding.downloads import cut_csv, draws_csv
from pages.decoding.sampling_compute import Cut, Draw, Shape, draw, shape
from pages.decoding.sampling_figure import cut_figure
from viz_core.analysis.divergence import marked
from viz_core.analysis.next_token import vocabulary_label
from viz_core.app import session
from viz_core.app.cache import cached, get_pass
from viz_core.app.dials import dial
from viz_core.app.markup import Raw, latex, number
from viz_core.app.page import Page
from viz_core.config import BOS_ID
from viz_core.decoding import Hypothesis
from viz_core.figures.base import percent
from viz_core.figures.draws import Drawn, draws_table
from viz_core.tokens import TokenizedText
from viz_core.trace import Array

DRAWS = 10
SHOWN = 10
"""Tokens of a step that have bars."""
MOST_SEED = 999_999


def show_sampling(p: Page) -> None:
    """The draws and the cut, in the order that is chosen; lecture mode shows the first."""
    cut, seed = _settings(p)
    alone = cached(search, p.view.checkpoint, p.view.explanation, Asked(1, 0.0, 1))
    greedy, forced = alone.greedy, alone.forced
    own_words(p, forced)
    draws = cached(draw, p.view.checkpoint, p.view.explanation, cut, seed, DRAWS, entries=48)
    with p.controls():
        first = p.choose("seen", ["draws", "cut"])
        of = p.pick("draw", [p.text("of_greedy"), *(p.text("of_draw", draw=i + 1) for i in range(DRAWS))], width=170, first=0)
    if not np.isfinite([greedy.total, *(draw.total for draw in draws)]).all():
        p.write("unknown")
        return
    told = p.text("heading_text", settings=_settled(p, cut), seed=seed)
    if first == "draws":
        _show_draws(p, [greedy, *draws], told, of, forced)
    found = _show_cut(p, cut, draws[of - 1] if of else None, of, forced)
    if first == "cut":
        _show_draws(p, [greedy, *draws], told, of, forced)
    p.offer("draws", f"draws-seed{seed}", partial(draws_csv, draws, p.view.checkpoint.tokenizer), draws=DRAWS)
    if found is not None:
        _arithmetic(p, cut, *found, forced)
        p.offer("cut", f"cut-step{p.view.step + 1}", partial(cut_csv, found[0], p.view.checkpoint.tokenizer), step=p.view.step + 1)
    p.light("code_sampling")


def _settings(p: Page) -> tuple[Cut, int]:
    with p.controls():
        cut = Cut(
            temperature=dial(p, "temp", 0.1, 2.0, 1.0, step=0.1, width=120),
            top_k=dial(p, "top_k", 0, 100, 0, step=1, width=120),
            top_p=dial(p, "top_p", 0.05, 1.0, 1.0, step=0.05, width=120),
        )
        seed = dial(p, "seed", 0, MOST_SEED, 0, step=1, typed=True, width=110)
        name = f"{p.name}_seed"
        st.button(p.texts["draw_again"], key="_draw_again", on_click=session.change, kwargs={name: (seed + 1) % (MOST_SEED + 1)})
    return cut, seed


def _settled(p: Page, cut: Cut) -> str:
    off = p.texts["off"]
    return p.text("settings", t=f"{cut.temperature:g}", k=cut.top_k or off, p=f"{cut.top_p:g}" if cut.top_p < 1 else off)


def _show_draws(p: Page, sentences: Sequence[Hypothesis | Draw], told: str, of: int, forced: Mapping[int, int]) -> None:
    """Greedy's sentence, and below it what was drawn."""
    checkpoint = p.view.checkpoint
    lines = [checkpoint.tokenizer.read(each.ids, checkpoint.target_language) for each in sentences]
    counts = Counter(line.text for line in lines[1:])
    rows = [
        Drawn(
            name=str(index) if index else p.text("greedy"),
            words=[*marked(lines[0].words, line.text, line.words), *([] if each.ended else [(" …", False)])],
            log_prob=f"{each.total:.2f}".replace("-", "−"),
            times=f"{counts[line.text]} ×" if index or line.text in counts else "–",
            forced=_forced_words(line, forced),
        )
        for index, (line, each) in enumerate(zip(lines, sentences, strict=True))
    ]
    headings = [p.text("heading_name"), told, p.text("heading_log"), p.text("heading_times")]
    p.html(draws_table(rows, headings=headings, highlighted=of, palette=p.palette))
    p.write("distinct", draws=DRAWS, distinct=len(counts), same=counts[lines[0].text])
    _compare(p, sentences, lines)
    if forced:
        p.write("framed")


def _forced_words(line: TokenizedText, forced: Mapping[int, int]) -> set[int]:
    """Where `marked` has the words of the forced tokens: what stands between words is listed, too."""
    words = {line.tokens[step].word for step in forced if step < len(line.tokens)}
    return {2 * word + 1 for word in words if word is not None}


def _compare(p: Page, sentences: Sequence[Hypothesis | Draw], lines: Sequence[TokenizedText]) -> None:
    """Which draws are more probable than greedy's sentence, and which were cut off; what was cut is no sentence to compare."""
    greedy, *draws = sentences
    others = [(i, each) for i, each in enumerate(draws, 1) if each.ended and lines[i].text != lines[0].text]
    above = [i for i, each in others if each.total > greedy.total]
    if greedy.ended and others:
        p.write("above" if above else "none_above", draws=_names(p, above))
    if cut := [i for i, each in enumerate(draws, 1) if not each.ended]:
        p.write("cut_off", draws=_names(p, cut), steps=len(draws[cut[0] - 1].ids))


def _names(p: Page, draws: Sequence[int]) -> str:
    return ", ".join(p.text("of_draw", draw=i) for i in draws)


def _show_cut(p: Page, cut: Cut, chosen: Draw | None, of: int, forced: Mapping[int, int]) -> tuple[Shape, str] | None:
    """The distribution of the current step after greedy's words, or after a draw's own."""
    view, step = p.view, p.view.step
    if chosen and step >= len(chosen.ids):
        p.write("draw_ended", draw=of, steps=len(chosen.ids), step=step + 1)
        return None
    found = shape(_log_probs(p, chosen), cut)
    total, ranks = len(found.ids), list(range(min(SHOWN, len(found.ids))))
    written = chosen.ids[step] if chosen else forced.get(step)
    drawn = int(np.flatnonzero(found.ids == written)[0]) if written is not None else None
    if drawn is not None and drawn >= SHOWN:
        ranks[-1] = drawn
    labels = [vocabulary_label(view.checkpoint.tokenizer, int(i)) for i in found.ids[ranks]]
    rows = [p.text("ranked", rank=f"{rank + 1:,}", token=label) for rank, label in zip(ranks, labels, strict=True)]
    ex = view.explanation
    before = view.checkpoint.tokenizer.decode(chosen.ids[:step]) if chosen else ex.text[: ex.output[step].start]
    values = {"step": step + 1, "before": before[-40:].strip() or p.text("nothing"), "total": f"{total:,}"}
    kept = {"count": f"{found.count:,}", "kept": percent(found.kept)}
    kept |= {"cut": f"{total - found.count:,}", "lost": percent(1 - found.kept)}
    label = vocabulary_label(view.checkpoint.tokenizer, written) if written is not None else ""
    which = "title_forced" if step in forced else "title_all" if found.count == total else "title_cut"
    title = p.text(which, **values, **kept, token=label)
    p.show(
        cut_figure(
            rows, ranks, found.model, found.tempered, found.after, found.count, title=title,
            names=(p.text("with_temperature", t=f"{cut.temperature:g}"), p.text("of_model"), p.text("bars")),
            axes=(p.text("rank"), p.text("probability"), p.text("after")),
            ends=(p.text("stay", **kept), p.text("go", **kept, rules=_by(p, cut)), p.text("others", count=f"{total - SHOWN:,}")),
            drawn=min(drawn, SHOWN - 1) if drawn is not None else None, palette=p.palette,
        ),
        "cut",
    )  # fmt: skip
    if drawn is not None and not chosen:
        p.write("greedy_forced", token=label, rank=f"{drawn + 1:,}", before=percent(float(found.model[drawn])))
    if chosen and drawn is not None:
        p.write(
            "not_drawn" if step in forced else "drew", draw=of, step=step + 1, token=label, dice=chosen.dice[step],
            rank=f"{drawn + 1:,}", before=percent(chosen.before[step]), after=percent(chosen.after[step]),
        )  # fmt: skip
    return found, labels[0]


def _log_probs(p: Page, chosen: Draw | None) -> Array:
    view = p.view
    if chosen is None:
        return view.current.log_probs
    read = (BOS_ID, *chosen.ids[:-1])
    ids = (tuple(view.explanation.source.ids),), (tuple(read),)
    trace = get_pass(view.checkpoint, *ids, view.explanation.edits)
    row: Array = trace.array("output.log_probs")[view.step]
    return row


def _arithmetic(p: Page, cut: Cut, found: Shape, label: str, forced: Mapping[int, int]) -> None:
    """The most probable token before and after: temperature, what stays, and once more to 1."""
    log_p = float(np.log(found.model[0]))
    p.arithmetic(
        "of_sampling", token=Raw(latex(label)), t=Raw(f"{cut.temperature:g}"), log=log_p, divided=log_p / cut.temperature,
        model=Raw(latex(percent(float(found.model[0])))), tempered=Raw(latex(percent(float(found.tempered[0])))),
        p=float(found.tempered[0]), mass=found.kept, after=Raw(latex(percent(float(found.after[0])))), count=f"{found.count:,}",
        total=f"{len(found.ids):,}", rules=Raw(_rules(p, cut, found, p.view.step in forced)),
    )  # fmt: skip


def _rules(p: Page, cut: Cut, found: Shape, forced: bool) -> str:
    """What the cut is, in words."""
    rules = [p.text("rule_forced")] if forced else []
    rules += [p.text("rule_k", k=cut.top_k)] if cut.top_k else []
    if cut.top_p < 1:
        shares = {"kept": number(found.kept), "of_k": number(found.of_k), "reached": percent(min(found.kept / found.of_k, 1.0))}
        rules.append(p.text("rule_p_of_k" if cut.top_k else "rule_p", p=f"{cut.top_p:g}", **shares))
    return " ".join(rules if cut.top_k or cut.top_p < 1 else [*rules, p.text("rule_none")])


def _by(p: Page, cut: Cut) -> str:
    """What cuts, in a few words."""
    rules = [p.text("by_k", k=cut.top_k)] if cut.top_k else []
    return ", ".join([*rules, p.text("by_p", p=f"{cut.top_p:g}")] if cut.top_p < 1 else rules)
