"""The two sides: two sentences, two models, or the model as trained and edited."""

from pages.compare.controls import OTHER, SECOND
from viz_core.app import edited, models, session
from viz_core.app.answers import Sentence
from viz_core.app.chosen import ANEW, typed
from viz_core.app.comparison import Compared, compared, edited_sides
from viz_core.app.controls import draw_link
from viz_core.app.examples import for_language
from viz_core.app.page import Page
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
    """The model as trained, and with the edits of the page What if; None while there are none."""
    draw_link(p.texts["to_what_if"], "change", {}, "what_if")
    return edited_sides(p) if edited.draft() else None
