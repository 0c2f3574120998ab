"""The controls of this page, the explained word of each step, and the word that it is compared with."""

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
"""How many tokens of each step are offered for comparison."""


@dataclass(frozen=True)
class NamedToken:
    """A token of the vocabulary with its label."""

    id: int
    label: str


def explained_word(p: Page, step: int) -> NamedToken:
    """The token written at a step."""
    expected = p.view.explanation.steps[step].expected
    return NamedToken(expected.id, expected.label)


@dataclass(frozen=True)
class Rivals:
    """The words to compare with.

    Attributes:
        tokens: one for each step: the picked or typed token or, without one or where the step writes that very token, the most
            probable other token.
        picked: None if nothing is picked.
    """

    tokens: tuple[NamedToken, ...]
    picked: NamedToken | None = None

    @property
    def ids(self) -> tuple[int, ...]:
        return tuple(token.id for token in self.tokens)

    def same(self, word: NamedToken) -> Raw:
        """The key of the text saying that the picked token is the written one, or ""."""
        return Raw("same_rival" if self.picked and self.picked.id == word.id else "")


def pick_rivals(p: Page) -> Rivals:
    """The words to compare with, at all steps: a pick stays as the reader steps on."""
    steps, tokenizer = p.view.explanation.steps, p.view.checkpoint.tokenizer
    first, offered = runners_up(steps, tokenizer)
    labels = {
        name: p.text("rival", word=name, share=share(offer.probability), step=offer.step + 1) for name, offer in offered.items()
    }
    picked = AGAINST.draw(p, {"": p.text("runner_up"), **labels})
    if picked is None:
        return Rivals(tuple(first))
    if picked in offered:
        rival = NamedToken(offered[picked].id, picked)
    else:
        token = forced_token(picked, tokenizer)
        rival = NamedToken(token.id, vocabulary_label(tokenizer, token.id))
        if not token.exact:
            session.notify(Notice("no_rival", {"typed": picked[:40], "shown": rival.label}))
    here = (most if step.expected.id == rival.id else rival for step, most in zip(steps, first, strict=True))
    return Rivals(tuple(here), rival)


@dataclass(frozen=True)
class Offer:
    """An offered token, and the step, from 0, at which it is most probable."""

    id: int
    step: int
    probability: float


def runners_up(steps: Sequence[ExplainedStep], tokenizer: Tokenizer) -> tuple[list[NamedToken], dict[str, Offer]]:
    """Each step's most probable token other than the written one; and the offered tokens by label, RIVALS of each step, in the
    order of the steps.
    """
    first, offered = [], dict[str, Offer]()
    for step in steps:
        ids = [i for i in step.top_ids(RIVALS + 1) if i != step.expected.id][:RIVALS]
        first.append(NamedToken(ids[0], vocabulary_label(tokenizer, ids[0])))
        for i in ids:
            label, probability = vocabulary_label(tokenizer, i), step.probability(i)
            if label not in offered or probability > offered[label].probability:
                offered[label] = Offer(i, step.index, probability)
    return first, dict(sorted(offered.items(), key=lambda item: item[1].step))


def share(value: float) -> str:
    """A probability in %, or – if it is not a number."""
    return percent(value) if np.isfinite(value) else "–"
