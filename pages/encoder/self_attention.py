"""Self-attention."""

from viz_core.ui import page

with page("self_attention") as p:
    pass
