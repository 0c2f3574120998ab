"""Add & norm, feed-forward: what each sub-layer adds to the stream, and what LayerNorm makes of it."""

from pages.residual.views import choose_stack, feed_forward_view, norm_view, stream_view
from viz_core.app.frame import page

with page("residual") as p:
    row = p.controls()
    with row:
        show = p.choose("show", ["stream", "norm", "ffn"])
        stack = choose_stack(p)
    p.nothing_to_guess(stack == "encoder")
    {"stream": stream_view, "norm": norm_view, "ffn": feed_forward_view}[show](p, stack, row)
