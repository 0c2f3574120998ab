"""Tokens."""

from viz_core.ui import page

with page("tokens") as p:
    pass
