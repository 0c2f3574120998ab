"""Self-attention: how the pieces of the source look at each other, stage by stage."""

from viz_core.analysis.cell import strongest
from viz_core.ui import page
from viz_core.ui.attention import STAGES, Subject, stage_arithmetic, stage_figure

with page("self_attention") as p:
    view = p.view
    attention = view.trace.attention("self", view.layer)
    with p.controls():
        stage = p.choose("stage", STAGES)
        picked = p.pick_cell(view.source, view.source, default=(0, strongest(attention, view.head, 0)), of="source")
    subject = Subject(attention, view.source, view.source, (p.text("rows"), p.text("columns")), picked)
    p.show(stage_figure(p, subject, stage), clicks=stage != "mix")
    stage_arithmetic(p, subject, stage)
