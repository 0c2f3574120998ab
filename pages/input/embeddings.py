"""Embeddings."""

from viz_core.ui import page

with page("embeddings") as p:
    pass
