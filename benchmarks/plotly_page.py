"""A page with one plotly heatmap and a round trip for each step, to compare stepping with ours. Run by `stepping_peers.py`."""

import numpy as np
import plotly.graph_objects as go
import streamlit as st

st.session_state.setdefault("step", 0)


def on() -> None:
    """One step on."""
    st.session_state["step"] += 1


st.button("next", on_click=on, shortcut="Right")
weights = np.random.default_rng(st.session_state["step"]).random((20, 20))
figure = go.Figure(go.Heatmap(z=weights, zmin=0, zmax=1))
figure.update_layout(title=f"step {st.session_state['step']}")
st.plotly_chart(figure, key="heatmap")
