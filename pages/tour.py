"""The script that Streamlit runs in each session, with the table of pages in the order of the tour.

It lies beside the pages, not above them: a script with a folder `pages` beside it is Streamlit's old kind of multipage app, which
opens an error dialog until the first run of a server has called st.navigation.
"""

import streamlit as st

from viz_core.app.coldstart import first_run
from viz_core.app.run_lock import turn

PAGES = {
    "": ["overview"],
    "input": ["tokens", "embeddings", "positions"],
    "encoder": ["qkv", "self_attention", "residual"],
    "decoder": ["masked_attention", "cross_attention", "output", "decoding"],
    "training": ["training"],
    "lab": ["heads", "what_if", "compare", "why"],
    "code": ["code"],
}

with first_run():
    from viz_core.app.frame import run
with turn(st.context.ip_address or ""):
    run(PAGES)
