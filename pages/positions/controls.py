"""The controls of this page: what links, talks and “try this” may set."""

from viz_core.params import Choice, Item, Items

SHOW = Choice("show", ("waves", "matrix", "product", "sum"))
SIDE = Choice("side", ("source", "target"), walks=("source",))
REACH = Choice("reach", ("sentence", "all"))
OTHER = Item("other", first=0, width=180)
DIMS = Items("dims", 6)
