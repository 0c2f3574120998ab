"""What a view shows and what it offers as CSV, recorded while a page runs."""

import csv
import io
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, cast

import plotly.graph_objects as go
import pytest

from tests.pages.test_all_pages import FILES, ROOT, opened
from tests.plots import figure_of
from viz_core.app.page import Page

Rows = list[dict[str, str]]


@dataclass
class Recorded:
    """One page in its last run.

    Attributes:
        figures: by the key that the page gives them.
        parts: the payloads of its browser-side parts by their names, and of its figures by their keys.
        html: what the page drew as HTML, in order.
        tables: the CSV of each offered download, by its key, a row each line.
        labels: what each download is called.
    """

    figures: dict[str, go.Figure] = field(default_factory=dict)
    parts: dict[str, bytes] = field(default_factory=dict)
    html: list[str] = field(default_factory=list)
    tables: dict[str, Rows] = field(default_factory=dict)
    labels: list[str] = field(default_factory=list)

    def column(self, table: str, name: str) -> list[float]:
        """One column of numbers; empty cells are left out."""
        return [float(row[name]) for row in self.tables[table] if row[name]]


def recorded(monkeypatch: pytest.MonkeyPatch, page: str, **parameters: str) -> Recorded:
    """The page as a link opens it: its figures, parts, HTML and downloads."""
    found = Recorded()
    show, answer, below, offer = Page.show, Page.answer, Page.mount_below, Page.offer
    html = Page.html

    def keep_figure(self: Page, *made: Any, **options: Any) -> None:
        show(self, *made, **options)
        key = self.drawn[-1].name
        found.parts[key] = cast(bytes, self.drawn[-1].content)
        found.figures[key] = go.Figure(figure_of(found.parts[key]))

    def keep_answer(self: Page, view: Callable[..., bytes], **options: Any) -> None:
        answer(self, view, **options)
        if options.get("on_wall", True):
            found.parts[self.drawn[-1].name] = self.drawn[-1].payload()

    def keep_below(self: Page, name: str, payload: bytes) -> None:
        below(self, name, payload)
        found.parts[name] = payload

    def keep_html(self: Page, drawn: str) -> None:
        html(self, drawn)
        found.html.append(drawn)

    def keep_table(self: Page, key: str, file: str, make: Callable[[], bytes], /, **values: Any) -> None:
        offer(self, key, file, make, **values)
        found.tables[key] = list(csv.DictReader(io.StringIO(make().decode("utf-8-sig"))))
        found.labels.append(self.offered[-1].label)

    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(Page, "show", keep_figure)
    monkeypatch.setattr(Page, "answer", keep_answer)
    monkeypatch.setattr(Page, "mount_below", keep_below)
    monkeypatch.setattr(Page, "html", keep_html)
    monkeypatch.setattr(Page, "offer", keep_table)
    opened(next(path for path in FILES if path.split("/")[-2] == page), **parameters)
    assert not any("[[" in label for label in found.labels)
    return found
