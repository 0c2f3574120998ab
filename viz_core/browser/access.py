"""Names and roles that Streamlit's and plotly's own markup lacks, for those who do not see the page."""

from __future__ import annotations

import streamlit as st

from viz_core.browser.bundle import bundle

_mount = st.components.v2.component("viz_core_access", html='<div class="viz-access"></div>', js=bundle("access/main.js"))


def mend_access() -> None:
    """To be drawn on every page; shows nothing itself."""
    with st.container(key="_access"):
        _mount(key="_mend_access")
