"""The frame, the controls and the state of the app: what pages are written with."""

from viz_core.app.cache import prepare
from viz_core.app.frame import page, run
from viz_core.app.page import Page

__all__ = ["Page", "page", "prepare", "run"]
