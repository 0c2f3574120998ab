"""Arrays and labels in, plotly figure out: pure functions, without torch and Streamlit."""
