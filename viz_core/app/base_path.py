"""The path below which the app is served: `/`, or what `server.baseUrlPath` says."""

import streamlit as st


def below_base(path: str) -> str:
    """A path of the app as the browser asks for it: `parts/` is `/parts/`, or with the base path `viz` `/viz/parts/`."""
    base = st.get_option("server.baseUrlPath").strip("/")
    return f"/{base}/{path}" if base else f"/{path}"
