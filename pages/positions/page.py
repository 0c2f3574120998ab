"""Positions: how the model knows the order of the words."""

from pages.positions.controls import OTHER, REACH, SHOW, SIDE
from pages.positions.data import positions, show_matrix, show_products, show_sum
from pages.positions.waves import show_waves
from viz_core.app.controls import in_figure
from viz_core.app.frame import page

with page("positions") as p:
    view = p.view
    with p.controls():
        shown = SHOW.draw(p)
        side = SIDE.draw(p)
        reach = "sentence" if shown == "sum" else REACH.draw(p)
        other = 0
        if shown == "product":
            tokens = positions(view.checkpoint, view.explanation, side, reach).tokens
            with in_figure():
                other = OTHER.draw(p, tokens, min(3, len(tokens) - 1))
    p.nothing_to_guess(side == "source")
    if shown == "waves":
        show_waves(p, side, reach)
    elif shown == "matrix":
        show_matrix(p, side, reach)
    elif shown == "product":
        show_products(p, side, reach, other)
    else:
        show_sum(p, side)
