"""Compare: two sentences, two models, or the model as trained and edited, side by side on one scale."""

from pages.compare.views import on_stage, show
from viz_core.app.frame import page

with page("compare", stage=on_stage()) as p:
    show(p)
