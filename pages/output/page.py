"""Output: logits, their softmax, and the piece that is written, step by step."""

from viz_core.app import page
from pages.output.views import ask_why, odds, odds_arithmetic, show_judged

with page("output") as p:
    picked = odds(p)
    ask_why(p)
    odds_arithmetic(p, picked)
    if p.view.explanation.forced:
        show_judged(p)
