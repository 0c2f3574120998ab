"""Output: logits, their softmax, and the token that is written, step by step."""

import streamlit as st

from pages.output.next_token import next_token_arithmetic, show_next_token
from viz_core.app import session
from viz_core.app.frame import page

with page("output") as p:
    show_next_token(p)
    st.button(p.text("ask_why"), key="_ask_why", on_click=session.change, kwargs={"_go": "why"})
    next_token_arithmetic(p)
