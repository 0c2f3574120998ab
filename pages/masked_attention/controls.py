"""The controls of this page: what links, talks and “try this” may set."""

from viz_core.params import Choice, Item

CASE = Choice("case", ("steps", "batch", "peek"), labelled=False)
PARTNER = Item("partner", width=300)
WHICH = Choice("which", ("both", "causal", "padding"))
SENTENCE = Choice("of", ("shorter", "longer"))
