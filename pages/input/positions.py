"""Positions."""

from viz_core.ui import page

with page("positions") as p:
    pass
