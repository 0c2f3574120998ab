"""Output: logits, their softmax, and the token that is written, step by step."""

from pages.output.views import ask_why, odds, odds_arithmetic, show_judged
from viz_core.app.frame import page

with page("output") as p:
    picked = odds(p)
    ask_why(p)
    odds_arithmetic(p, picked)
    if p.view.explanation.given_target:
        show_judged(p)
