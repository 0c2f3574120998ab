"""The controls of this page: what links, talks and “try this” may set."""

from viz_core.app.controls import Choice, Slider

SIDE = Choice("side", ("source", "target"))
DONE = Slider("done")


def walks_source() -> bool:
    return SIDE.value("tokens") == "source"
