"""The edited model on the other pages: by link, taken out by one click. That each says so: tests/pages/test_all_pages.py."""

from tests.foot import press
from tests.pages.test_all_pages import FILES, address, opened, view


def test_one_click_takes_the_edit_out() -> None:
    app = opened(FILES[0], text="I see the dog.", edits="uniform.cross")
    edited = view(app).explanation
    press(app, "edited_out")
    assert not view(app).explanation.edits and view(app).explanation is not edited
    assert "edits" not in address(app)
    assert not any("Edited model" in each.value for each in app.markdown)
