"""Exercises to find: a sentence, or an edit, of which something is true; what is on the screen is the answer."""

from __future__ import annotations

from viz_core.analysis.search import BeamSearch
from viz_core.explain import Explanation


def wins(found: BeamSearch) -> bool:
    """Whether the search found another sentence than greedy decoding, and one with a better score."""
    return found.best.ids != found.greedy.ids and found.best.score > found.greedy.score


def lost_token(explanation: Explanation, edited: Explanation, step: int) -> bool:
    """Whether an edited model no longer writes the token that the model as trained writes at a step; it must write something."""
    written = [token.id for token in edited.output]
    return len(written) > 1 and explanation.output[step].id not in written
