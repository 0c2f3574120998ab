"""Masked attention: the decoder looks back at the tokens it has read, one row more at each step."""

from pages.masked_attention.controls import CASE
from pages.masked_attention.masks import show_batch, show_without_mask
from viz_core.app.attention import show_attention, stage_arithmetic
from viz_core.app.controls import picked
from viz_core.app.frame import page

# Only the step-by-step view has stages.
with page("masked_attention", stage="masked" if picked(CASE) == "steps" else None) as p:
    with p.controls():
        case = CASE.draw(p)
    if case == "steps":
        show_attention(p, "masked")
        stage_arithmetic(p, "masked")
    elif case == "batch":
        show_batch(p)
    else:
        show_without_mask(p)
