"""The controls of this page, and the word in question with the word that it is compared with."""

from dataclasses import dataclass

import numpy as np

from viz_core.analysis.next_token import vocabulary_label
from viz_core.app import session
from viz_core.app.controls import Choice, Suggestion
from viz_core.app.page import Page
from viz_core.edits.typed import forced_token
from viz_core.explain import Notice
from viz_core.figures.base import percent

SHOW = Choice("show", ("logit_lens", "logit_attribution", "source_words", "alignment", "rollout"), labelled=False)
AGAINST = Suggestion("against", width=240)
OF = Choice("of", ("difference", "logit"), labelled=False)
KIND = Choice("kind", ("cross", "masked"), labelled=False)
BY = Choice("by", ("erasure_by", "head_by", "mean_by"), labelled=False)
RIVALS = 8
"""Tokens on offer as the other word."""


@dataclass(frozen=True)
class NamedToken:
    """A token of the vocabulary: its id and how it is written."""

    id: int
    label: str


def asked(p: Page) -> NamedToken:
    """The word in question: the token written at the current step."""
    expected = p.view.current.expected
    return NamedToken(expected.id, expected.label)


def pick_rival(p: Page) -> NamedToken:
    """The word to compare with: the most probable other one, unless another is picked or typed."""
    now, tokenizer = p.view.current, p.view.checkpoint.tokenizer
    ids = [i for i in now.top_ids(RIVALS + 1) if i != now.expected.id][:RIVALS]
    words = {vocabulary_label(tokenizer, i): i for i in ids}
    picked = AGAINST.draw(p, {label: f"«{label}» {share(now.probability(i))}" for label, i in words.items()})
    if picked is None:
        return NamedToken(ids[0], next(iter(words)))
    if picked in words:
        return NamedToken(words[picked], picked)
    token = forced_token(picked, tokenizer)
    label = vocabulary_label(tokenizer, token.id)
    if token.id == now.expected.id:
        session.say(Notice("same_rival", {"shown": label}))
        return NamedToken(ids[0], next(iter(words)))
    if not token.exact:
        session.say(Notice("no_rival", {"typed": picked[:40], "shown": label}))
    return NamedToken(token.id, label)


def share(value: float) -> str:
    """A probability in %; – where it is not a number."""
    return percent(value) if np.isfinite(value) else "–"
