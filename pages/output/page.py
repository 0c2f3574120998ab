"""Output: logits, their softmax, and the token that is written, step by step."""

import streamlit as st

from pages.output.data import next_token
from pages.output.next_token import next_token_arithmetic
from viz_core.app import session
from viz_core.app.frame import page

with page("output") as p:
    p.answer(next_token)
    st.button(p.text("ask_why"), key="_ask_why", on_click=session.change, kwargs={"_go": "why"})
    next_token_arithmetic(p)
