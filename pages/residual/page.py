"""Add & norm, feed-forward: what each sub-layer adds to the residual stream, and how LayerNorm rescales it."""

from pages.residual.controls import SHOW, STACK
from pages.residual.feed_forward import show_feed_forward
from pages.residual.layer_norm import show_layer_norm
from pages.residual.stream import show_stream
from viz_core.app.frame import page

with page("residual") as p:
    row = p.controls()
    with row:
        show = SHOW.draw(p)
        stack = STACK.draw(p)
    p.nothing_to_guess(stack == "encoder")
    if show == "stream":
        show_stream(p, stack)
    elif show == "norm":
        show_layer_norm(p, stack, row)
    else:
        show_feed_forward(p, stack)
