"""Q, K, V."""

from viz_core.ui import page

with page("qkv") as p:
    pass
