"""Output: logits, their softmax, and the piece that is written, step by step."""

from viz_core.ui import page
from viz_core.ui.output import odds, odds_arithmetic, show_judged

with page("output") as p:
    odds_arithmetic(p, odds(p))
    if p.view.explanation.forced:
        show_judged(p)
