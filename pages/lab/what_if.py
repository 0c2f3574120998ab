"""What if: a part of the model taken out or changed, the model as trained beside the edited one."""

from viz_core.ui import page
from viz_core.ui.what_if import arithmetic, everywhere, show_attention, show_changes, sides, switchboard

with page("what_if") as p:
    switchboard(p)
    left, right, found = sides(p)
    show_changes(p, left, right, found)
    everywhere(p)
    show_attention(p, left, right)
    arithmetic(p, found)
