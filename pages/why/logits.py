"""The written word's logit taken apart: after each layer, and as a sum over all components of the decoder.

The first is the logit lens (nostalgebraist 2020): the predictions if the decoder stopped after each layer. The sum may also be that
of the word's lead over another word.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import numpy as np
import streamlit as st

from pages.why.controls import KIND, OF, Against, explained_word, pick_rival, rival_of, rivals_of
from viz_core.analysis.logits import ATTENTIONS, AttentionKind, LogitAttribution, logit_attribution, logit_lens
from viz_core.analysis.next_token import vocabulary_label
from viz_core.app.arithmetic import Section, arithmetic_section, show_arithmetic
from viz_core.app.cache import cached
from viz_core.app.csv_files import Lines
from viz_core.app.markup import Raw
from viz_core.app.page import Page
from viz_core.browser.pack import pack
from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation
from viz_core.model.transformer import Transformer
from viz_core.sites import output_matrix
from viz_core.texts import visible
from viz_core.trace import Doubles, heads_shape

TOP = 3
"""Tokens that a row of the lens lists."""
ARITHMETIC: Mapping[str, str] = {"pre": "of_lens_pre", "post": "of_lens_post"}
NO_NORM: Mapping[str, str] = {"pre": "no_norm_pre", "post": "no_norm_post"}
TOLD = ("always_first", "never_first", "first_from", "same_rival", "unknown")
"""Texts below the lens, each at some steps."""


def show_logit_lens(p: Page, row: Any) -> None:
    """The most probable tokens after each layer, and from which layer on the written word leads."""
    view, ex, config = p.view, p.view.explanation, p.view.config
    with row:
        against = pick_rival(p)
    p.answer(lens_of_steps, against=against, chosen_by=("layer",))
    tied = p.text("tied") if config.generator_is_target else ""
    arithmetic = {"arithmetic": p.texts[ARITHMETIC["pre" if config.has_final_norm("decoder") else "post"]]}
    first_row = config.norm == "post" and not config.embedding_norm
    show_arithmetic(
        p, {name: p.texts[name] for name in TOLD} | arithmetic, figure="lens_of_steps",
        sections=[Section("same", "[[same]]"), Section("told", "[[told]]"), arithmetic_section("[[computed]]")],
        vocabulary=f"{len(ex.steps[0].log_probs):,}", tied=Raw(tied),
        letter=Raw(output_matrix(config)), bias=Raw(" + b" if config.output_bias else ""),
        no_norm=Raw(p.text(NO_NORM[config.norm])),
        first_row=Raw(p.text("first_row") if first_row else ""),
    )  # fmt: skip
    step, file, columns = view.step, f"logit-lens-step{view.step + 1}", "layer rank token id log_prob probability"
    checkpoint = view.checkpoint
    rival = rivals_of(ex.steps, rival_of(ex.steps, checkpoint.tokenizer, against))[step]
    p.offer("lens", file, columns, lambda: _lens(checkpoint, ex, step, rival), word=explained_word(p, step))


def lens_of_steps(checkpoint: Checkpoint, explanation: Explanation, against: Against) -> bytes:
    """The logit lens at all steps, before the first layer and after each: L + 1 rows.

    Tensors: top (T, L + 1, TOP), the most probable tokens, and shares, their probabilities; words (T, 2), the written token and the
    one that it is compared with; log_probs (T, L + 1, 2) and ranks (T, L + 1, 2), theirs. A row with numbers that overflow is NaN.

    About: labels, of all these tokens; written, the token of each step; against, the picked one, or -1.
    """
    tokenizer, steps = checkpoint.tokenizer, explanation.steps
    picked = rival_of(steps, tokenizer, against)
    words = [(step.expected.id, rival) for step, rival in zip(steps, rivals_of(steps, picked), strict=True)]
    columns: dict[str, list[Any]] = {name: [] for name in ("top", "shares", "log_probs", "ranks")}
    for step, both in zip(steps, words, strict=True):  # one by one: a lens has L + 1 numbers for each token of the vocabulary
        lens = logit_lens(checkpoint.model, explanation.trace, step.index)
        log_probs = lens.log_probs.astype(float)  # (L + 1, V)
        log_probs[~np.isfinite(log_probs).all(-1)] = np.nan
        rows = range(len(log_probs))
        top_ids = np.array([lens.top_ids(row, TOP) for row in rows], np.int32)
        columns["top"].append(top_ids)
        columns["shares"].append(np.exp(np.take_along_axis(log_probs, top_ids, -1)))
        columns["log_probs"].append(log_probs[:, both])
        columns["ranks"].append([[lens.rank(row, i) for i in both] for row in rows])
    top = np.stack(columns["top"])
    tensors = {
        "top": top,
        "shares": np.stack(columns["shares"]),
        "words": np.array(words, np.int32),
        "log_probs": np.stack(columns["log_probs"]),
        "ranks": np.array(columns["ranks"], np.int32),
    }
    named = {*top.ravel().tolist(), *(i for both in words for i in both)}
    about = {
        "labels": {i: visible(vocabulary_label(tokenizer, i)) for i in sorted(named)},
        "written": [visible(step.expected.label) for step in steps],
        "against": picked.id if picked else -1,
    }
    return pack(tensors, about)


def _lens(checkpoint: Checkpoint, explanation: Explanation, step: int, rival: int) -> Lines:
    """After each layer (0: before the first) the most probable tokens, then the two words compared."""
    lens, words = logit_lens(checkpoint.model, explanation.trace, step), (explanation.steps[step].expected.id, rival)
    for layer, log_probs in enumerate(lens.log_probs.astype(float)):
        for i in dict.fromkeys([*lens.top_ids(layer, TOP), *words]):
            yield [layer, lens.rank(layer, i), checkpoint.tokenizer.token_text(i), i, log_probs[i], lens.probability(layer, i)]


def attributions(model: Transformer, explanation: Explanation, rivals: Sequence[int]) -> list[LogitAttribution]:
    """The sources of the logit of each step's token or, with rivals, of its lead over the step's rival."""
    against: Sequence[int | None] = rivals or [None] * len(explanation.steps)
    return [
        logit_attribution(model, explanation.trace, step.index, step.expected.id, rival)
        for step, rival in zip(explanation.steps, against, strict=True)
    ]


def sum_by_words(tokens: Doubles, positions: Sequence[Sequence[int]]) -> Doubles:
    """Scores of tokens, (…, S), summed over the tokens of each word, (…, K)."""
    return np.stack([tokens[..., columns].sum(-1) for columns in positions], axis=-1)


def show_logit_attribution(p: Page, row: Any) -> None:
    """The sum term by term, and the part of each head of one attention in it."""
    view, ex = p.view, p.view.explanation
    with row:
        of = OF.draw(p)
        against = pick_rival(p) if of == "difference" else ""
    sums = _sums(view.checkpoint, ex, of, against)
    if not p.known(np.array([[total.value, *(part.value for part in total.parts)] for total in sums])):
        return
    terms = st.container()
    options = {"of": of, "against": against, "kind": KIND.draw(p)}
    with terms:
        p.answer(logit_sums, chosen_by=("layer",), **options)
    p.answer(logit_sums, part="attributed_heads", chosen_by=("layer", "head"), **options)
    normed, letter = view.config.norm == "post" or view.config.has_final_norm("decoder"), output_matrix(view.config)
    show_arithmetic(
        p, {name: p.texts[name] for name in ("exact", "no_sum", "same_rival", "of_parts")}, figure="logit_sums",
        sections=[Section("same", "[[same]]"), Section("told", "[[told]]"), arithmetic_section("of_parts")],
        matrix=Raw("$E$" if letter == "E" else p.text("parts_own")),
        between=Raw(p.text("parts_normed" if normed else "parts_bare", letter=Raw(letter))),
    )  # fmt: skip
    step, total = view.step, sums[view.step]

    def parts() -> Lines:
        for part in total.parts:
            yield [part.writer, *(None if at is None else at + 1 for at in (part.layer, part.head)), part.value]
        yield ["remainder", None, None, total.remainder]

    columns = "component layer head contribution"
    p.offer("attribution", f"logit-attribution-step{step + 1}", columns, parts, word=explained_word(p, step))
    p.show_code("code_logit_attribution")


def logit_sums(
    checkpoint: Checkpoint, explanation: Explanation, of: Annotated[str, OF], against: Against, kind: Annotated[AttentionKind, KIND]
) -> bytes:
    """The terms of every step's sum, and those of the heads of one attention.

    Tensors: terms (T, R), with R = 2 + 3 L + 1: embedding, positions, of each layer masked attention, cross attention and
    feed-forward, then biases and β together; value (T,), the logit or its lead; heads (T, L, h).

    About: of and kind; written and rivals, the tokens of each step; same, whether a step writes the picked one.
    """
    steps, layers = explanation.steps, checkpoint.config.layers("decoder")
    sums, picked = _sums(checkpoint, explanation, of, against), rival_of(steps, checkpoint.tokenizer, against)
    heads = np.zeros((len(sums), *heads_shape(checkpoint.config, kind)))
    for step, total in enumerate(sums):
        for part in total.parts:
            if part.writer == kind and part.layer is not None and part.head is not None:
                heads[step, part.layer, part.head] = part.value
    about = {
        "of": of,
        "kind": kind,
        "written": [visible(step.expected.label) for step in steps],
        "rivals": [visible(vocabulary_label(checkpoint.tokenizer, i)) for i in rivals_of(steps, picked)]
        if of == "difference"
        else [],
        "same": [picked is not None and step.expected.id == picked.id for step in steps],
    }
    terms = np.stack([_terms(total, layers) for total in sums])
    return pack({"terms": terms, "value": np.array([total.value for total in sums]), "heads": heads}, about)


def _sums(checkpoint: Checkpoint, explanation: Explanation, of: str, against: str) -> list[LogitAttribution]:
    picked = rival_of(explanation.steps, checkpoint.tokenizer, against)
    rivals = tuple(rivals_of(explanation.steps, picked)) if of == "difference" else ()
    return cached(attributions, checkpoint.model, explanation, rivals)


def _terms(total: LogitAttribution, layers: int) -> Doubles:
    """A row of `terms`."""

    def of(writer: str, layer: int | None = None) -> float:
        return sum(part.value for part in total.parts if part.writer == writer and layer in (None, part.layer))

    inner = [of(writer, layer) for layer in range(layers) for writer in (*ATTENTIONS.values(), "ffn")]
    return np.array([of("embedding"), of("positions"), *inner, of("bias") + of("beta")])
