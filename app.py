"""The table of pages in the order of the tour, and the frame around them."""

from viz_core.components.coldstart import first_run

with first_run():
    from viz_core.ui import prepare, run

    prepare()

PAGES = {
    "": ["pages/start/overview.py"],
    "Input": ["pages/input/tokens.py", "pages/input/embeddings.py", "pages/input/positions.py"],
    "Encoder": ["pages/encoder/qkv.py", "pages/encoder/self_attention.py", "pages/encoder/residual.py"],
    "Decoder": [
        "pages/decoder/masked_attention.py",
        "pages/decoder/cross_attention.py",
        "pages/decoder/output.py",
        "pages/decoder/decoding.py",
    ],
    "Training": ["pages/training/training.py"],
    "Lab": ["pages/lab/heads.py", "pages/lab/what_if.py", "pages/lab/compare.py", "pages/lab/why.py"],
    "Code": ["pages/code/code.py"],
}

run(PAGES)
