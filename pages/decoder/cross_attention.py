"""Cross attention: which source words each target position looks at."""

from viz_core.ui import page
from viz_core.ui.attention import stage, stage_arithmetic

with page("cross_attention", stage="cross") as p:
    stage_arithmetic(p, stage(p, "cross"))
