"""Output: logits, their softmax, and the next token, step by step."""

from pages.output.data import next_token, next_token_arithmetic
from viz_core.app.controls import draw_link
from viz_core.app.frame import page

with page("output") as p:
    p.answer(next_token)
    draw_link(p.text("ask_why"), "ask_why", {}, "why")
    next_token_arithmetic(p)
