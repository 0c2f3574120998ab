"""The look of lecture mode and of prediction: what goes away, and what grows. The browser switches both before Python hears of it.

The store writes `data-lecture` and `data-predict` on the document; `--viz-bar` is the height of the bar at the foot of the window,
`--viz-scale` by how much it is larger than the one for which figures are drawn.
"""

from __future__ import annotations

AWAY = (
    ".st-key-_foot, .st-key-_arithmetic, [class*=st-key-_controls], [data-testid=stSidebar], [data-testid=stHeader],"
    " [data-testid=stExpandSidebarButton], .st-key-_along_out"
)
"""What is not on stage."""
PART = "[data-testid^=stBidiComponent]"
"""A browser-side part. It hides for itself what is to be guessed; what Python wrote around it could give it away."""
CHOICE = "[data-testid=stButtonGroup]"
"""A row of buttons, such as the views of a page: their names are the page's, never a word of the sentence."""
TELLING = (
    ".st-key-_foot [data-testid=stExpander], .st-key-target, .st-key-_page:not(:has(.viz-open)) .st-key-_arithmetic,"
    f" .st-key-_page:not(:has(.viz-open)) [data-testid=stElementContainer]:not(:has({PART}, {CHOICE}, [data-writes]))"
)
"""What is written around it, unless the page has said that it leaves the word open; a table whose words are marked stays as well,
and the remote hides those that are still to be guessed."""

ONSTAGE = f"""<style>
[data-testid=stMainBlockContainer] {{ padding-bottom: calc(3rem + var(--viz-bar, 0px)); }}
.st-key-_page {{ gap: .5rem; }}
[data-testid=stElementContainer]:has(:is(.viz-open, .viz-may-tell)) {{ display: none; }}

/* Lecture mode: one idea a screen. Letters go with the window, so that the last row reads them on any projector. */
html[data-lecture] {{ font-size: clamp(20px, min(1.7vw, 3vh), 48px) !important; --legend: none; }}
html[data-lecture] :is({AWAY}), html[data-lecture] [data-testid=stLayoutWrapper]:has(> :is({AWAY})) {{ display: none !important; }}
html[data-lecture] [data-testid=stMainBlockContainer] {{ max-width: none; padding: .5rem 1.6rem calc(.3rem + var(--viz-bar)); }}
html[data-lecture] h1 {{ font-size: 1.9rem !important; }}
html[data-lecture] .st-key-_head [data-testid=stColumn]:first-child {{ flex: 1 1 100%; }}
html[data-lecture] .st-key-_head [data-testid=stColumn]:last-child {{ flex: 0 0 0; min-width: 0; width: 0; }}
html[data-lecture] .st-key-_page > :has({PART}) ~ :not(:has({PART})),
  html[data-lecture] .st-key-_page > :has(.stPlotlyChart, .spelt, .draws, .filling) ~ * {{ display: none !important; }}
html[data-lecture] .st-key-_walk_steps {{ position: fixed; top: .6rem; right: 1.6rem; width: auto; z-index: 2; }}
html[data-lecture]:has(.st-key-_walk_steps) .st-key-_head {{ padding-right: 16rem; }}
html[data-lecture] .st-key-_page [data-testid=stHtml] {{ zoom: var(--viz-scale); }}
html[data-lecture] .st-key-_page [data-testid=stElementContainer]:has(.stPlotlyChart) {{
  width: calc(100% / var(--viz-scale)) !important; margin-bottom: calc((var(--viz-scale) - 1) * var(--high, 0px)); }}
html[data-lecture] .st-key-_page [data-testid=stElementContainer]:has(.stPlotlyChart),
  html[data-lecture] .st-key-_page :has(> .js-plotly-plot, > .stPlotlyChart) {{ overflow: visible !important; }}
html[data-lecture] .js-plotly-plot {{ transform: scale(var(--viz-scale)); transform-origin: 0 0; }}
html[data-lecture]:not([data-awake]), html[data-lecture]:not([data-awake]) * {{ cursor: none !important; }}

/* Predict, then reveal. Streamlit makes some of what is inside visible again, so each of it is told. */
html:is([data-predict=word], [data-predict=source]) :is({TELLING}),
  html:is([data-predict=word], [data-predict=source]) :is({TELLING}) * {{ visibility: hidden !important; }}
</style>"""
