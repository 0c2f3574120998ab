"""The controls of this page: what links, talks and “try this” may set."""

from viz_core.params import Choice, Text

SHOW = Choice("show", ("lookup", "scaled", "matrix", "near", "map", "context"), walks=("context",))
SIDE = Choice("side", ("source", "target"), walks=("source",))
SECOND = Text("second", width=420)
