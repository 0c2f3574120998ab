"""Add & norm, feed-forward."""

from viz_core.ui import page

with page("residual") as p:
    pass
