"""The table of pages in the order of the tour, and the frame around them."""

from viz_core.ui import run

PAGES = {
    "": ["pages/start/overview.py"],
    "Decoder": ["pages/decoder/cross_attention.py"],
}

run(PAGES)
