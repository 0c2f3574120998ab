"""Why this word? Five methods that explain the word of the current step."""

from pages.why import controls
from pages.why.alignment import show_alignment
from pages.why.logits import show_logit_attribution, show_logit_lens
from pages.why.rollout import show_rollout
from pages.why.source_words import show_source_words
from viz_core.app.frame import page

VIEWS = {
    "logit_lens": show_logit_lens,
    "logit_attribution": show_logit_attribution,
    "source_words": show_source_words,
    "alignment": show_alignment,
    "rollout": show_rollout,
}

with page("why") as p:
    row = p.controls()
    with row:
        shown = controls.SHOW.draw(p)
    VIEWS[shown](p, row)
