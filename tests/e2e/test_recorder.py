"""The recorder of talks, typed into as one types: each text stays with the view for which it was typed."""

import tomllib
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.driving import follows, open_at, settle, turn_to

pytestmark = pytest.mark.e2e
KEPT = "() => new Map(JSON.parse(localStorage.getItem('viz-talks') ?? '[]')).get('recorded') ?? ''"


def kept(page: Page) -> dict[str, Any]:
    """The recorded talk as this browser keeps it."""
    settle(page)
    return tomllib.loads(page.evaluate(KEPT))


def views(page: Page, *names: str) -> list[dict[str, Any]]:
    """Some values of each view that the browser keeps."""
    return [{name: view[name] for name in names if name in view} for view in kept(page)["view"]]


def add(page: Page, number: int) -> None:
    page.keyboard.press("a")
    expect(page.get_by_text(f"View {number} added")).to_be_visible()
    settle(page)


def opened(page: Page) -> Locator:
    page.get_by_role("button", name="Talks").click()
    page.get_by_role("tab", name="Record a talk").click()
    return page.get_by_test_id("stPopoverBody")


def pick(page: Page, body: Locator, label: str) -> None:
    body.get_by_role("combobox", name="Views recorded").click()
    page.get_by_role("option", name=label, exact=True).click()
    settle(page)


def test_what_is_typed_from_field_to_field_stays_with_the_view_that_is_picked(page: Page, server: str) -> None:
    open_at(page, f"{server}/output?text=I+love+you.")
    for number in range(1, 4):
        add(page, number)
        page.keyboard.press("ArrowRight")
    body = opened(page)
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
    assert views(page, "title", "note", "step") == [
        {"title": "Output", "step": 2}, {"title": "Output", "step": 3}, {"title": "Output", "note": "Wait."},
    ]  # fmt: skip
    pick(page, body, "1  Output")
    expect(body.get_by_label("Its note")).to_have_value("")
    body.get_by_label("Its title").fill("")
    page.keyboard.press("Tab")
    expect(body.get_by_label("Its title")).to_have_value("Output")
    settle(page)
    body.get_by_role("button", name="Remove", exact=True).click()
    assert views(page, "title", "note", "step") == [{"title": "Output", "step": 3}, {"title": "Output", "note": "Wait."}]


def test_what_is_recorded_outlives_a_reload_and_plays_on_its_page(page: Page, server: str) -> None:
    open_at(page, f"{server}/output?text=I+love+you.&step=2&predict=word")
    add(page, 1)
    body = opened(page)
    body.get_by_label("Title of the talk").fill("Five words")
    page.keyboard.press("Tab")
    settle(page)
    page.reload()  # which begins a new session
    settle(page)
    assert (kept(page)["title"], views(page, "hide")) == ("Five words", [{"hide": "word"}])
    body = opened(page)
    expect(page.get_by_text("This browser keeps the talk.")).to_be_visible()
    expect(body.get_by_label("Title of the talk")).to_have_value("Five words")
    body.get_by_role("radiogroup").first.get_by_text("nothing", exact=True).click()
    assert views(page, "title", "hide") == [{"title": "Output"}]
    page.keyboard.press("Escape")
    page.evaluate("globalThis[Symbol.for('viz_core.store')].set({ predict: '', step: 2 })")
    settle(page)
    add(page, 2)
    opened(page)
    page.get_by_role("button", name="Play from here").click()  # its picture is on this page, and the button at the foot of it
    expect(page.locator(".viz-bar .count")).to_have_text("view 2 of 2")
    expect(page.get_by_test_id("stPopoverBody")).to_have_count(0)
    assert page.get_by_test_id("stMain").evaluate("main => main.scrollTop") == 0
    page.keyboard.press("PageUp")
    follows(page, step="2", talk="recorded", at="1")
    page.reload()
    expect(page.locator(".viz-bar .count")).to_have_text("view 1 of 2")


CAT = "The+dog+sees+the+other+dog."
FOUR = (
    f"/?text={CAT}&step=4&layer=2&head=3&open=cross", f"/qkv?text={CAT}&kind=cross&role=k&layer=2",
    f"/output?text={CAT}&target=Der+Hund+schläft.&step=2", f"/what_if?text={CAT}&edits=heads.cross.1.1&step=3",
)  # fmt: skip


def test_views_are_recorded_saved_loaded_and_replayed_as_they_were(page: Page, server: str) -> None:
    seen = []
    open_at(page, server)
    for number, address in enumerate(FOUR, 1):
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
    page.locator("input[type=file]").set_input_files({"name": "four.toml", "mimeType": "text/plain", "buffer": file.read_bytes()})
    page.get_by_test_id("stPopoverBody").get_by_role("button", name=f"Start: {name}", exact=True).click()
    for number, before in enumerate(seen, 1):
        expect(page.locator(".viz-bar .count")).to_have_text(f"view {number} of {len(FOUR)}")
        settle(page)
        assert state(page) == before, number
        page.keyboard.press("PageDown")


def state(page: Page) -> tuple[str, dict[str, list[str]]]:
    """What the address says of the view, without the talk that it belongs to."""
    parts = urlsplit(page.url)
    return parts.path, {name: value for name, value in parse_qs(parts.query).items() if name not in ("talk", "at")}
