"""Positions: how the model knows the order of the words."""

from pages.positions.controls import OTHER, REACH, SHOW, SIDE
from pages.positions.vectors import show_matrix, show_products, show_sum
from pages.positions.waves import show_waves
from viz_core.app.controls import in_figure
from viz_core.app.frame import page

with page("positions") as p:
    view = p.view
    everywhere = view.checkpoint.model.source_embedding.positions.detach().numpy()  # (max_len, D), all positions that there are
    with p.controls():
        shown = SHOW.draw(p)
        side = SIDE.draw(p)
        tokenized = view.explanation.source if side == "source" else view.explanation.target
        reach = "sentence" if shown == "sum" else REACH.draw(p)
        rows = everywhere if reach == "all" else view.trace.array(f"{side}.positions")  # (T, D), what the pass added
        tokens = [*tokenized.labels, *[""] * (len(rows) - len(tokenized))]
        other = 0
        if shown == "product":
            with in_figure():
                other = OTHER.draw(p, tokens, min(3, len(rows) - 1))
    p.nothing_to_guess(side == "source")
    if shown == "waves":
        show_waves(p, side, rows, tokens)
    elif shown == "matrix":
        show_matrix(p, side, rows, tokens)
    elif shown == "product":
        show_products(p, side, other, rows, tokens, everywhere)
    else:
        show_sum(p, side, tokens)
