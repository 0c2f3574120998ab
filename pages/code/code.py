"""The code: the forward pass call by call, what it costs, its variants seen in the wild, and what training has changed."""

from viz_core.ui import page
from viz_core.ui.code_cost import show_cost
from viz_core.ui.code_untrained import show_untrained
from viz_core.ui.code_variants import show_variants
from viz_core.ui.code_walk import show_walk

SHOW = {"walk": show_walk, "cost": show_cost, "variants": show_variants, "untrained": show_untrained}

with page("code") as p:
    row = p.controls()
    with row:
        shown = p.choose("show", tuple(SHOW), named=False)
    SHOW[shown](p, row)
