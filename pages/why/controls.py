"""The controls of this page, the explained word of each step, and the word that it is compared with."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from viz_core.analysis.next_token import vocabulary_label
from viz_core.app import session
from viz_core.app.page import Page
from viz_core.edits.table import Forced, forced_token
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
Against = Annotated[str, AGAINST]
"""The token that words are compared with, as picked or typed; "" for each step's most probable other one."""


def explained_word(p: Page, step: int) -> str:
    """The label of the token written at a step."""
    return p.view.explanation.steps[step].expected.label


def rival_of(steps: Sequence[ExplainedStep], tokenizer: Tokenizer, against: str) -> Forced | None:
    """The picked or typed token; None if nothing is picked."""
    if not against.strip():
        return None
    offer = runners_up(steps, tokenizer).get(against)
    return Forced(offer.id, True) if offer else forced_token(against, tokenizer)


def rivals_of(steps: Sequence[ExplainedStep], rival: Forced | None) -> list[int]:
    """The token to compare with at each step: this one or, without one or where the step writes it, the most probable other one."""
    return [_others(step)[0] if rival is None or rival.id == step.expected.id else rival.id for step in steps]


def pick_rival(p: Page) -> str:
    """The picked or typed token, which stays as the reader steps on; "" if nothing is picked."""
    tokenizer = p.view.checkpoint.tokenizer
    offered = runners_up(p.view.explanation.steps, tokenizer)
    labels = {
        name: p.text("rival", word=name, share=share(offer.probability), step=offer.step + 1) for name, offer in offered.items()
    }
    picked = AGAINST.draw(p, {"": p.text("runner_up"), **labels}) or ""
    rival = rival_of(p.view.explanation.steps, tokenizer, picked)
    if rival and not rival.exact:
        session.notify(Notice("no_rival", {"typed": picked[:40], "shown": vocabulary_label(tokenizer, rival.id)}))
    return picked


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
