"""A page in a notebook's cell: its file in a frame, with the model inside, so that it needs neither a server nor a network."""

import warnings
from dataclasses import dataclass, field
from html import escape
from typing import Any

from viz_core.app.html_file import alone
from viz_core.app.live import live as live_model
from viz_core.app.talk_file.record import quiet, recorded
from viz_core.app.talks import Talk, TalkView
from viz_core.errors import TextError, nearest
from viz_core.texts import PAGES, fill, texts


@dataclass(frozen=True)
class Framed:
    """What a notebook shows of it.

    Attributes:
        html: the whole file.
        height: of the frame, in px.
        title: of the frame, for screen readers.
    """

    html: bytes = field(repr=False)  # a notebook keeps the repr, too
    height: int
    title: str

    def _repr_html_(self) -> str:
        style, title = f"width: 100%; height: {self.height}px; border: 0", escape(self.title)
        return f'<iframe srcdoc="{escape(self.html.decode())}" title="{title}" style="{style}" allowfullscreen></iframe>'


def show(
    text: str, page: str = "overview", *, model: str = "en-de", live: bool = True, height: int = 720, **parameters: Any
) -> Framed:  # fmt: skip
    """A page of the app for a notebook's cell.

    Args:
        text: the sentence.
        page: its name in an address, such as cross_attention.
        live: whether it takes other sentences; then each cell has the size of the model, else only that of the answers.
        height: of the frame, in px.
        parameters: as in an address (docs/links.md), where steps, layers and heads count from 1.

    Raises:
        TextError: there is no such page.
        VizError: the page cannot be shown.
    """
    if not (PAGES / page / "page.py").is_file():
        known = nearest(page, sorted(path.parent.name for path in PAGES.glob("*/page.py")))
        raise TextError(f"there is no page {page!r}; {known}")
    asked = {"text": text, "model": model, **{name: str(value) for name, value in parameters.items()}}
    talk = Talk("cell", page, views=(TalkView(page, page, parameters=asked),), is_lesson=True)
    with quiet():
        (shown,) = recorded(talk)
    for notice in shown.notices:
        warnings.warn(fill(texts("app.notices")[notice.code], notice.values), stacklevel=2)
    held = live_model(model) if live else None
    return Framed(alone(shown.heading, [shown], live=held), height, shown.heading)
