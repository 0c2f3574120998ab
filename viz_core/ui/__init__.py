"""The frame, the controls and the state of the app: what pages are written with."""

from viz_core.ui.cache import prepare
from viz_core.ui.frame import page, run
from viz_core.ui.writer import Page

__all__ = ["Page", "page", "prepare", "run"]
