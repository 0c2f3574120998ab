"""Interventions in a forward pass: as values, in a link, in words, and as edits of named sites.

To add one, write a field of `Edits` in `table.py`, the function it calls, and its sentence in `en.toml`.
"""

from viz_core.edits.interventions import PADDING, Head, Layer, Sublayer
from viz_core.edits.table import INTERVENTIONS, NONE, Edits, describe, heads_out, site_edits

__all__ = ["INTERVENTIONS", "NONE", "PADDING", "Edits", "Head", "Layer", "Sublayer", "describe", "heads_out", "site_edits"]
