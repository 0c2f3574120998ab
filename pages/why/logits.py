"""The logits of a word: after each layer (logit lens, nostalgebraist 2020), and as a sum over all components."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from pages.why.compute import LensRow, attributions, lens_rows
from pages.why.controls import KIND, OF, NamedToken, Rivals, explained_word, pick_rivals, share
from pages.why.figures import Summand, sum_bars
from viz_core.analysis.logits import ATTENTIONS, AttentionKind, LogitAttribution, LogitLens, logit_lens
from viz_core.analysis.next_token import vocabulary_label
from viz_core.app.arithmetic import PerState, Section, arithmetic_section, show_arithmetic
from viz_core.app.cache import cached
from viz_core.app.csv_files import Cell, csv_file
from viz_core.app.markup import Raw, latex, number
from viz_core.app.page import Page
from viz_core.figures.attention import signed
from viz_core.figures.base import percent
from viz_core.figures.figure import Figure
from viz_core.figures.head_map import LensCell, head_map, lens_map, limit_of
from viz_core.sites import output_matrix
from viz_core.tokenizer import Tokenizer
from viz_core.trace import heads_shape

TOP = 3
"""Tokens that a row of the lens lists."""
ARITHMETIC: Mapping[str, str] = {"pre": "of_lens_pre", "post": "of_lens_post"}
NO_NORM: Mapping[str, str] = {"pre": "no_norm_pre", "post": "no_norm_post"}
TOLD = ("always_first", "never_first", "first_from", "same_rival", "unknown")
"""Texts below the lens, each at some steps."""
SMALL = 1e-3
"""As a share of the logit: a greater remainder is not due to rounding."""


def show_logit_lens(p: Page, row: Any) -> None:
    """The decoder's predictions if it stopped after each layer."""
    view, ex = p.view, p.view.explanation
    with row:
        rivals = pick_rivals(p)
    count = view.config.layers("decoder") + 1
    heights = [p.text("height_first"), *(p.text("height", layer=layer) for layer in range(1, count))]
    places = [p.text("place", number=number) for number in range(1, TOP + 1)]
    lenses = cached(lens_rows, view.checkpoint.model, ex, rivals.ids, TOP)

    def make(step: int, layer: int) -> Figure:
        word, rival = explained_word(p, step), rivals.tokens[step]
        rows = [_lens_cells(p, row, height, (word, rival)) for row, height in zip(lenses[step], heights, strict=True)]
        return lens_map(
            rows, heights, [*places, f"«{word.label}»", f"«{rival.label}»"],
            title=p.text("title_lens", word=word.label, step=step + 1), axes=(p.text("heights"), p.text("readings")),
            highlighted=layer + 1, palette=p.palette,
        )  # fmt: skip

    p.show_each(make, ("step",), ("layer",), key="lens", inputs=rivals.ids, clicks="layer", least="wide")
    _tell_lens(p, rivals, lenses)
    step = view.step
    words = explained_word(p, step), rivals.tokens[step]

    def table() -> bytes:
        return lens_csv(logit_lens(view.checkpoint.model, ex.trace, step), view.checkpoint.tokenizer, TOP, words)

    p.offer("lens", f"logit-lens-step{step + 1}", table, word=words[0].label)


def _tell_lens(p: Page, rivals: Rivals, lenses: Sequence[Sequence[LensRow]]) -> None:
    """From which layer on the word of a step is the top prediction, and its probability after a layer."""

    def of_step(step: int) -> dict[str, Any]:
        word, rows = explained_word(p, step), lenses[step]
        ranks, known = [row.words[0].rank for row in rows], all(row.known for row in rows)
        last = next((height for height in reversed(range(len(ranks))) if ranks[height] != 1), -1)
        told = "always_first" if last < 0 else "never_first" if last + 1 == len(ranks) else "first_from"
        return {
            "told": Raw(told if known else "unknown"), "computed": "arithmetic" if known else "", "same": rivals.same(word),
            "word": word.label, "rival": rivals.tokens[step].label,
            "first": last + 1, "rank_first": f"{ranks[0]:,}", "rank_last": f"{ranks[-1]:,}",
        }  # fmt: skip

    def of_layer(step: int, layer: int) -> dict[str, Any]:
        reading = lenses[step][layer + 1].words[0]
        return {
            "layer": layer + 1, "log_prob": reading.log_prob, "probability": share(reading.probability), "rank": f"{reading.rank:,}"
        }  # fmt: skip

    config = p.view.config
    tied = p.text("tied") if config.generator_is_target else ""
    arithmetic = {"arithmetic": p.texts[ARITHMETIC["pre" if config.has_final_norm("decoder") else "post"]]}
    first_row = config.norm == "post" and not config.embedding_norm
    show_arithmetic(
        p, {name: p.texts[name] for name in TOLD} | arithmetic,
        PerState(("step",), p.each(of_step, "step")), PerState(("step", "layer"), p.each(of_layer, "step", "layer")),
        sections=[Section("same", "[[same]]"), Section("told", "[[told]]"), arithmetic_section("[[computed]]")],
        vocabulary=f"{len(p.view.explanation.steps[0].log_probs):,}", tied=Raw(tied),
        letter=Raw(output_matrix(config)), bias=Raw(" + b" if config.output_bias else ""),
        no_norm=Raw(p.text(NO_NORM[config.norm])),
        first_row=Raw(p.text("first_row") if first_row else ""),
    )  # fmt: skip


def _lens_cells(p: Page, row: LensRow, height: str, asked_for: tuple[NamedToken, NamedToken]) -> list[LensCell]:
    """The most probable tokens after so many layers, then the two words compared."""
    if not row.known:
        return [LensCell(("–", ""), 0.0, p.text("not_known", height=height))] * (TOP + len(asked_for))
    tokenizer, cells = p.view.checkpoint.tokenizer, []
    for place, (i, probability) in enumerate(row.top, 1):
        label = vocabulary_label(tokenizer, i)
        hover = p.text("hover_place", height=height, place=place, token=label, percent=percent(probability))
        cells.append(LensCell((label, percent(probability)), probability, hover, highlighted=i == asked_for[0].id))
    for word, reading in zip(asked_for, row.words, strict=True):
        rank = f"{reading.rank:,}"
        hover = p.text("hover_word", height=height, token=word.label, percent=percent(reading.probability), rank=rank)
        cells.append(LensCell((percent(reading.probability), p.text("rank", rank=rank)), reading.probability, hover))
    return cells


def show_logit_attribution(p: Page, row: Any) -> None:
    """The logit, or its lead over another word's, as the sum of the contributions of every component of the decoder."""
    view = p.view
    with row:
        of = OF.draw(p)
        rivals = pick_rivals(p) if of == "difference" else Rivals(())
    sums = cached(attributions, view.checkpoint.model, view.explanation, rivals.ids)
    if not p.known(np.array([[total.value, *(part.value for part in total.parts)] for total in sums])):
        return

    def text(table: str, step: int, **values: str) -> str:
        """The text of this table for the quantity that is explained."""
        return p.table(
            table, word=explained_word(p, step).label, rival=rivals.tokens[step].label if rivals.tokens else "", **values
        )[of]

    remainders = not all(map(_exact, sums))  # one step's is a row at all of them, so that they have the same rows

    def parts(step: int, layer: int) -> Figure:
        return sum_bars(
            _summands(p, sums[step], remainders), Summand(text("totals", step), sums[step].value),
            title=text("attribution_titles", step), axes=(p.text("writers"), text("cumulative_axes", step)), layer=layer,
            palette=p.palette,
        )  # fmt: skip

    p.show_each(parts, ("step",), ("layer",), key="parts", inputs=(of, *rivals.ids), clicks="layer", least="wide")
    kind = KIND.draw(p)

    def heads(step: int, layer: int, head: int) -> Figure:
        return _heads(p, sums[step], kind, text("head_titles", step, attention=p.text(kind)), (layer, head))

    p.show_each(heads, ("step",), ("layer", "head"), key="heads", inputs=(of, kind, *rivals.ids), clicks=("layer", "head"))
    normed, letter = view.config.norm == "post" or view.config.has_final_norm("decoder"), output_matrix(view.config)
    show_arithmetic(
        p, {name: p.texts[name] for name in ("exact", "no_sum", "same_rival", "of_parts")},
        PerState(("step",), p.each(lambda step: _sum_values(p, sums[step], step, rivals), "step")),
        sections=[Section("same", "[[same]]"), Section("told", "[[told]]"), arithmetic_section("of_parts")],
        matrix=Raw("$E$" if letter == "E" else p.text("parts_own")),
        between=Raw(p.text("parts_normed" if normed else "parts_bare", letter=Raw(letter))),
    )  # fmt: skip
    step = view.step
    p.offer(
        "attribution", f"logit-attribution-step{step + 1}", partial(attribution_csv, sums[step]), word=explained_word(p, step).label
    )
    p.show_code("code_logit_attribution")


def _sum_values(p: Page, logit: LogitAttribution, step: int, rivals: Rivals) -> dict[str, Any]:
    """The sum of one step, each term with its name below it."""
    word, components = explained_word(p, step), p.table("components")
    rival = rivals.tokens[step].label if rivals.tokens else ""
    sums = {writer: _sum(logit, writer) for writer in ("embedding", "positions", "masked", "cross", "ffn")}
    sums["constant"] = _sum(logit, "bias") + _sum(logit, "beta")
    if not _exact(logit):
        sums["remainder"] = logit.remainder
    terms = " + ".join(rf"\underbrace{{({number(value)})}}_{{\text{{{latex(components[name])}}}}}" for name, value in sums.items())
    formula = r"z_{\text{" + latex(word.label) + "}}" + (r" - z_{\text{" + latex(rival) + "}}" if rival else "")
    return {
        "left": Raw(formula), "terms": Raw(terms), "remainder": logit.remainder, "value": logit.value, "word": word.label,
        "rival": rival, "told": Raw("exact" if _exact(logit) else "no_sum"), "same": rivals.same(word),
    }  # fmt: skip


def _summands(p: Page, logit: LogitAttribution, remainder: bool) -> list[Summand]:
    """Embedding, positions, every sub-layer, what is the same in every sentence, biases and β, and maybe the remainder."""
    components = p.table("components")
    rows = [Summand(components["embedding"], _sum(logit, "embedding")), Summand(components["positions"], _sum(logit, "positions"))]
    for layer in range(p.view.config.layers("decoder")):
        for writer in (*ATTENTIONS.values(), "ffn"):
            rows.append(Summand(p.text("part", layer=layer + 1, writer=components[writer]), _sum(logit, writer, layer), layer))
    rows.append(Summand(components["constant"], _sum(logit, "bias") + _sum(logit, "beta")))
    if remainder:
        rows.append(Summand(components["remainder"], logit.remainder))
    return rows


def _exact(logit: LogitAttribution) -> bool:
    return abs(logit.remainder) <= SMALL * max(abs(logit.value), 1.0)


def _sum(logit: LogitAttribution, writer: str, layer: int | None = None) -> float:
    return sum(part.value for part in logit.parts if part.writer == writer and layer in (None, part.layer))


def _heads(p: Page, logit: LogitAttribution, kind: AttentionKind, title: str, highlighted: tuple[int, int]) -> Figure:
    """Every head of one attention."""
    brought = np.zeros(heads_shape(p.view.config, kind))
    for part in logit.parts:
        if part.writer == kind and part.layer is not None and part.head is not None:
            brought[part.layer, part.head] = part.value
    written = [[signed(value) for value in row] for row in brought.tolist()]
    hovers = [
        [p.text("hover_head", layer=i + 1, head=j + 1, value=text) for j, text in enumerate(row)] for i, row in enumerate(written)
    ]
    return head_map(
        brought, written, hovers, title=title, axes=(p.text("layers"), p.text("heads")), highlighted=highlighted,
        limit=limit_of(brought), palette=p.palette,
    )  # fmt: skip


@csv_file("layer rank token id log_prob probability")
def lens_csv(lens: LogitLens, tokenizer: Tokenizer, top: int, words: Sequence[NamedToken]) -> Iterator[list[Cell]]:
    """After each layer (0: before the first) the most probable tokens, then the two words compared."""
    for layer, log_probs in enumerate(lens.log_probs):
        for i in dict.fromkeys([*lens.top_ids(layer, top), *(word.id for word in words)]):
            yield [layer, lens.rank(layer, i), tokenizer.token_text(i), i, float(log_probs[i]), lens.probability(layer, i)]


@csv_file("component layer head contribution")
def attribution_csv(logit: LogitAttribution) -> Iterator[list[Cell]]:
    """Every term of the sum; their total and the remainder make the logit, or its lead."""
    for part in logit.parts:
        layer, head = (None if at is None else at + 1 for at in (part.layer, part.head))
        yield [part.writer, layer, head, part.value]
    yield ["remainder", None, None, logit.remainder]
