"""The logit of the written word, or its lead over another word's, as a sum over all components of the decoder."""

from collections.abc import Iterator
from functools import partial
from typing import Annotated, Any

import numpy as np
import streamlit as st

from pages.why.compute import attributions
from pages.why.controls import KIND, NONE, OF, Against, explained_word, pick_rival, rivals_of
from viz_core.analysis.logits import ATTENTIONS, AttentionKind, LogitAttribution
from viz_core.analysis.next_token import vocabulary_label
from viz_core.app.arithmetic import Section, arithmetic_section, show_arithmetic
from viz_core.app.cache import cached
from viz_core.app.csv_files import Cell, csv_file
from viz_core.app.markup import Raw
from viz_core.app.page import Page
from viz_core.browser.pack import pack
from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation
from viz_core.sites import output_matrix
from viz_core.texts import texts, visible
from viz_core.trace import Doubles, heads_shape


def show_logit_attribution(p: Page, row: Any) -> None:
    """The sum term by term, and the part of each head of one attention in it."""
    view, ex = p.view, p.view.explanation
    with row:
        of = OF.draw(p)
        against = pick_rival(p) if of == "difference" else NONE
    sums = _sums(view.checkpoint, ex, of, against)
    if not p.known(np.array([[total.value, *(part.value for part in total.parts)] for total in sums])):
        return
    terms = st.container()
    asked = {"of": of, "against": against, "kind": KIND.draw(p)}
    with terms:
        p.answer(logit_sums, chosen_by=("layer",), **asked)
    p.answer(logit_sums, part="attributed_heads", chosen_by=("layer", "head"), **asked)
    normed, letter = view.config.norm == "post" or view.config.has_final_norm("decoder"), output_matrix(view.config)
    show_arithmetic(
        p, {name: p.texts[name] for name in ("exact", "no_sum", "same_rival", "of_parts")}, figure="logit_sums",
        sections=[Section("same", "[[same]]"), Section("told", "[[told]]"), arithmetic_section("of_parts")],
        matrix=Raw("$E$" if letter == "E" else p.text("parts_own")),
        between=Raw(p.text("parts_normed" if normed else "parts_bare", letter=Raw(letter))),
    )  # fmt: skip
    step = view.step
    table = partial(attribution_csv, sums[step])
    p.offer("attribution", f"logit-attribution-step{step + 1}", table, word=explained_word(p, step))
    p.show_code("code_logit_attribution")


def logit_sums(
    checkpoint: Checkpoint, explanation: Explanation, of: Annotated[str, OF], against: Against, kind: Annotated[AttentionKind, KIND]
) -> bytes:
    """The terms of every step's sum, and those of the heads of one attention.

    Tensors: terms (T, R), with R = 2 + 3 L + 1: embedding, positions, of each layer masked attention, cross attention and
    feed-forward, then biases and β together; value (T,), the logit or its lead; heads (T, L, h).

    About: written and rivals, the tokens of each step; same, whether a step writes the picked one.
    """
    steps, layers = explanation.steps, checkpoint.config.layers("decoder")
    sums, rivals = _sums(checkpoint, explanation, of, against), rivals_of(steps, against)
    heads = np.zeros((len(sums), *heads_shape(checkpoint.config, kind)))
    for step, total in enumerate(sums):
        for part in total.parts:
            if part.writer == kind and part.layer is not None and part.head is not None:
                heads[step, part.layer, part.head] = part.value
    words = texts("why")
    covered = {"covered": texts("app.frame")["covered"]}
    about = {
        "written": [visible(step.expected.label) for step in steps],
        "rivals": [visible(vocabulary_label(checkpoint.tokenizer, i)) for i in rivals] if of == "difference" else [],
        "same": [step.expected.id == against for step in steps],
        "texts": {
            "terms": {
                **words["attribution"],
                "lead": words["attribution_titles"][of],
                "axis": words["cumulative_axes"][of],
                "total": words["totals"][of],
                "named": texts("joined")["named"],
                **words["components"],
                **covered,
            },
            "heads": {**words["attributed_heads"], "lead": words["head_titles"][of], "attention": words[kind], **covered},
        },
    }
    terms = np.stack([_terms(total, layers) for total in sums])
    return pack({"terms": terms, "value": np.array([total.value for total in sums]), "heads": heads}, about)


def _sums(checkpoint: Checkpoint, explanation: Explanation, of: str, against: int) -> list[LogitAttribution]:
    rivals = tuple(rivals_of(explanation.steps, against)) if of == "difference" else ()
    return cached(attributions, checkpoint.model, explanation, rivals)


def _terms(total: LogitAttribution, layers: int) -> Doubles:
    """A row of `terms`."""

    def of(writer: str, layer: int | None = None) -> float:
        return sum(part.value for part in total.parts if part.writer == writer and layer in (None, part.layer))

    inner = [of(writer, layer) for layer in range(layers) for writer in (*ATTENTIONS.values(), "ffn")]
    return np.array([of("embedding"), of("positions"), *inner, of("bias") + of("beta")])


@csv_file("component layer head contribution")
def attribution_csv(logit: LogitAttribution) -> Iterator[list[Cell]]:
    """Every term of the sum; their total and the remainder make the logit, or its lead."""
    for part in logit.parts:
        layer, head = (None if at is None else at + 1 for at in (part.layer, part.head))
        yield [part.writer, layer, head, part.value]
    yield ["remainder", None, None, logit.remainder]
