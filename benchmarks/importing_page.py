"""A page that imports what the app cannot do without, and shows nothing: how long a start takes at least."""

import plotly.graph_objects
import streamlit as st
import torch

st.button(f"torch {torch.__version__}, plotly {plotly.__version__}")
