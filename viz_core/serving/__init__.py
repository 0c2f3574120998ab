"""The app for many readers: several Streamlit processes behind HAProxy, and each reader stays with one of them."""
