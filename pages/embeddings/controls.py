"""The controls of this page: what links, talks and “try this” may set."""

from viz_core.app.controls import Choice, Text

SHOW = Choice("show", ("lookup", "scaled", "matrix", "near", "map", "context"))
SIDE = Choice("side", ("source", "target"))
SECOND = Text("second", width=420)


def walks_source() -> bool:
    return SIDE.value("embeddings") == "source" or SHOW.value("embeddings") == "context"
