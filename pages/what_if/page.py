"""What if: a part of the model removed or changed, the model as trained beside the edited one."""

from pages.what_if.controls import CASE, KIND
from pages.what_if.switchboard import show_switchboard
from viz_core.app import edited
from viz_core.app.comparison import edited_sides, show_comparison, show_divergence, show_side_by_side
from viz_core.app.components import connect
from viz_core.app.frame import page
from viz_core.app.sides import changes

with page("what_if") as p:
    show_switchboard(p)
    both = edited_sides(p)
    comparison = changes(both.left, both.right)
    show_comparison(p, both, comparison)
    p.write("about_typed" if both.left.explanation.given_target else "about")
    connect("everywhere", {"draft": edited.draft().link(), "on": edited.everywhere_on()})
    with p.controls():
        kind = KIND.draw(p)
        case = CASE.draw(p) if kind != "self" else "same"
    show_side_by_side(p, both, kind, same=case == "same")
    show_divergence(p)
