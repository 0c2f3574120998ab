"""The recorder of talks, typed into as one types: each text stays with the view for which it was typed."""

import tomllib
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.driving import open_at, settle, turn_to

pytestmark = pytest.mark.e2e
KEPT = "() => new Map(JSON.parse(localStorage.getItem('viz-talks') ?? '[]')).get('recorded') ?? ''"


def kept(page: Page) -> dict[str, Any]:
    """The recorded talk as this browser keeps it."""
    settle(page)
    return tomllib.loads(page.evaluate(KEPT))


def views(page: Page, *names: str) -> list[dict[str, Any]]:
    """Some values of each view that the browser keeps."""
    return [{name: view[name] for name in names if name in view} for view in kept(page)["view"]]


def recorder(page: Page, server: str, added: int) -> Locator:
    """The recorder, with so many views of the page Output, at steps 1, 2, …; the last one is picked."""
    open_at(page, f"{server}/output?text=I+love+you.")
    for number in range(1, added + 1):
        page.keyboard.press("a")
        expect(page.get_by_text(f"View {number} added: Output")).to_be_visible()
        settle(page)
        page.keyboard.press("ArrowRight")
        settle(page)
    return opened(page)


def opened(page: Page) -> Locator:
    page.get_by_role("button", name="Talks").click()
    page.get_by_role("tab", name="Record a talk").click()
    return page.get_by_test_id("stPopoverBody")


def pick(page: Page, body: Locator, label: str) -> None:
    body.get_by_role("combobox", name="Views recorded").click()
    page.get_by_role("option", name=label, exact=True).click()
    settle(page)


def test_what_is_typed_from_field_to_field_stays_with_the_view_that_is_picked(page: Page, server: str) -> None:
    body = recorder(page, server, 3)
    pick(page, body, "1  Output")
    body.get_by_label("Its title").click()
    page.keyboard.press("Control+a")
    for text in ("Which word?", "Guess the German.", "It says Ich."):
        page.keyboard.type(text)
        page.keyboard.press("Tab")
    expect(body.get_by_label("Its title")).to_have_value("Which word?")
    expect(body.get_by_role("combobox", name="Views recorded")).to_have_value("1  Which word?")
    first = {"title": "Which word?", "caption": "Guess the German.", "note": "It says Ich."}
    assert views(page, "title", "caption", "note") == [first, {"title": "Output"}, {"title": "Output"}]

    body.get_by_role("button", name="Down", exact=True).click()  # now views 1 and 3 have the same title
    settle(page)
    expect(body.get_by_label("Its note")).to_have_value("It says Ich.")
    body.get_by_label("Its title").fill("Output")
    body.get_by_label("Its note").fill("Wait.")
    body.get_by_role("button", name="Down", exact=True).click()
    settle(page)
    assert views(page, "title", "note", "step") == [
        {"title": "Output", "step": 2}, {"title": "Output", "step": 3}, {"title": "Output", "note": "Wait."},
    ]  # fmt: skip
    pick(page, body, "1  Output")
    expect(body.get_by_label("Its note")).to_have_value("")
    body.get_by_label("Its title").fill("")
    page.keyboard.press("Tab")
    settle(page)
    expect(body.get_by_label("Its title")).to_have_value("Output")
    body.get_by_role("button", name="Remove", exact=True).click()
    settle(page)
    assert views(page, "title", "note", "step") == [{"title": "Output", "step": 3}, {"title": "Output", "note": "Wait."}]


def test_the_title_of_the_talk_and_what_the_class_is_to_guess_outlive_a_reload(page: Page, server: str) -> None:
    open_at(page, f"{server}/output?text=I+love+you.&predict=word")
    page.keyboard.press("a")
    settle(page)
    body = opened(page)
    body.get_by_label("Title of the talk").fill("Five words")
    page.keyboard.press("Tab")
    settle(page)
    page.reload()
    settle(page)
    assert (kept(page)["title"], views(page, "hide")) == ("Five words", [{"hide": "word"}])
    body = opened(page)
    expect(body.get_by_label("Title of the talk")).to_have_value("Five words")
    body.get_by_role("radiogroup").first.get_by_text("nothing", exact=True).click()
    assert views(page, "title", "hide") == [{"title": "Output"}]


CAT = "The+dog+sees+the+other+dog."
SIX = (
    f"/?text={CAT}&step=4&layer=2&head=3&open=cross", f"/cross_attention?text={CAT}&step=2&layer=3&head=2",
    f"/qkv?text={CAT}&kind=cross&role=k&layer=2", f"/positions?text={CAT}&show=product",
    f"/output?text={CAT}&target=Der+Hund+schläft.&step=2", f"/what_if?text={CAT}&edits=heads.cross.1.1&step=3",
)  # fmt: skip


def test_six_views_are_recorded_saved_loaded_and_replayed_as_they_were(page: Page, server: str) -> None:
    seen = []
    open_at(page, server)
    for number, address in enumerate(SIX, 1):
        turn_to(page, server + address)
        seen.append(state(page))
        page.keyboard.press("a")
        expect(page.get_by_text(f"View {number} added")).to_be_visible()
    body = opened(page)
    with page.expect_download() as saved:
        body.get_by_role("button", name="Download").click()
    page.evaluate("localStorage.clear()")
    open_at(page, server)
    page.get_by_role("button", name="Talks").click()
    file = saved.value.path()
    name = tomllib.loads(file.read_text("utf-8"))["title"]
    page.locator("input[type=file]").set_input_files({"name": "six.toml", "mimeType": "text/plain", "buffer": file.read_bytes()})
    page.get_by_test_id("stPopoverBody").get_by_role("button", name=f"Start: {name}", exact=True).click()
    for number, before in enumerate(seen, 1):
        expect(page.locator(".viz-bar .count")).to_have_text(f"view {number} of {len(SIX)}")
        settle(page)
        assert state(page) == before, number
        page.keyboard.press("PageDown")


def state(page: Page) -> tuple[str, dict[str, list[str]]]:
    """What the address says of the view, without the talk that it belongs to."""
    settle(page)
    parts = urlsplit(page.url)
    return parts.path, {name: value for name, value in parse_qs(parts.query).items() if name not in ("talk", "at")}
