"""Where does this word come from: five ways to ask the model about the word of the current step."""

from viz_core.ui import page
from viz_core.ui.why import VIEWS, show_lens, show_parts
from viz_core.ui.why_flow import show_flow
from viz_core.ui.why_source import show_alignment, show_needed

SHOW = dict(zip(VIEWS, (show_lens, show_parts, show_needed, show_alignment, show_flow), strict=True))

with page("why") as p:
    row = p.controls()
    with row:
        shown = p.choose("show", VIEWS, named=False)
    SHOW[shown](p, row)
