"""Output."""

from viz_core.ui import page

with page("output") as p:
    pass
