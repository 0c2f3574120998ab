"""The controls of this page: what links, talks and “try this” may set."""

from viz_core.params import Choice, Slider

SIDE = Choice("side", ("source", "target"), walks=("source",))
DONE = Slider("done")
