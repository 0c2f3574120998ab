"""The table of pages in the order of the tour, and the server that shows them."""

import streamlit as st
from starlette.middleware import Middleware

from viz_core.app.addresses import UnknownAddresses
from viz_core.app.coldstart import first_run, is_script
from viz_core.app.server import lifespan, routes
from viz_core.app.turns import turn

PAGES = {
    "": ["pages/overview/page.py"],
    "input": ["pages/tokens/page.py", "pages/embeddings/page.py", "pages/positions/page.py"],
    "encoder": ["pages/qkv/page.py", "pages/self_attention/page.py", "pages/residual/page.py"],
    "decoder": [
        "pages/masked_attention/page.py",
        "pages/cross_attention/page.py",
        "pages/output/page.py",
        "pages/decoding/page.py",
    ],
    "training": ["pages/training/page.py"],
    "lab": ["pages/heads/page.py", "pages/what_if/page.py", "pages/compare/page.py", "pages/why/page.py"],
    "code": ["pages/code/page.py"],
}

if is_script():
    with first_run():
        from viz_core.app.frame import run
    with turn():
        run(PAGES)
else:
    names = [path.split("/")[1] for paths in PAGES.values() for path in paths]
    app = st.App(__file__, lifespan=lifespan, routes=routes(), middleware=[Middleware(UnknownAddresses, pages=names)])
