"""What if: a part of the model taken out or changed, the model as trained beside the edited one."""

from pages.what_if.views import everywhere, show_attention, show_changes, switchboard
from viz_core.app.comparison import changes, divergence_arithmetic, edited_sides
from viz_core.app.frame import page

with page("what_if") as p:
    switchboard(p)
    left, right = edited_sides(p)
    found = changes(left, right)
    show_changes(p, left, right, found)
    everywhere(p)
    show_attention(p, left, right)
    divergence_arithmetic(p, found)
