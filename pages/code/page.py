"""The code: the forward pass call by call, its cost, variants seen in the wild, and what training has changed."""

from pages.code.controls import SHOW
from pages.code.cost import show_cost
from pages.code.untrained import show_untrained
from pages.code.variants import show_variants
from pages.code.walk import show_walk
from viz_core.app.frame import page

VIEWS = {"walk": show_walk, "cost": show_cost, "variants": show_variants, "untrained": show_untrained}

with page("code") as p:
    with p.controls():
        shown = SHOW.draw(p)
    p.nothing_to_guess(shown == "cost")
    VIEWS[shown](p)
