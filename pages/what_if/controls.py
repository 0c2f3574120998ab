"""The controls of this page: what links, talks and “try this” may set."""

from viz_core.params import Choice

KIND = Choice("kind", ("cross", "masked", "self"))
CASE = Choice("case", ("same", "own"))
