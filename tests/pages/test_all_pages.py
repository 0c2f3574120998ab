"""Each page, without a browser: runs on any input, shows what was typed, and follows the URL. Its choices: test_odd_shapes.py."""

import ast
from html import unescape
from itertools import cycle
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from tests.foot import controls, links, press
from viz_core.app import models
from viz_core.app.controls import declared
from viz_core.app.request import Request
from viz_core.app.view_options import View
from viz_core.params import OPTIONS
from viz_core.texts import texts

ROOT = Path(__file__).parents[2]
TREE = ast.parse((ROOT / "pages" / "tour.py").read_text())
PAGES = next(ast.literal_eval(node.value) for node in TREE.body if isinstance(node, ast.Assign))
NAMES = [name for names in PAGES.values() for name in names]
FILES = [f"{name}/page.py" for name in NAMES]

HOSTILE = "</script><b>*x*</b> $y$ :smile: :red[z] [a](http://b) `c` \x00 你好 👍🏽 ⟨/s⟩ <0x41> ▁"
EDITED = "heads.cross.1.2~no_scale"


def opened(page: str, **parameters: str) -> AppTest:
    """The app as a link to the given page with these parameters opens it."""
    app = AppTest.from_file(ROOT / "pages" / "tour.py", default_timeout=120)
    app.query_params |= parameters
    if page != FILES[0]:
        app._page_hash = calc_hash(Path(page).parent.name)  # `switch_page` knows the pages only after a run
    app.run()
    assert not app.exception, app.exception
    assert not app.error
    return app


def visited(app: AppTest, **parameters: str) -> AppTest:
    """The page that an app is on, as a link to it with these parameters opens it."""
    app.session_state["_request"], app.session_state["_said"] = Request(parameters), []
    app.run()
    assert not app.exception, app.exception
    assert not app.error
    return app


def address(app: AppTest) -> dict[str, str]:
    """The parameters of the address of what is shown, which the browser writes."""
    return dict(app.session_state["_shown"].parameters)


def view(app: AppTest) -> View:
    """What the page shows."""
    found: View = app.session_state["_view"]
    return found


def words(app: AppTest) -> str:
    """All Markdown of the page."""
    return "\n".join(element.value for element in app.markdown)


def messages(app: AppTest) -> list[str]:
    """What the page has to say about the link and the sentence; several stand in one list."""
    return [line.removeprefix("- ") for warning in app.warning for line in unescape(warning.value).splitlines()]


def choices(app: AppTest) -> list[tuple[str, str]]:
    """What each row of buttons of a page offers: (the key of its value, an option)."""
    return [(name, value) for name, row in controls(app).items() if row["kind"] == "buttons" for value, _ in row["options"]]


@pytest.mark.parametrize("page", FILES, ids=NAMES)
def test_an_edited_model_is_shown_in_its_corner_with_any_texts_however_long(page: str) -> None:
    asked = {"text": f"{HOSTILE} " * 30, "target": HOSTILE, "step": "3", "layer": "4", "head": "8", "edits": EDITED}
    app = opened(page, **asked)
    assert (view(app).step, view(app).layer, view(app).head) == (2, 3, 7)
    assert any("was explained up to 127 tokens" in warning.value for warning in app.warning)
    if page != "what_if/page.py":
        assert view(app).explanation.edits.link() == address(app)["edits"] == EDITED
        (said,) = (each.value for each in app.markdown if each.value.startswith("**Edited model:**"))
        assert "head 2 of layer 1 in cross attention" in said and "not divided by" in said


@pytest.mark.parametrize("page", FILES, ids=NAMES)
def test_one_token_and_odd_values_of_all_its_parameters_are_messages_and_no_error(page: str) -> None:
    name = Path(page).parent.name
    names = [*OPTIONS, *declared(name)]
    app = opened(page, text="x", **dict(zip(names, cycle(("²", "-1", "9" * 60)), strict=False)))
    assert messages(app)
    assert [each.value for each in app.title] == [texts(name)["title"]]


@pytest.mark.parametrize("page", ["overview/page.py", "training/page.py"])
def test_blank_text_invites(page: str) -> None:
    app = opened(page, text=" ")
    assert "invite_4" in links(app) and not app.error
    press(app, "invite_0")
    assert not app.exception
    assert view(app).sentence.text == "I love you."


def test_a_value_out_of_range_becomes_the_nearest() -> None:
    app = opened(FILES[-1])
    for name, asked, shown in (("layer", "9", 4), ("layer", "0", 1), ("head", "x", 1), ("step", "99", 4), ("step", "-2", 1)):
        visited(app, text="I love you.", target="Ich liebe.", **{name: asked})
        assert getattr(view(app), name) == shown - 1, (name, asked)


NOTHING = "which means nothing here; it is ignored."
IN_VAIN = {
    "positions": [
        ("dims", "1-3-999", "1-3-999”, which does not exist; showing “Dimensions (up to six): 1-3”."),
        ("temperature", "50", "temperature: 50 is out of range here; showing 5, the nearest value."),
        ("lecture", "yes", f"“lecture=yes”, {NOTHING} Possible values: on, off."),
        ("snapshot", "300", "napshot"),
    ],
    "overview": [
        ("open", "nonsense", f"“open=nonsense”, {NOTHING} Possible values: embedding,"),
        ("cell", "3", f"“cell=3”, {NOTHING}"),
    ],
    "decoding": [("size", "99", "10"), ("alpha", "nan", "nan"), ("cell", "90-2", "cell=90-2")],
    "code": [("call", "9999", "188"), ("d_model", "500", "512"), ("preset", "<b>", "en-de")],
}


@pytest.mark.parametrize("page", IN_VAIN)
def test_what_a_link_asks_for_in_vain_is_reported(page: str) -> None:
    app = opened(FILES[NAMES.index(page)])
    for name, asked, told in IN_VAIN[page]:
        visited(app, **{name: asked}, **({"show": "cost"} if name in ("d_model", "preset") else {}))
        assert [told in message for message in messages(app)] == [True], (name, asked)
    visited(app, text="I love you.", open="nonsense", lang="xx", step="99")
    assert (len(app.warning), len(messages(app))) == (1, 3), "one list"


def test_an_unknown_model_is_reported() -> None:
    assert any("such" in message for message in messages(opened(FILES[0], model="no-such-model")))


def test_without_a_checkpoint_the_page_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(models, "ROOT", tmp_path)
    app = opened(FILES[0])
    assert any("no usable model" in info.value for info in app.info)
