"""Arrays and labels in, plotly figure out: pure functions. Neither torch nor streamlit is known here."""
