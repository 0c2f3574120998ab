"""Every figure is drawn as it is held in tests/golden, which says how to accept a difference."""

import pytest
from playwright.sync_api import Page

from tests.golden import pictures
from tests.golden.adapter import Gallery

pytestmark = pytest.mark.e2e


def test_every_figure_is_drawn_as_it_is_held(kept: Page, server: str) -> None:
    found = list(pictures.check(Gallery(kept, server), pictures.in_ci()))
    assert not found, "\n".join(found)
