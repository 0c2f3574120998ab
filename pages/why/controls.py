"""The controls of this page, and the word in question of each step with the word that it is compared with."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from viz_core.analysis.next_token import vocabulary_label
from viz_core.app import session
from viz_core.app.markup import Raw
from viz_core.app.page import Page
from viz_core.edits.typed import forced_token
from viz_core.explain import ExplainedStep, Notice
from viz_core.figures.base import percent
from viz_core.params import Choice, Suggestion
from viz_core.tokenizer import Tokenizer

SHOW = Choice("show", ("logit_lens", "logit_attribution", "source_words", "alignment", "rollout"), labelled=False)
AGAINST = Suggestion("against", width=300)
OF = Choice("of", ("difference", "logit"), labelled=False)
KIND = Choice("kind", ("cross", "masked"), labelled=False)
BY = Choice("by", ("erasure_by", "head_by", "mean_by"), labelled=False)
RIVALS = 3
"""Tokens of each step on offer as the other word."""


@dataclass(frozen=True)
class NamedToken:
    """A token of the vocabulary: its id and how it is written."""

    id: int
    label: str


def asked(p: Page, step: int) -> NamedToken:
    """The word in question: the token written at a step."""
    expected = p.view.explanation.steps[step].expected
    return NamedToken(expected.id, expected.label)


@dataclass(frozen=True)
class Rivals:
    """The words to compare with.

    Attributes:
        tokens: of each step: what is picked or typed; without that, or where just that is written, the most probable other token.
        picked: None where nothing is.
    """

    tokens: tuple[NamedToken, ...]
    picked: NamedToken | None = None

    @property
    def ids(self) -> tuple[int, ...]:
        return tuple(token.id for token in self.tokens)

    def same(self, word: NamedToken) -> Raw:
        """The key of the text that says that this is the written token; "" where it is not."""
        return Raw("same_rival" if self.picked and self.picked.id == word.id else "")


def pick_rivals(p: Page) -> Rivals:
    """The words to compare with, for all steps: which one is picked stays as one steps on."""
    steps, tokenizer = p.view.explanation.steps, p.view.checkpoint.tokenizer
    first, offered = runners_up(steps, tokenizer)
    labels = {name: p.text("rival", word=name, share=share(each.probability), step=each.step + 1) for name, each in offered.items()}
    picked = AGAINST.draw(p, {"": p.text("runner_up"), **labels})
    if picked is None:
        return Rivals(tuple(first))
    if picked in offered:
        rival = NamedToken(offered[picked].id, picked)
    else:
        token = forced_token(picked, tokenizer)
        rival = NamedToken(token.id, vocabulary_label(tokenizer, token.id))
        if not token.exact:
            session.say(Notice("no_rival", {"typed": picked[:40], "shown": rival.label}))
    here = (most if step.expected.id == rival.id else rival for step, most in zip(steps, first, strict=True))
    return Rivals(tuple(here), rival)


@dataclass(frozen=True)
class Offered:
    """A token on offer, and the step, from 0, at which the model finds it most probable."""

    id: int
    step: int
    probability: float


def runners_up(steps: Sequence[ExplainedStep], tokenizer: Tokenizer) -> tuple[list[NamedToken], dict[str, Offered]]:
    """The most probable token of each step that is not the written one; and the RIVALS most probable ones of all steps by their
    labels, in the order of the steps.
    """
    first, offered = [], dict[str, Offered]()
    for step in steps:
        ids = [i for i in step.top_ids(RIVALS + 1) if i != step.expected.id][:RIVALS]
        first.append(NamedToken(ids[0], vocabulary_label(tokenizer, ids[0])))
        for i in ids:
            label, probability = vocabulary_label(tokenizer, i), step.probability(i)
            if label not in offered or probability > offered[label].probability:
                offered[label] = Offered(i, step.index, probability)
    return first, dict(sorted(offered.items(), key=lambda each: each[1].step))


def share(value: float) -> str:
    """A probability in %; – where it is not a number."""
    return percent(value) if np.isfinite(value) else "–"
