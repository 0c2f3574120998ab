"""Exercises whose key is the trace itself: to compute (`computed`), and to find (`found`)."""

from viz_core.analysis.exercises.computed import COMPUTED, Computed, answer
from viz_core.analysis.exercises.found import lost_token, wins

NAMES = (*COMPUTED, "previous_token_head", "beam_beats_greedy", "losing_edit", "predicted")
"""All exercises: those to compute, those to find, and the question of Predict."""

__all__ = ["COMPUTED", "NAMES", "Computed", "answer", "lost_token", "wins"]
