"""The edited model on the other pages: by link, marked on every page, taken out by one click."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.foot import press
from tests.pages.test_all_pages import FILES, address, opened
from viz_core.app.markup import markdown
from viz_core.app.view_options import View


def view(app: AppTest) -> View:
    found: View = app.session_state["_view"]
    return found


@pytest.mark.parametrize("page", [page for page in FILES if Path(page).parent.name != "what_if"])
def test_every_page_shows_the_edited_model_and_says_so(page: str) -> None:
    app = opened(page, text="I see the dog.", edits="no_scale~heads.cross.1.2")
    assert not app.exception
    assert view(app).explanation.edits.link() == "heads.cross.1.2~no_scale"
    said = [each.value for each in app.markdown if each.value.startswith("**Edited model:**")]
    assert said and "head 2 of layer 1 in cross attention" in said[0] and "not divided by" in said[0]
    assert address(app)["edits"] == "heads.cross.1.2~no_scale"


def test_one_click_takes_the_edit_out() -> None:
    app = opened(FILES[0], text="I see the dog.", edits="uniform.cross")
    edited = view(app).explanation
    press(app, "edited_out")
    assert not view(app).explanation.edits and view(app).explanation is not edited
    assert "edits" not in address(app)
    assert not any("Edited model" in each.value for each in app.markdown)


def test_what_means_nothing_is_reported_as_it_was_typed() -> None:
    app = opened(FILES[0], text="I see the dog.", edits="<b>x</b>~no_scale")
    assert view(app).explanation.edits.link() == "no_scale"
    assert [markdown("<b>x</b>") in each.value for each in app.warning] == [True]
