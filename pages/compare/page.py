"""Compare: two sentences, two models, or the model as trained and edited, side by side on one scale."""

import streamlit as st

from pages.compare.controls import CASE, KIND, OTHER, PAIR, SECOND, SHOW
from pages.compare.pronoun import show_pronoun
from viz_core.app import edited, models, session
from viz_core.app.answers import Sentence
from viz_core.app.attention import KINDS
from viz_core.app.chosen import ANEW, typed
from viz_core.app.comparison import Compared, compared, edited_sides, show_comparison, show_divergence, show_side_by_side
from viz_core.app.controls import draw_link, picked
from viz_core.app.examples import for_language
from viz_core.app.frame import page
from viz_core.app.page import Page
from viz_core.app.sides import changes
from viz_core.app.view_options import Stage
from viz_core.composed import is_blank
from viz_core.errors import TextError
from viz_core.explain import Notice


def two_sentences(p: Page) -> Compared | None:
    """The sentence of the top bar, and another one; None while none is typed."""
    checkpoint = p.view.checkpoint
    text = SECOND.draw(p, for_language(p.texts["second_default"], checkpoint.source_language))
    swapped = {**ANEW, "second": p.view.sentence.text, "text": text}
    draw_link(p.texts["swap"], "swap", swapped, disabled=is_blank(text), help=p.texts["swap_help"])
    if is_blank(text):
        return None
    try:
        return compared(p, "sentences", checkpoint, Sentence(checkpoint.name, text, "", p.view.explanation.edits))
    except TextError as error:
        session.notify(Notice("text", {"reason": str(error)}))
        return None


def two_models(p: Page) -> Compared | None:
    """The model on display, and another one; None where there is no other."""
    others = [name for name in models.names() if name != p.view.checkpoint.name]
    if not others:
        return None
    other, edits = models.get_checkpoint(others[OTHER.draw(p, others)]), p.view.explanation.edits
    return compared(p, "models", other, Sentence(other.name, p.view.sentence.text, typed()["target"], edits))


def trained_and_edited(p: Page) -> Compared | None:
    """The model as trained, and with the edits of the page What if; None if nothing is edited."""
    draw_link(p.texts["to_what_if"], "change", {}, "what_if")
    return edited_sides(p) if edited.draft() else None


SIDES = {"sentences": two_sentences, "models": two_models, "edits": trained_and_edited}
# Texts shown while there is no right side. (A comment: Streamlit would write a bare string onto the page.)
MISSING = {"sentences": "no_sentences", "models": "no_models", "edits": "no_edits"}
ABOUT = {"attention": "about_attention", "difference": "about_difference"}


def on_stage() -> Stage:
    """The attention whose stages keys and player step through on both sides; none for the difference, which has weights only."""
    if picked(SHOW) != "attention":
        return None
    return picked(KIND)  # type: ignore[return-value]


def show(p: Page) -> None:
    """Both outputs, both attentions or their difference; or why there is nothing on the right."""
    with p.controls():
        pair, shown = PAIR.draw(p), SHOW.draw(p)
        kind = KIND.draw(p) if shown != "output" else KINDS[0]
    right_hand = st.container(key="_controls_right", horizontal=True, vertical_alignment="bottom")
    with right_hand:
        both = SIDES[pair](p)
    if both is None:
        p.write(MISSING[pair])
        return
    left, right = both.left, both.right
    comparable = models.same_vocabulary(left.checkpoint, right.checkpoint)
    # Two sentences are compared as translated; the effect of an edit or of another model shows best on the same text.
    cases = ("own", "same") if pair == "sentences" else ("same", "own")
    with right_hand:
        choosable = (shown == "output" or kind != "self") and comparable and not left.explanation.given_target
        case = CASE.draw(p, cases) if choosable else cases[0]
    same = comparable and case == "same"
    if shown == "output":
        show_comparison(p, both, changes(left, right) if same else None)
        show_divergence(p)
    else:
        show_side_by_side(p, both, kind, same=same and kind != "self", difference=shown == "difference", alone=True)
        p.write(ABOUT[shown])
        if left.checkpoint is not right.checkpoint:
            p.write("about_models")
    if not comparable:
        p.write("other_vocabulary")
    show_pronoun(p, left, right)


with page("compare", stage=on_stage()) as p:
    show(p)
