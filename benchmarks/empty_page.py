"""A Streamlit page with only a button, to measure what any page costs. Run by `load.py`."""

import streamlit as st

st.button("again", key="again")
