"""The table of pages in the order of the tour, and the frame around them."""

from viz_core.app.coldstart import first_run

with first_run():
    from viz_core.app.frame import run
    from viz_core.app.models import prepare

    prepare()

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

run(PAGES)
