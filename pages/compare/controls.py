"""The controls of this page: what links, talks and “try this” may set."""

from viz_core.params import Choice, Item, Text

PAIR = Choice("pair", ("sentences", "models", "edits"), labelled=False)
SHOW = Choice("show", ("output", "attention", "difference"), labelled=False)
KIND = Choice("kind", ("cross", "masked", "self"), labelled=False)
CASE = Choice("case", ("same", "own"), labelled=False)
SECOND = Text("second")
OTHER = Item("other")
