"""The frame, the controls and the state of the app: what pages are written with."""

from viz_core.ui.cache import prepare
from viz_core.ui.frame import Page, page, run

__all__ = ["Page", "page", "prepare", "run"]
