"""Masked attention: the decoder looks back at what it has written, one row more at each step."""

from viz_core.analysis.cell import strongest
from viz_core.ui import page
from viz_core.ui.attention import STAGES, Subject, stage_arithmetic, stage_figure
from viz_core.ui.masked import show_batch, show_peek

with page("masked_attention") as p:
    view = p.view
    attention = view.trace.attention("masked", view.layer)
    exist = view.step + 1  # pieces that the decoder has read so far
    with p.controls():
        show = p.choose("show", ["steps", "batch", "peek"])
        if show == "steps":
            stage = p.choose("stage", STAGES)
            default = (view.step, strongest(attention, view.head, view.step))
            picked = p.pick_cell(view.target[:exist], view.target[:exist], default=default)
    if show == "steps":
        axes = (p.text("rows"), p.text("columns"))
        subject = Subject(attention, view.target, view.target, axes, picked, view.step, exist)
        p.show(stage_figure(p, subject, stage), clicks=stage != "mix")
        stage_arithmetic(p, subject, stage)
    elif show == "batch":
        show_batch(p)
    else:
        show_peek(p)
