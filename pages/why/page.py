"""Where does this word come from: five ways to ask the model about the word of the current step."""

from pages.why import controls
from pages.why.flow import show_flow
from pages.why.logits import VIEWS, show_lens, show_parts
from pages.why.source import show_alignment, show_needed
from viz_core.app.frame import page

SHOW = dict(zip(VIEWS, (show_lens, show_parts, show_needed, show_alignment, show_flow), strict=True))

with page("why") as p:
    row = p.controls()
    with row:
        shown = controls.SHOW.draw(p)
    SHOW[shown](p, row)
