"""The language of the app: that of the link, else the one chosen before, else the browser's; it stays until another is chosen."""

import pytest
from streamlit.runtime.context import ContextProxy

from tests.pages.test_all_pages import FILES, address, opened
from viz_core.texts import in_this_language, laid_over, language, speak, texts_in


@pytest.mark.parametrize(
    ("link", "chosen", "browser", "shown", "said"),
    [("", "", "", "en", ""), ("", "", "zh-CN", "zh", "zh"), ("en", "", "zh-CN", "en", "en"), ("", "en", "zh-CN", "en", "")],
)
def test_the_link_goes_before_what_was_chosen_and_that_before_the_browser(
    link: str, chosen: str, browser: str, shown: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ContextProxy, "locale", browser or None)
    monkeypatch.setattr(ContextProxy, "cookies", {"viz_lang": chosen} if chosen else {})
    app = opened(FILES[0], **({"lang": link} if link else {}))
    assert (app.title[0].value, address(app).get("lang", "")) == (texts_in("overview", shown)["title"], said)


def test_a_translation_is_laid_over_the_first_language() -> None:
    first = {
        "icon": "A", "names": ["a", "b"], "try": [{"label": "one", "set": {"step": 1}}, {"label": "two"}],
        "table": {"x": "x", "y": "y"},
    }  # fmt: skip
    other = {"names": ["甲", "乙"], "try": [{"label": "一"}], "table": {"x": "某"}}
    assert laid_over(first, other) == {
        "icon": "A", "names": ["甲", "乙"], "try": [{"label": "一", "set": {"step": 1}}, {"label": "two"}],
        "table": {"x": "某", "y": "y"},
    }  # fmt: skip


def test_what_a_download_makes_later_speaks_as_the_page_did() -> None:
    speak("zh")
    try:
        make = in_this_language(language)
    finally:
        speak("en")
    assert (make(), language()) == ("zh", "en")
