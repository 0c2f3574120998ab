"""A figure that changes while one watches, without a blink."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import streamlit as st

from viz_core.app import session
from viz_core.app.page import Page
from viz_core.app.plotly_json import plain_values
from viz_core.figures.figure import Figure

DRAWN = '.js-plotly-plot:not([style*="visibility: hidden"]) .main-svg'
STYLE = f"""<style>
[class*=st-key-_newest_] {{ display: grid; grid-template-columns: minmax(0, 1fr); }}
[class*=st-key-_newest_] > * {{ grid-area: 1 / 1; }}
[class*=st-key-_newest_] > :has(~ :not([data-retained]) {DRAWN}) {{ visibility: hidden; }}
</style>"""
"""Both figures in one place; the first is seen until the second is drawn."""


def show_newest(p: Page, figure: Figure, key: str, **options: Any) -> None:
    """A figure over the one before, which stays until this one is drawn; the page needs STYLE.

    Streamlit mounts a figure that has changed as a new one, whatever its key, and a new one is empty until plotly has drawn it. So
    the last one is shown again, unchanged and therefore untouched, below the new one.

    Args:
        options: of `Page.show`.
    """
    shown = session.get(f"_newest_{key}", [])
    if not shown or plain_values(figure) != plain_values(shown[-1][1]):
        turn = 1 - shown[-1][0] if shown else 0
        shown = [*shown[-1:], (turn, figure)]
        session.change(**{f"_newest_{key}": shown})
    with st.container(key=f"_newest_{key}"):
        for turn, each in shown:
            p.show(deepcopy(each), f"{key}_{turn}", **options)
