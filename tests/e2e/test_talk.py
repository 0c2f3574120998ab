"""A lecture in a real browser: a talk by link and clicker, predict and reveal, the stage, the link with its code."""

import re

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.e2e.bare import CORE, FRAME
from tests.e2e.bundled import bundled
from tests.e2e.driving import follows, open_at, query, settle

pytestmark = pytest.mark.e2e

AWAY = ".viz-rail nav, .st-key-_foot, .st-key-_arithmetic, .viz-player .player, .viz-top-bar :is(.edit, .model)"

SEEN = """() => {
  const text = [];
  const walk = (node) => {
    for (const child of node.childNodes) {
      if (child.nodeType === 3 && child.parentElement?.checkVisibility({ visibilityProperty: true })) text.push(child.textContent);
      if (child.nodeType !== 1 || ["STYLE", "SCRIPT"].includes(child.nodeName) || child.matches(".choices")) continue;
      walk(child);
      if (child.shadowRoot) walk(child.shadowRoot);
    }
  };
  walk(document.querySelector("[data-testid=stApp]"));
  return text.join(" ");
}"""


def title(page: Page, text: str) -> None:
    expect(page.locator("h1")).to_have_text(text)


def at(page: Page, number: int) -> None:
    """The view of the talk is there, and the address says so."""
    page.wait_for_function(f"new URLSearchParams(location.search).get('at') === '{number}' && location.search.includes('text=')")


def test_a_talk_from_its_link_to_its_end_and_back(page: Page, server: str) -> None:
    open_at(page, f"{server}/?talk=twelve-steps&at=14&lecture=on")
    title(page, "Stop 10: Add, then think alone")
    assert page.url.startswith(f"{server}/residual?")
    for expected, name in ((15, "The word takes shape"), (16, "Stop 11: The next word"), (17, "Stop 12: Again, until the end")):
        page.keyboard.press("PageDown")
        at(page, expected)
        title(page, name)
        settle(page)
        if page.evaluate("document.documentElement.dataset.predict"):
            page.keyboard.press("PageDown")
            page.wait_for_function("document.documentElement.dataset.predict === undefined")
    end = page.locator("dialog.end")
    page.keyboard.press("PageDown")
    expect(end).to_be_visible()
    expect(end).to_contain_text("The Transformer in 12 stops")
    page.keyboard.press("PageDown")
    expect(end).to_be_visible()
    page.keyboard.press("PageUp")
    expect(end).to_be_hidden()
    title(page, "Stop 12: Again, until the end")
    page.keyboard.press("PageUp")
    at(page, 16)
    page.go_back()
    at(page, 17)
    title(page, "Stop 12: Again, until the end")
    settle(page)
    page.reload()
    settle(page)
    title(page, "Stop 12: Again, until the end")
    assert page.evaluate("document.documentElement.hasAttribute('data-lecture')")


@pytest.mark.alone
def test_the_list_of_talks_closes_over_a_talk_that_begins_on_its_page(page: Page, server: str) -> None:
    open_at(page, f"{server}/")
    page.get_by_role("button", name="Talks").click()
    page.get_by_role("button", name="Start in lecture mode: The Transformer in 12 stops").click()
    follows(page, talk="twelve-steps", lecture="on")
    expect(page.get_by_test_id("stPopoverBody")).to_have_count(0)


def test_no_press_is_lost_between_two_pages(page: Page, server: str) -> None:
    open_at(page, f"{server}/?talk=twelve-steps&lecture=on&at=1")
    for key, number in (("PageDown", 4), ("PageUp", 1)):
        for _ in range(3):
            page.keyboard.press(key)
            page.wait_for_timeout(150)  # less than from one page to the next
        at(page, number)
        settle(page)


def test_a_press_counts_that_comes_before_what_the_last_one_brings(page: Page, server: str) -> None:
    """Under load the browser asks for a view that it has shown before while it has still to read what it asked for last."""
    tabs: list[WebSocketRoute] = []
    unread: list[bytes | str] = []
    reads = True

    def connect(tab: WebSocketRoute) -> None:
        tabs.append(tab)
        tab.connect_to_server().on_message(lambda message: tab.send(message) if reads else unread.append(message))

    def answered(times: int) -> bool:
        told = [ForwardMsg.FromString(message).WhichOneof("type") for message in unread if isinstance(message, bytes)]
        return told.count("script_finished") >= times

    page.route_web_socket(re.compile("/_stcore/stream"), connect)
    open_at(page, f"{server}/?talk=twelve-steps&lecture=on&at=2")
    page.keyboard.press("PageDown")
    at(page, 3)
    settle(page)
    reads = False
    for times, keys in ((1, ["PageDown"]), (2, ["PageUp", "PageUp"])):  # at the end of the first run view 2 is forgotten
        for key in keys:
            page.keyboard.press(key)
        while not answered(times):
            page.wait_for_timeout(50)
    reads = True
    for message in unread:
        tabs[0].send(message)
    at(page, 2)
    title(page, "Stop 2: Characters become tokens")


@pytest.mark.alone
def test_two_quick_presses_are_two_views(page: Page, server: str) -> None:
    open_at(page, f"{server}/?talk=twelve-steps&at=3")
    for _ in range(3):
        page.keyboard.press("PageDown")
    at(page, 6)
    title(page, "Stop 5: Queries meet keys")


@pytest.mark.alone
def test_lecture_mode_leaves_nothing_but_the_picture_at_once(page: Page, server: str) -> None:
    open_at(page, f"{server}/cross_attention?text=I+love+you.")
    small = page.evaluate("parseFloat(getComputedStyle(document.documentElement).fontSize)")
    page.keyboard.press("l")
    page.evaluate(FRAME)
    assert page.evaluate("document.documentElement.hasAttribute('data-lecture')"), "no run of the script is waited for"
    for part in page.locator(AWAY).all():
        expect(part).to_be_hidden()
    assert page.evaluate("parseFloat(getComputedStyle(document.documentElement).fontSize)") > small
    page.wait_for_function("location.search.includes('lecture=on')")
    page.keyboard.press("ArrowRight")
    page.wait_for_function("location.search.includes('step=2')")
    page.mouse.move(400, 300)
    page.get_by_role("button", name="Leave lecture mode").click()
    expect(page.locator(".viz-rail nav")).to_be_visible()
    page.wait_for_function("!location.search.includes('lecture')")
    page.keyboard.press("b")
    expect(page.locator("dialog.black")).to_be_visible()
    page.keyboard.press("x")
    expect(page.locator("dialog.black")).to_be_hidden()


@pytest.mark.alone
def test_the_code_is_of_what_is_shown_and_the_link_is_the_address(page: Page, server: str) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    open_at(page, f"{server}/cross_attention?text=I+love+you.")
    page.keyboard.press("ArrowRight")
    page.wait_for_function("location.search.includes('step=2')")
    settle(page)
    page.keyboard.press("q")
    dialog = page.locator("dialog.share")
    code = dialog.get_by_role("img", name="QR code of the link to this view")
    expect(code).to_be_visible()
    assert code.evaluate("image => image.decode().then(() => image.naturalWidth)") > 0
    box = code.bounding_box()
    assert box is not None
    assert box["width"] >= 400
    expect(dialog).to_contain_text("Only this computer can open this link")
    dialog.get_by_role("button", name="Copy the link").click()
    expect(dialog.get_by_text("Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == page.url
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    page.keyboard.press("l")
    page.keyboard.press("q")
    expect(dialog).to_be_visible()
    page.keyboard.press("PageDown")
    expect(dialog).to_be_hidden()
    assert query(page)["step"] == "2", "the key that closes does nothing else"


def test_notes_are_read_off_stage_only_and_in_a_window_that_follows(page: Page, server: str) -> None:
    open_at(page, f"{server}/?talk=twelve-steps&at=1")
    note = page.locator(".viz-bar .note")
    expect(note).to_contain_text("This is a Transformer, the whole of it")
    with page.expect_popup() as opened:
        page.get_by_role("button", name="Notes window").click()
    other = opened.value
    expect(other.locator(".message")).to_contain_text("This is a Transformer, the whole of it")
    other.keyboard.press("PageDown")
    at(page, 2)
    expect(other.locator("h1")).to_have_text("Stop 2: Characters become tokens")
    expect(other.locator(".message")).to_contain_text("bicycle")
    page.bring_to_front()
    other.close()
    page.keyboard.press("n")
    expect(note).to_be_hidden()
    page.keyboard.press("n")
    expect(note).to_be_visible()
    page.keyboard.press("l")
    expect(note).to_be_hidden()
    with page.expect_popup() as opened:
        page.keyboard.press("n")
    expect(opened.value.locator(".message")).to_contain_text("bicycle")
    expect(note).to_be_hidden()


def test_a_long_note_unfolds_and_a_hidden_one_comes_back_by_buttons_that_are_seen(page: Page, server: str) -> None:
    open_at(page, f"{server}/?talk=twelve-steps&at=1")
    note = page.locator(".viz-bar .note")
    cut = "({ scrollHeight, clientHeight }) => scrollHeight - clientHeight"
    assert note.evaluate(cut) > 1, "this one is longer than its place"
    note.focus()
    page.keyboard.press("Tab")
    unfold = page.get_by_role("button", name="More of the note")
    expect(unfold).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Less of the note")).to_have_attribute("aria-expanded", "true")
    assert note.evaluate(cut) <= 1
    page.get_by_role("button", name="Less of the note").click()
    assert note.evaluate(cut) > 1

    notes = page.get_by_role("button", name="Notes", exact=True)
    expect(notes).to_have_attribute("aria-expanded", "true")
    page.keyboard.press("n")
    expect(note).to_be_hidden()
    expect(unfold).to_be_hidden()
    notes.press("Enter")
    expect(note).to_be_visible()
    page.keyboard.press("l")
    expect(notes).to_be_hidden()  # on the wall nothing leads to the notes but their own window


@pytest.mark.parametrize("opens", ["() => null", "() => ({ closed: true })"])
def test_where_the_notes_window_is_blocked_the_wall_says_so_and_shows_nothing_of_the_notes(
    page: Page, server: str, opens: str
) -> None:
    open_at(page, f"{server}/?talk=twelve-steps&at=11&lecture=on")
    page.evaluate(f"window.open = {opens}")
    page.keyboard.press("n")
    expect(page.get_by_text("The browser has blocked the notes window")).to_be_visible()
    assert "Why that one?" not in page.evaluate(SEEN)
    assert "gekauft" not in page.evaluate(SEEN)


def test_a_talk_file_is_opened_its_errors_are_told_and_the_rest_plays(page: Page, server: str) -> None:
    open_at(page, server)
    text = 'title = "<b>Mine</b>"\n[[view]]\npage = "nowhere"\n[[view]]\npage = "tokens"\ntitle = "<i>Here</i>"\n'
    page.get_by_role("button", name="Talks").click()
    page.locator("input[type=file]").set_input_files({"name": "mine.toml", "mimeType": "application/toml", "buffer": text.encode()})
    expect(page.get_by_text(re.compile("Line 3: .*there is no page")).first).to_be_visible()
    panel = page.locator("[data-testid=stPopoverBody]")
    panel.get_by_role("button", name="Start: <b>Mine</b>").click()
    page.wait_for_url(re.compile("/tokens"))
    title(page, "<i>Here</i>")


CONTROLS = """<select><option>1<option>2<option>3</select><input id=list role=combobox aria-expanded=false>
  <input type=number value=5><input type=radio><input type=range><input id=line><div role=slider tabindex=0></div>"""
GIVEN = """() => {
    const store = core.makeStore();
    const sizes = { steps: 9, layers: 4, heads: 8, tokens: 9 };
    store.limits = { page: "x", text: "t", ...sizes, walks: "step", stages: false, question: { asked: "word" } };
    store.talk = { name: "n", at: 1, shown: 1, titles: ["a", "b", "c"] };
    store.send = store.bring = () => {};
    store.set({ lecture: true });
    core.installKeys(store);
    window.store = store;
}"""


@pytest.mark.parametrize("control", ["select", "#list", "[type=number]", "[type=radio]", "[type=range]", "[role=slider]", "#line"])
def test_whatever_has_the_focus_on_stage_a_clicker_moves_the_talk(tab: Page, control: str) -> None:
    tab.set_content(CONTROLS)
    tab.add_script_tag(content=bundled(core=CORE))
    tab.evaluate(GIVEN)
    for key, at in (("PageDown", 2), ("PageUp", 1)):
        tab.focus(control)
        tab.keyboard.press(key)
        assert tab.evaluate("store.talk.at") == at
    assert tab.locator("select").input_value() == "1"
    assert tab.locator("[type=number]").input_value() == "5"
    tab.keyboard.press("b")
    assert tab.evaluate("store.view.over") == ("" if control in ("#line", "[type=number]") else "black"), (
        "letters are typed in a line"
    )


def test_a_key_adds_the_view_and_the_browser_keeps_the_recorded_talk(page: Page, server: str) -> None:
    open_at(page, f"{server}/output?text=I+love+you.&step=2")
    page.keyboard.press("a")
    expect(page.get_by_text("View 1 added: Output")).to_be_visible()
    settle(page)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("a")
    expect(page.get_by_text("View 2 added: Output")).to_be_visible()
    settle(page)
    page.reload()  # which begins a new session
    settle(page)
    page.get_by_role("button", name="Talks").click()
    page.get_by_role("tab", name="Record a talk").click()
    expect(page.get_by_text("This browser keeps the talk.")).to_be_visible()
    page.get_by_role("button", name="Play from here").click()  # its picture is on this page, and the button at the foot of it
    expect(page.locator(".viz-bar .count")).to_have_text("view 1 of 2")
    expect(page.get_by_test_id("stPopoverBody")).to_have_count(0)
    assert page.get_by_test_id("stMain").evaluate("main => main.scrollTop") == 0
    page.keyboard.press("PageDown")
    follows(page, step="3", talk="recorded", at="2")
    page.reload()
    expect(page.locator(".viz-bar .count")).to_have_text("view 2 of 2")
