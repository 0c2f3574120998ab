"""The controls of this page: what links, talks and “try this” may set."""

from viz_core.params import Choice, Item, Number, OneOf

CASE = Choice("case", ("beam", "sampling", "non_autoregressive", "copying"), labelled=False)

# Beam search. With CASE, these fit on one row of 1280 px.
SIZE = Number("size", 1, 10, 4, width=72)
ALPHA = Number("alpha", 0.0, 2.0, 0.6, step=0.1, width=138)
N_BEST = Number("n_best", 1, 5, 3, width=48)
EARLY = OneOf("early", ("on", "off"), width=102)

# Sampling.
FIRST = Choice("first", ("draws", "cut"))
DRAW = Item("draw", first=0, width=170)
TEMPERATURE = Number("temp", 0.1, 2.0, 1.0, step=0.1, width=104)
TOP_K = Number("top_k", 0, 100, 0, width=112)
TOP_P = Number("top_p", 0.05, 1.0, 1.0, step=0.05, width=112)
SEED = Number("seed", 0, 999_999, 0, typed=True, width=110)

# Non-autoregressive.
DECODER = Choice("decoder", ("masked", "plain"), labelled=False)
PASSES = Number("passes", 1, 10, 4, width=130)
COUNT = Choice("count", ("predicted", "known"))
