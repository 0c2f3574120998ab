"""The rail at the left of the window: the numbered tour of all pages, and the languages at its foot. Drawn in the browser."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict

from viz_core.app import language
from viz_core.app.addressed import path_of
from viz_core.app.components import connect
from viz_core.app.page import palette
from viz_core.texts import texts


def rail(pages: Mapping[str, Sequence[str]], here: str) -> None:
    """Draws the rail, on every page before everything else.

    Args:
        pages: section → its pages, in the order of the tour.
        here: the current page.
    """
    words = texts("app.frame")
    data = {
        "sections": [(words["sections"].get(section, ""), [_entry(name) for name in names]) for section, names in pages.items()],
        "here": here,
        **language.spoken(),
        "theme": asdict(palette()),
    }
    connect("rail", data, in_page=True)  # so that assistive tools see its links beside Streamlit's own


def _entry(name: str) -> dict[str, str]:
    words = texts(name)
    return {"name": name, "href": path_of(name), "label": words["rail"], "title": words["title"], "icon": words["icon"]}
