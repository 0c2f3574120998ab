"""Self-attention: how the tokens of the source look at each other, stage by stage."""

from viz_core.app.attention import show_attention, stage_arithmetic
from viz_core.app.frame import page

with page("self_attention", stage="self") as p:
    show_attention(p, "self")
    stage_arithmetic(p, "self")
