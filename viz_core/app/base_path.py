"""The path below which the app is served: `/`, or `server.baseUrlPath`."""

import streamlit as st


def below_base(path: str) -> str:
    """A path of the app as the browser requests it: `parts/` is `/parts/`, or `/viz/parts/` with the base path `viz`."""
    base = st.get_option("server.baseUrlPath").strip("/")
    return f"/{base}/{path}" if base else f"/{path}"
