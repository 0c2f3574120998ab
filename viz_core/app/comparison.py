"""Two explanations side by side: what they write and hold probable, where they look, and how far they are apart."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from viz_core.analysis.divergence import Comparison, compare_explanations
from viz_core.analysis.next_token import vocabulary_label
from viz_core.app import components, edited, session, snapshots
from viz_core.app.cache import cached, get_explanation, get_pass
from viz_core.app.comparison_csv import attentions_csv, comparison_csv, difference_csv
from viz_core.app.markup import Raw, latex, number
from viz_core.app.page import Page
from viz_core.browser.attention_payload import attention_payload
from viz_core.browser.comparison_payload import Side, comparison_payload
from viz_core.browser.side_by_side_payload import Attended, side_by_side_payload
from viz_core.edits import describe
from viz_core.explain import Explanation, Notice
from viz_core.texts import fill, texts
from viz_core.trace import Kind

ROUNDING = 1e-6
"""Bits: below it two distributions are the same."""
MOST_TERMS = 2
"""Tokens whose part of a divergence is written out."""


def edited_sides(p: Page) -> tuple[Side, Side]:
    """The model as trained, and the edited one. What the edited one has to say is said with the page's notices."""
    checkpoint, before, edits = p.view.checkpoint, p.view.explanation, edited.draft()
    target = snapshots.target(checkpoint, session.get("text"), session.get("target") or "")
    after = get_explanation(checkpoint, session.get("text"), target, edits)
    say_right(p, after)
    details = describe(after.edits) or (p.texts["nothing"],)
    return Side(p.texts["trained"], before, checkpoint), Side(p.texts["edited"], after, checkpoint, details)


def say_right(p: Page, after: Explanation) -> None:
    """What only the right side has to say, with the page's notices."""
    for notice in after.notices:
        if notice not in p.view.explanation.notices:
            session.say(Notice("right", {"said": fill(texts("app.notices")[notice.code], notice.values)}))


def changes(left: Side, right: Side) -> Comparison:
    """The right side asked for what the left one wrote, step by step; both have the same vocabulary."""
    before, after = left.explanation, right.explanation
    same = get_pass(right.checkpoint, (tuple(after.source.ids),), (tuple(before.target.ids),), after.edits)
    return cached(compare_explanations, before, after, same)


def show_comparison(p: Page, left: Side, right: Side, found: Comparison | None = None) -> None:
    """Both translations and both distributions, compared step by step where both were asked for the same output."""
    p.mount("comparison", comparison_payload(left, right, found))
    p.offer("outputs", "both-outputs", partial(comparison_csv, left, right, found))


def show_side_by_side(p: Page, left: Side, right: Side, kind: Kind, *, difference: bool = False, alone: bool = False) -> None:
    """The same attention of both, on one scale, or what the right one gives more.

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
    key = f"{p.name}_{kind}{'_difference' * difference}"
    if alone:
        p.mount("side_by_side", payload, key)
    else:
        components.show("side_by_side", payload, key)


def asked_for_left(left: Side, right: Side) -> Side:
    """The right side over what the left one wrote; forced, since it would have written something else."""
    before, after = left.explanation, right.explanation
    sources, targets = (tuple(after.source.ids),), (tuple(before.target.ids),)
    trace = get_pass(right.checkpoint, sources, targets, after.edits)
    same = replace(before, source=after.source, trace=trace, given_target=True, notices=(), edits=after.edits)
    return replace(right, explanation=same)


def divergence_arithmetic(p: Page, found: Comparison) -> None:
    """The divergence at this step, and what became of the probability of the whole output on the left."""
    step = p.view.step
    bits, (before, after) = float(found.divergence[step]), found.log_probs()
    if not np.isfinite([bits, *before, *after]).all():
        p.arithmetic("divergence_unknown")
        return
    if bits < ROUNDING:  # two passes over the same differ in the last digits
        none = float(found.divergence.max()) < ROUNDING
        values = {"step": step + 1, "before": float(before.sum()), "after": float(after.sum()), "drop": found.drop}
        p.arithmetic("divergence_none" if none else "divergence_equal", **values, tokens=len(before))
        return
    terms = [
        p.text(
            "term", p=number(each.before), q=number(each.after), token=latex(vocabulary_label(p.view.checkpoint.tokenizer, each.id))
        )
        for each in found.largest_terms(step, MOST_TERMS)
    ]
    p.arithmetic(
        "divergence",
        step=step + 1,
        terms=Raw(" + ".join(terms)),
        bits=bits,
        before=float(before.sum()),
        after=float(after.sum()),
        drop=found.drop,
        tokens=len(before),
    )
