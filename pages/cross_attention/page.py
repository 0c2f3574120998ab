"""Cross attention: which source words each target position looks at."""

from viz_core.app.attention import show_attention, stage_arithmetic
from viz_core.app.frame import page

with page("cross_attention", stage="cross") as p:
    show_attention(p, "cross")
    stage_arithmetic(p, "cross")
