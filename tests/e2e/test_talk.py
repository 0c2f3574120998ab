"""A lecture in a real browser: a talk by link and clicker, predict and reveal, the stage, the link with its code."""

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.bare import CORE, FRAME, bundled
from tests.e2e.driving import Source, follows, open_at, settle
from tests.e2e.test_core import STORE
from tests.e2e.test_predict import LISTEN, told

pytestmark = pytest.mark.e2e

AWAY = ".viz-rail nav, .st-key-_foot, .st-key-_arithmetic, .at-below > *, .viz-player .player, .viz-top-bar :is(.edit, .model)"


def title(page: Page, text: str) -> None:
    expect(page.locator("h1")).to_have_text(text)


def at(page: Page, number: int) -> None:
    """The view of the talk is there, and the address says so."""
    page.wait_for_function(f"new URLSearchParams(location.search).get('at') === '{number}' && location.search.includes('text=')")


def test_a_talk_from_its_list_to_its_end_and_back_in_which_no_press_is_lost_between_two_pages(anew: Source) -> None:
    page = anew.tab
    if not anew.is_site:  # whose list is below the page
        page.get_by_role("button", name="Talks").click()
    page.get_by_role("button", name="Start in lecture mode: The Transformer in 12 stops").click()
    follows(page, talk="twelve-steps", lecture="on")
    expect(page.get_by_test_id("stPopoverBody")).to_have_count(0)
    for key, number, pause in (("PageDown", 4, 150), ("PageUp", 1, 0)):  # ms: less than a page takes
        for _ in range(3):
            page.keyboard.press(key)
            page.wait_for_timeout(pause)
        at(page, number)
        settle(page)
    anew.turn("?talk=twelve-steps&at=16&lecture=on")
    for number, name in ((16, "Stop 11: The next word"), (17, "Stop 12: Again, until the end")):
        at(page, number)
        title(page, name)
        settle(page)
        if page.evaluate("document.documentElement.dataset.predict"):
            page.keyboard.press("PageDown")
            page.wait_for_function("document.documentElement.dataset.predict === undefined")
        page.keyboard.press("PageDown")
    end = page.locator("dialog.end")
    expect(end).to_contain_text("The Transformer in 12 stops")
    page.keyboard.press("PageDown")
    expect(end).to_be_visible()
    page.keyboard.press("PageUp")
    expect(end).to_be_hidden()
    page.keyboard.press("PageUp")
    at(page, 16)
    page.go_back()
    at(page, 17)
    title(page, "Stop 12: Again, until the end")
    page.reload()
    settle(page)
    title(page, "Stop 12: Again, until the end")
    assert page.evaluate("document.documentElement.hasAttribute('data-lecture')")


def test_the_code_is_of_what_is_shown_and_lecture_mode_leaves_nothing_but_the_picture_at_once(anew: Source) -> None:
    page = anew.turn("cross_attention?text=I+love+you.&step=2")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.keyboard.press("q")
    dialog = page.locator("dialog.share")
    code = dialog.get_by_role("img", name="QR code of the link to this view")
    expect(code).to_be_visible()
    assert code.evaluate("image => image.decode().then(() => image.naturalWidth)") > 0
    expect(dialog).to_contain_text("Only this computer can open this link")
    dialog.get_by_role("button", name="Copy the link").click()
    expect(dialog.get_by_text("Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == page.url
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()

    small = page.evaluate("parseFloat(getComputedStyle(document.documentElement).fontSize)")
    page.keyboard.press("l")
    page.evaluate(FRAME)
    assert page.evaluate("document.documentElement.hasAttribute('data-lecture')"), "no run of the script is waited for"
    for part in page.locator(AWAY).all():
        expect(part).to_be_hidden()
    assert page.evaluate("parseFloat(getComputedStyle(document.documentElement).fontSize)") > small
    page.keyboard.press("b")
    expect(page.locator("dialog.black")).to_be_visible()
    page.keyboard.press("PageDown")
    expect(page.locator("dialog.black")).to_be_hidden()
    follows(page, lecture="on", step="2")  # the key that closes does nothing else
    page.mouse.move(400, 300)
    page.get_by_role("button", name="Leave lecture mode").click()
    expect(page.locator(".viz-rail nav")).to_be_visible()
    follows(page, lecture=None)


def test_notes_are_read_off_stage_only_and_a_window_that_is_blocked_is_told(page: Page, server: str) -> None:
    open_at(page, f"{server}/?talk=twelve-steps&at=11")
    page.evaluate(LISTEN)
    note, notes = page.locator(".viz-bar .note"), page.get_by_role("button", name="Notes", exact=True)
    expect(note).to_contain_text("Why that one?")
    page.keyboard.press("n")
    expect(note).to_be_hidden()
    notes.press("Enter")
    expect(note).to_be_visible()
    page.keyboard.press("l")
    expect(note).to_be_hidden()
    expect(notes).to_be_hidden()  # on the wall nothing leads to the notes but their own window
    page.evaluate("window.open = () => null")
    page.keyboard.press("n")
    expect(page.get_by_text("The browser has blocked the notes window")).to_be_visible()
    page.evaluate("forget()")
    assert not told(page, "Why that one[?]|gekauft", pointing=False), "neither the note nor the answer"


CONTROLS = """<select><option>1<option>2<option>3</select><input id=list role=combobox aria-expanded=false>
  <input type=number value=5><input type=radio><input type=range><input id=line><div role=slider tabindex=0></div>"""
GIVEN = """() => {
    store.talk = { name: "n", at: 1, shown: 1, titles: ["a", "b", "c"] };
    store.bring = () => {};
    store.set({ lecture: true });
}"""


def test_whatever_has_the_focus_on_stage_a_clicker_moves_the_talk(tab: Page) -> None:
    tab.set_content(CONTROLS)
    tab.add_script_tag(content=bundled(core=CORE))
    tab.evaluate(STORE)
    tab.evaluate(GIVEN)
    for control in ("select", "#list", "[type=number]", "[type=radio]", "[type=range]", "[role=slider]", "#line"):
        for key, at in (("PageDown", 2), ("PageUp", 1)):
            tab.focus(control)
            tab.keyboard.press(key)
            assert tab.evaluate("store.talk.at") == at, control
        tab.keyboard.press("b")
        types = control in ("#line", "[type=number]")
        assert tab.evaluate("store.view.over") == ("" if types else "black"), "letters are typed in a line"
        tab.evaluate("store.set({ over: '' })")
    assert tab.locator("select").input_value() == "1"
    assert tab.locator("[type=number]").input_value() == "5"
