"""From the encoder's memory to a sentence, token by token, on a key/value cache."""

from viz_core.decoding.greedy import Step, greedy, greedy_steps
from viz_core.decoding.translate import max_steps, translate

__all__ = ["Step", "greedy", "greedy_steps", "max_steps", "translate"]
