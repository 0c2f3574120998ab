"""Self-attention: how the pieces of the source look at each other, stage by stage."""

from viz_core.ui import page
from viz_core.ui.attention import stage, stage_arithmetic

with page("self_attention", stage="self") as p:
    stage_arithmetic(p, stage(p, "self"))
