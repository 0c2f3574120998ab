"""Two explanations side by side: their outputs, probabilities and attention, and the divergence between them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from viz_core.analysis.divergence import Comparison, compare_explanations
from viz_core.analysis.next_token import vocabulary_label
from viz_core.analysis.words import Match, align_words
from viz_core.app import components, edited, session, snapshots
from viz_core.app.arithmetic import Varying, show_arithmetic
from viz_core.app.cache import cached, get_explanation, get_pass
from viz_core.app.csv_files import Cell, csv_file
from viz_core.app.markup import Raw, latex, number
from viz_core.app.page import Page
from viz_core.browser.attention_payload import Attended, attention_payload, side_by_side_payload
from viz_core.browser.output_payload import TOP, Side, comparison_payload
from viz_core.edits import describe
from viz_core.explain import Explanation, Notice
from viz_core.texts import fill, texts
from viz_core.trace import Doubles, Kind, Trace

ROUNDING = 1e-6
"""Bits: below it two distributions are the same."""
MOST_TERMS = 2
"""Tokens whose part of a divergence is written out."""


def edited_sides(p: Page) -> tuple[Side, Side]:
    """The model as trained, and the edited one, whose own notices join those of the page."""
    checkpoint, before, edits = p.view.checkpoint, p.view.explanation, edited.draft()
    target = snapshots.target(checkpoint, session.get("text"), session.get("target") or "")
    after = get_explanation(checkpoint, session.get("text"), target, edits)
    say_right(p, after)
    details = describe(after.edits) or (p.texts["nothing"],)
    return Side(p.texts["trained"], before, checkpoint), Side(p.texts["edited"], after, checkpoint, details)


def say_right(p: Page, after: Explanation) -> None:
    """Adds the notices that only the right side has to those of the page."""
    for notice in after.notices:
        if notice not in p.view.explanation.notices:
            session.say(Notice("right", {"message": fill(texts("app.notices")[notice.code], notice.values)}))


def changes(left: Side, right: Side) -> Comparison:
    """The right side scored on the left side's output, step by step; both have the same vocabulary."""
    return cached(compare_explanations, left.explanation, right.explanation, _pass_over_left(left, right))


def asked_for_left(left: Side, right: Side) -> Side:
    """The right side, teacher-forced on the left side's output."""
    after = right.explanation
    same = replace(
        left.explanation, source=after.source, trace=_pass_over_left(left, right), given_target=True, notices=(), edits=after.edits
    )
    return replace(right, explanation=same)


def _pass_over_left(left: Side, right: Side) -> Trace:
    after = right.explanation
    return get_pass(right.checkpoint, (tuple(after.source.ids),), (tuple(left.explanation.target.ids),), after.edits)


def show_comparison(p: Page, left: Side, right: Side, found: Comparison | None = None) -> None:
    """Both translations and both distributions, compared step by step where both were scored on the same output."""
    p.mount("comparison", comparison_payload(left, right, found))
    p.offer("outputs", "both-outputs", partial(comparison_csv, left, right, found))


def show_side_by_side(p: Page, left: Side, right: Side, kind: Kind, *, difference: bool = False, alone: bool = False) -> None:
    """The same attention of both, on one scale, or the difference, right − left.

    Args:
        alone: whether it is all that the page shows: then lecture mode shows it, and a file of the page has it.
    """
    first, second = (
        Attended(side.name, side.explanation, cached(attention_payload, side.explanation, kind)) for side in (left, right)
    )
    sides = left.explanation, right.explanation
    attention = p.texts[kind]
    if difference:
        p.offer("difference", f"{kind}-difference", partial(difference_csv, *sides, kind), attention=attention)
    p.offer("attentions", f"{kind}-both-sides", partial(attentions_csv, *sides, kind), attention=attention)
    payload = side_by_side_payload(first, second, kind=kind, difference=difference, alone=alone)
    show = p.mount if alone else components.show
    p.picked_below |= not alone
    show("side_by_side", payload, f"{p.name}_{kind}{'_difference' * difference}")


DIVERGENCES = ("divergence", "divergence_none", "divergence_equal", "divergence_unknown")


def divergence_arithmetic(p: Page, found: Comparison) -> None:
    """The divergence at each step, and how the probability of the whole left output changes."""
    before, after = found.log_probs()
    sums: dict[str, Any] = {"before": float(before.sum()), "after": float(after.sum()), "drop": found.drop, "tokens": len(before)}
    known = bool(np.isfinite([*before, *after]).all())
    steps = [{"text": Raw("divergence_unknown"), **_divergence(p, found, step, known)} for step in range(len(before))]
    show_arithmetic(p, {key: p.texts[key] for key in DIVERGENCES}, Varying(("step",), steps), **sums)


def _divergence(p: Page, found: Comparison, step: int, known: bool) -> dict[str, Any]:
    """The text of one step and its values; none where they are no numbers."""
    bits = float(found.divergence[step])
    if not known or not np.isfinite(bits):
        return {}
    if bits < ROUNDING:  # two passes over the same tokens differ in the last digits
        none = float(found.divergence.max()) < ROUNDING
        return {"text": Raw("divergence_none" if none else "divergence_equal"), "step": step + 1}
    tokenizer = p.view.checkpoint.tokenizer
    terms = [
        p.text("term", p=number(each.before), q=number(each.after), token=latex(vocabulary_label(tokenizer, each.id)))
        for each in found.largest_terms(step, MOST_TERMS)
    ]
    return {"text": Raw("divergence"), "step": step + 1, "terms": Raw(" + ".join(terms)), "bits": bits}


@csv_file("side step token id written log_prob log_prob_other_side divergence_bits")
def comparison_csv(left: Side, right: Side, found: Comparison | None = None) -> Iterator[list[Cell]]:
    """Each step of both sides: the most probable tokens and the one that is written, with ln p on both sides where compared.

    Args:
        found: where both were scored on the same output; `divergence_bits` is KL(left ‖ right) of the step.
    """
    for name, side, first in (("left", left, True), ("right", right, False)):
        if found:
            own, other = (found.before, found.after) if first else (found.after, found.before)
            output = found.output.tolist()
        else:
            own, other = np.stack([step.log_probs for step in side.explanation.steps]), None
            output = [token.id for token in side.explanation.output]
        for step, (log_probs, token) in enumerate(zip(own, output, strict=True)):
            for i in dict.fromkeys([*np.argsort(-log_probs, kind="stable")[:TOP].tolist(), token]):
                text = side.checkpoint.tokenizer.token_text(i)
                there, bits = (other[step, i], found.divergence[step]) if found and other is not None else (None, None)
                yield [name, step + 1, text, i, int(i == token), log_probs[i], there, bits]


@csv_file("side layer head query_index query key_index key weight")
def attentions_csv(left: Explanation, right: Explanation, kind: Kind) -> Iterator[list[Cell]]:
    """The attention weights of both sides, a line for each cell of every head."""
    for name, each in (("left", left), ("right", right)):
        queries, keys = (side.labels for side in each.sides(kind))
        for layer, block in enumerate(each.trace.attentions(kind)):
            weights = block.weights
            for (head, i, j), weight in np.ndenumerate(weights):
                yield [name, layer + 1, head + 1, i + 1, queries[i], j + 1, keys[j], weight]


@csv_file("layer head query_index query key_index key left right difference")
def difference_csv(left: Explanation, right: Explanation, kind: Kind) -> Iterator[list[Cell]]:
    """Attention of the right side's heads minus that of the left side's, word by word, as shares of a query's attention."""
    rows, columns = (align_words(*pair).matches for pair in zip(left.sides(kind), right.sides(kind), strict=True))
    for layer, blocks in enumerate(zip(left.trace.attentions(kind), right.trace.attentions(kind), strict=False)):
        before, after = (block.weights.astype(np.float64) for block in blocks)
        for head in range(min(len(before), len(after))):
            for i, row in enumerate(rows, 1):
                for j, column in enumerate(columns, 1):
                    ours, theirs = (word_share(w[head], row, column, at) for at, w in enumerate((before, after)))
                    yield [layer + 1, head + 1, i, _both(row), j, _both(column), ours, theirs, theirs - ours]


def word_share(weights: Doubles, query: Match, key: Match, side: int) -> float:
    """Attention between two words of one side: summed over the key's tokens, averaged over the query's (Clark et al. 2019)."""
    return float(weights[np.ix_(query.tokens[side], key.tokens[side])].sum(-1).mean())


def _both(match: Match) -> str:
    texts: Sequence[str] = list(dict.fromkeys(match.texts))
    return " | ".join(texts)
