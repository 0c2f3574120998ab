"""Masked attention."""

from viz_core.ui import page

with page("masked_attention") as p:
    pass
