"""What the browser shows of this page's texts, at any step and layer."""

from streamlit.testing.v1 import AppTest

from tests.pages.test_all_pages import words
from tests.plots import below


def all_words(app: AppTest) -> str:
    """All that the page says where the reader is."""
    here = {name: getattr(app.session_state["_view"], name) for name in ("step", "layer", "head")}
    return "\n".join([words(app), *below(app, **here).values()])
