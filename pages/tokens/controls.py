"""The controls of this page: what links, talks and “try this” may set."""

from viz_core.app.controls import Choice, Item, Slider

SIDE = Choice("side", ("source", "target"))
WORD = Item("word")
DONE = Slider("done")
