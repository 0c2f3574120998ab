"""Embeddings: from an id to a vector."""

from pages.embeddings.context import show_context
from pages.embeddings.controls import SHOW, SIDE
from pages.embeddings.views import show_lookup, show_map, show_matrix, show_near, show_scaled
from viz_core.app.frame import page

SHOW_VIEW = {"lookup": show_lookup, "scaled": show_scaled, "matrix": show_matrix, "near": show_near, "map": show_map}

with page("embeddings") as p:
    with p.controls():
        shown = SHOW.draw(p)
        side = SIDE.draw(p) if shown != "context" else "source"  # only the encoder sees a whole sentence at once
    p.nothing_to_guess(side == "source" and shown not in ("near", "map"))  # these two show words of the other language
    if shown == "context":
        show_context(p)
    else:
        SHOW_VIEW[shown](p, side)
