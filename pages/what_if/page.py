"""What if: a part of the model removed or changed, the model as trained beside the edited one."""

import streamlit as st

from pages.what_if.controls import CASE, KIND
from pages.what_if.switchboard import show_switchboard
from viz_core.app import edited
from viz_core.app.comparison import edited_sides, show_comparison, show_divergence, show_side_by_side
from viz_core.app.controls import draw_link
from viz_core.app.frame import page
from viz_core.app.page import Page
from viz_core.app.sides import changes


def show_everywhere(p: Page) -> None:
    """The button that uses the edited model on all pages, or the trained one again."""
    on = edited.everywhere_on()
    left, right = st.columns([4, 7], vertical_alignment="center")
    with left:
        words = p.texts["take_out" if on else "put_in"]
        draw_link(words, "put", edited.put_everywhere(not on), main=on, disabled=not edited.draft())
    with right:
        st.markdown(p.texts["is_in" if on else "is_out"])


with page("what_if") as p:
    show_switchboard(p)
    both = edited_sides(p)
    comparison = changes(both.left, both.right)
    show_comparison(p, both, comparison)
    p.write("about_typed" if both.left.explanation.given_target else "about")
    show_everywhere(p)
    with p.controls():
        kind = KIND.draw(p)
        case = CASE.draw(p) if kind != "self" else "same"
    show_side_by_side(p, both, kind, same=case == "same")
    show_divergence(p)
