"""The controls of this page: what links, talks and “try this” may set. The dimension is the browser's (`ViewOptions.dim`)."""

from viz_core.app.controls import picked
from viz_core.params import Choice

KIND = Choice("kind", ("self", "masked", "cross"))
ROLE = Choice("role", ("q", "k", "v"))


def walks_source() -> bool:
    """Whether the rows of X are source tokens, rather than the decoder's stream."""
    kind = picked(KIND)
    return kind == "self" or (kind == "cross" and picked(ROLE) != "q")
