"""The controls of this page: what links, talks and “try this” may set."""

from viz_core.app.controls import Choice, Item

SHOW = Choice("show", ("lookup", "scaled", "matrix", "near", "map"))
SIDE = Choice("side", ("source", "target"))
TOKEN = Item("token", width=190)
