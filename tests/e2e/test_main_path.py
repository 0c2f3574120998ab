"""What a lecturer does, in a real browser: type a sentence, step to the end, reload, share the link, mistype an address."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.driving import Source, follows, go_to, open_at, query, settle, step_label, turn_to

pytestmark = pytest.mark.e2e
SHIFT = """() => new Promise((done) => {
  let sum = 0;
  const ours = ({ node }) => node?.nodeType === 3 || node?.closest?.(":is(.st-key-_head, .st-key-_page, .st-key-_foot)");
  new PerformanceObserver((list) => { for (const { value, sources } of list.getEntries()) if (sources.some(ours)) sum += value; })
    .observe({ type: "layout-shift", buffered: true });
  setTimeout(() => done(sum), 100);
})"""
"""How far the page's contents have moved, with the share of the window that they take; without Streamlit's own placeholder."""


def test_type_go_on_step_reload_and_go_back(anew: Source) -> None:
    page = anew.tab
    page.keyboard.press("/")
    source, box = page.get_by_role("group", name="Source"), page.get_by_role("textbox", name="Source")
    begins = box if anew.is_site else page.get_by_role("textbox", name="Type an English sentence")  # the large line
    expect(begins).to_be_focused()
    page.keyboard.press("Escape")
    source.click()
    box.fill("Where is the train station?")
    box.press("Enter")
    expect(source).to_contain_text("station")
    settle(page)
    go_to(page, "cross_attention")
    assert query(page)["text"] == "Where is the train station?"
    first, last = step_label(page)
    assert first == 1
    for expected in range(2, last + 1):
        page.keyboard.press("ArrowRight")
        expect(page.get_by_text(f"step {expected} of {last}")).to_be_visible()
    follows(page, step=str(last))
    before = query(page).get("head")  # the clearest one, of which the address says nothing where it is the first
    head = "3" if before == "2" else "2"
    page.keyboard.press(head)
    follows(page, head=head)
    page.reload()
    settle(page)
    assert step_label(page) == (last, last)
    expect(source).to_contain_text("station")
    expect(page.get_by_text(f"head {head}").first).to_be_visible()
    go_to(page, "tokens")
    for expected_head in (head, before):
        page.go_back()
        page.wait_for_url(re.compile("/cross_attention"))
        follows(page, step=str(last), head=expected_head)
    assert step_label(page)[0] == last


def test_a_sentence_is_typed_where_it_stands_and_nothing_typed_is_lost(source: Source) -> None:
    kept = source.turn("output?text=I+love+you.&step=2&head=2")
    box, line = kept.get_by_role("textbox", name="Source"), kept.get_by_role("group", name="Source")
    kept.keyboard.press("/")
    expect(box).to_be_focused()
    expect(box).to_have_value("I love you.")
    kept.keyboard.press("Escape")
    expect(box).to_be_hidden()
    kept.keyboard.press("/")
    kept.keyboard.type("Where is the cat?")
    kept.mouse.click(700, 400)  # on a bar, which it does not press
    follows(kept, text="Where is the cat?", head="2")
    assert "cell" not in query(kept)
    expect(line).to_contain_text("cat")
    assert step_label(kept)[0] == 1
    line.click()
    kept.get_by_role("button", name="I love you.").click()
    follows(kept, text="I love you.")
    kept.get_by_role("button", name="your own").click()
    expect(kept.get_by_role("textbox", name="Target")).to_have_value("Ich liebe dich.")  # the model's, to change a word of it
    kept.keyboard.type("Ich mag dich.")
    kept.keyboard.press("Enter")
    follows(kept, target="Ich mag dich.")
    if not source.is_site:  # which has but one
        kept.get_by_role("combobox", name="Model").select_option("en-de-small")
        follows(kept, model="en-de-small", target="Ich mag dich.")
    kept.get_by_role("button", name="the model's own").click()
    follows(kept, target=None)
    if source.is_site:  # which shows its own sentence instead of none
        return
    kept.keyboard.press("/")
    kept.keyboard.press("Backspace")
    kept.keyboard.press("Enter")
    expect(kept.get_by_role("heading", name="Type a sentence")).to_be_visible()
    go_to(kept, "positions")
    expect(box).to_be_focused()
    kept.keyboard.type("I love you.")
    kept.keyboard.press("Enter")
    follows(kept, text="I love you.")


def test_operations_cells_and_code_of_a_step_are_a_click_away(source: Source) -> None:
    kept = source.turn("cross_attention?text=I+love+you.&stage=scores")
    inside = kept.get_by_role("toolbar", name="Inside a step")
    inside.get_by_role("button", name="÷ √dₖ").click()
    follows(kept, stage="scaled")
    inside.get_by_role("button", name="Next operation").click()
    expect(inside.get_by_role("button", name="softmax")).to_have_attribute("aria-pressed", "true")
    kept.get_by_role("combobox", name="Key", exact=True).select_option(index=4)
    follows(kept, stage=None, cell="1-5")
    expect(kept.get_by_text("of its attention to «⟨/s⟩»: e to the power of its score")).to_be_visible()

    if source.is_site:  # which has no code of a page
        return
    drawer, figure = kept.locator(".st-key-_code"), kept.locator(".viz-attention-view")
    before = figure.bounding_box()
    kept.keyboard.press("c")
    expect(drawer.locator(".highlighted").first).to_contain_text("softmax")
    settle(kept)
    beside, right = figure.bounding_box(), drawer.bounding_box()
    assert before and beside and right
    assert beside["x"] + beside["width"] <= right["x"] < before["x"] + before["width"]
    kept.keyboard.press("Escape")
    expect(drawer.locator(".highlighted")).to_have_count(0)


def test_what_one_takes_along_opens_alone_and_steps(kept: Page, server: str, tab: Page, tmp_path: Path) -> None:
    turn_to(kept, f"{server}/cross_attention?text=I+love+you.%3C%2Fscript%3E")
    kept.get_by_role("button", name=re.compile("Downloads")).click()
    with kept.expect_download() as downloading:
        kept.get_by_role("button", name=re.compile("HTML")).click()
    kept.keyboard.press("Escape")
    downloading.value.save_as(tmp_path / "view.html")
    tab.goto((tmp_path / "view.html").as_uri())
    expect(tab.get_by_text(re.compile("step 1 of"))).to_be_visible()
    tab.keyboard.press("ArrowRight")
    expect(tab.get_by_text(re.compile("step 2 of"))).to_be_visible()
    expect(tab.locator(".viz-attention-view canvas").first).to_be_visible()


@pytest.mark.parametrize(
    ("path", "said", "near"),
    [
        ("attention", "“attention”", ["Self-attention", "Cross attention", "Masked attention"]),
        ("static/%3Cb%3Ex", "“static/<b>x”", []),
    ],
)
def test_it_is_never_blank_and_keeps_what_the_link_asks_for(page: Page, server: str, path: str, said: str, near: list[str]) -> None:
    page.goto(f"{server}/{path}?text=A+dog+sleeps.&step=3&head=2")
    expect(page.get_by_role("alert")).to_contain_text(f"There is no page {said}; this is the overview.")
    settle(page)
    expect(page.get_by_text("step 3 of")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert query(page) == {"text": "A dog sleeps.", "step": "3", "head": "2"}
    links = page.locator(".st-key-_said").get_by_role("link")
    assert [text.split("\n")[-1] for text in links.all_inner_texts()] == [*near, "Overview"], "after the name of the icon"
    if near:
        links.first.click()
        expect(page.get_by_role("heading", name=near[0], level=1)).to_be_visible()
        settle(page)
        assert query(page)["step"] == "3"


def test_a_script_that_goes_to_no_page_is_told_on_the_overview(kept: Page, server: str) -> None:
    turn_to(kept, f"{server}/atention?step=2")
    expect(kept.get_by_text("There is no page “atention”; this is the overview.").first).to_be_visible()
    kept.locator(".st-key-_said a", has_text="Overview").click()
    expect(kept.get_by_text("There is no page “atention”")).to_have_count(0)


def test_nothing_moves_while_a_page_comes(anew: Source) -> None:
    open_at(anew.tab, anew.at("output"))
    assert anew.tab.evaluate(SHIFT) < 0.1
