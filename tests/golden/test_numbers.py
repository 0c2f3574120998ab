"""Every view shows the numbers that are held, which README.md in this folder tells how to change."""

import pytest

from tests.golden import numbers
from tests.pages.test_all_pages import NAMES


def test_every_page_is_held() -> None:
    assert sorted(numbers.VIEWS) == sorted(NAMES)


@pytest.mark.parametrize("page", NAMES)
def test_every_view_shows_the_numbers_that_are_held(page: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(numbers.HELD.parents[2])
    found = list(numbers.check([case for case in numbers.in_ci() if case[0] == page]))
    assert not found, "\n".join(found)
