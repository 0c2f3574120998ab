"""What a Streamlit page costs that has nothing but a button. Run by `load.py`."""

import streamlit as st

st.button("again", key="again")
