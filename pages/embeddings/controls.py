"""The controls of this page: what links, talks and “try this” may set."""

from viz_core.app.controls import Choice, Item, Text

SHOW = Choice("show", ("lookup", "scaled", "matrix", "near", "map", "context"))
SIDE = Choice("side", ("source", "target"))
TOKEN = Item("token", width=190)
SECOND = Text("second", width=420)
