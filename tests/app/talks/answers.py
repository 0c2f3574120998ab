"""What the notes of a talk reveal of what a view hides; tests/e2e/test_stage.py looks for it in the text that is really there."""

from dataclasses import replace

from tests.app.talks.talk_claims import percentages
from viz_core.app.talks import TalkView


def revealed(view: TalkView) -> set[str]:
    """The percentages that the note says of what the view hides: of the right side, or of the figure."""
    of_right = tuple(claim for claim in view.claims if claim.get("edited") == "yes" and "text" not in claim)
    of_left = percentages(replace(view, claims=tuple(claim for claim in view.claims if claim.get("edited") != "yes")))
    return percentages(replace(view, claims=of_right)) - of_left if view.hide == "right" else percentages(view)
