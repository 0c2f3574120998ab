"""Compare: two sentences, two models, or the model as trained and edited, side by side on one scale."""

from viz_core.ui import page
from viz_core.ui.compare import on_stage, show

with page("compare", stage=on_stage()) as p:
    show(p)
