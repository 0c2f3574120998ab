"""The controls of this page, the explained word of each step, and the word that it is compared with."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from viz_core.analysis.next_token import vocabulary_label
from viz_core.app import session
from viz_core.app.answers import Between
from viz_core.app.page import Page
from viz_core.edits.table import forced_token
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
NONE = -1
Against = Annotated[int, Between(NONE, 9_999_999)]
"""The id of the token that words are compared with; NONE for each step's most probable other one."""


def explained_word(p: Page, step: int) -> str:
    """The label of the token written at a step."""
    return p.view.explanation.steps[step].expected.label


def rivals_of(steps: Sequence[ExplainedStep], against: int) -> list[int]:
    """The token to compare with at each step: this one or, without one or where the step writes it, the most probable other one."""
    return [_others(step)[0] if against in (NONE, step.expected.id) else against for step in steps]


def pick_rival(p: Page) -> int:
    """The picked or typed token, which stays as the reader steps on; NONE if nothing is picked."""
    tokenizer = p.view.checkpoint.tokenizer
    offered = runners_up(p.view.explanation.steps, tokenizer)
    labels = {
        name: p.text("rival", word=name, share=share(offer.probability), step=offer.step + 1) for name, offer in offered.items()
    }
    picked = AGAINST.draw(p, {"": p.text("runner_up"), **labels})
    if picked is None:
        return NONE
    if picked in offered:
        return offered[picked].id
    token = forced_token(picked, tokenizer)
    if not token.exact:
        session.notify(Notice("no_rival", {"typed": picked[:40], "shown": vocabulary_label(tokenizer, token.id)}))
    return token.id


@dataclass(frozen=True)
class Offer:
    """An offered token, and the step, from 0, at which it is most probable."""

    id: int
    step: int
    probability: float


def runners_up(steps: Sequence[ExplainedStep], tokenizer: Tokenizer) -> dict[str, Offer]:
    """The offered tokens by label: RIVALS of each step, in the order of the steps."""
    offered = dict[str, Offer]()
    for step in steps:
        for i in _others(step):
            label, probability = vocabulary_label(tokenizer, i), step.probability(i)
            if label not in offered or probability > offered[label].probability:
                offered[label] = Offer(i, step.index, probability)
    return dict(sorted(offered.items(), key=lambda item: item[1].step))


def _others(step: ExplainedStep) -> list[int]:
    """The most probable tokens other than the written one."""
    return [i for i in step.top_ids(RIVALS + 1) if i != step.expected.id][:RIVALS]


def share(value: float) -> str:
    """A probability in %, or – if it is not a number."""
    return percent(value) if np.isfinite(value) else "–"
