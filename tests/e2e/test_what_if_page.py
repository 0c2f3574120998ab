"""The page "What if" in a real browser: what one switches is shown at once, done in Python, kept in the link, and never lost."""

import json

import pytest
from playwright.sync_api import Locator, Page, expect

from pages.what_if.switchboard import board, plain
from tests.e2e import bare
from tests.e2e.bare import bundled, frame
from tests.e2e.driving import Source, follows, go_to, settle, step_label
from tests.edit_examples import EXAMPLES
from viz_core import explain
from viz_core.app.view_options import View
from viz_core.checkpoint import Checkpoint
from viz_core.edits import Edits, Head
from viz_core.explain import Explanation

pytestmark = pytest.mark.e2e
TEXT = "The nurse gave the boy two green apples."
ADDRESS = "what_if?text=The+nurse+gave+the+boy+two+green+apples."
HEAD = "Remove head 4 of layer 1 in cross attention"
EDITS = Edits(heads={Head("cross", 0, 3)})
HOSTILE = "<img src=x onerror=document.title='owned'></script>"


def writes(page: Page, *both: Explanation) -> None:
    """Waits until these stand on the left and on the right."""
    for side, explanation in enumerate(both):
        chips = page.locator(".viz-comparison .side").nth(side).locator(".token")
        expect(chips).to_have_text([token.text for token in explanation.output])


def highlighted(page: Page) -> list[int]:
    """Which token is highlighted: on the left, on the right, and among the steps below."""
    places = (".side:nth-child(1) .token", ".side:nth-child(2) .token", ".columns button")
    found: list[int] = [
        page.locator(f".viz-comparison {place}").evaluate_all("all => all.findIndex((one) => one.classList.contains('now'))")
        for place in places
    ]
    return found


def switch(page: Page, name: str) -> Locator:
    return page.locator(".viz-switchboard").get_by_role("button", name=name, exact=True)


def test_a_head_taken_out_changes_the_translation_as_explain_says(source: Source, shipped: Checkpoint) -> None:
    before, after = explain(shipped, TEXT), explain(shipped, TEXT, edits=EDITS)
    assert before.text != after.text
    kept = source.turn(ADDRESS)
    writes(kept, before, before)
    switch(kept, HEAD).click()
    expect(switch(kept, HEAD)).to_have_attribute("aria-pressed", "true")
    expect(kept.locator(".viz-comparison .side").nth(1)).to_contain_text("Without head 4 of layer 1 in cross attention")
    writes(kept, before, after)
    expect(kept.locator(".viz-comparison .changed")).to_have_text(["grün", "e"])
    follows(kept, edits="heads.cross.1.4")
    kept.keyboard.press("ArrowRight")
    frame(kept)
    assert highlighted(kept) == [1] * 3, "both sides step"
    kept.locator(".viz-comparison .columns button").nth(6).click()
    expect(kept.locator(".viz-player .label")).to_contain_text("step 7 of")
    follows(kept, step="7")
    switch(kept, HEAD).click()
    expect(kept.locator(".viz-comparison .side").nth(1)).not_to_contain_text("Without head 4")
    follows(kept, edits=None)
    kept.go_back()
    expect(switch(kept, HEAD)).to_have_attribute("aria-pressed", "true")


def test_an_edit_goes_into_the_other_pages_and_out(source: Source) -> None:
    kept = source.turn(f"{ADDRESS}&edits=heads.cross.1.4")
    kept.get_by_role("button", name="Use the edited model on all pages").click()
    follows(kept, everywhere="on")
    go_to(kept, "cross_attention")
    expect(kept.get_by_text("Edited model:")).to_be_visible()
    expect(kept.locator(".viz-top-bar")).not_to_contain_text("grüne")
    go_to(kept, "what_if")
    kept.get_by_role("button", name="Use the trained model on the other pages").click()
    settle(kept)
    go_to(kept, "cross_attention")
    expect(kept.get_by_text("Edited model:")).to_have_count(0)
    expect(kept.locator(".viz-top-bar")).to_contain_text("grüne")


def test_what_is_typed_is_told_and_stays_text(source: Source) -> None:
    kept = source.turn(f"{ADDRESS}&step=2")
    field = kept.get_by_label("A token to write at this step")
    if not field.is_visible():
        kept.get_by_role("button", name="Show or hide the other edits").click()
    field.fill(HOSTILE)
    kept.keyboard.press("Enter")
    if not source.is_site:  # which does not tell what the right side has replaced
        expect(kept.get_by_text("is not a token of this model's vocabulary")).to_be_visible()
    kept.get_by_label("The word of the sentence to replace").select_option(label="2 nurse")
    kept.get_by_label("Its replacement").fill(HOSTILE)
    kept.keyboard.press("Enter")
    expect(kept.locator(".viz-switchboard .entry")).to_have_count(2)
    follows(kept, edits=f"force.2.{HOSTILE}~swap.2.{HOSTILE}")
    assert kept.locator("img[src=x]").count() == 0
    assert kept.title() != "owned"
    kept.locator(".viz-switchboard .entry").first.click()
    follows(kept, edits=f"swap.2.{HOSTILE}")
    kept.get_by_role("button", name="Reset all").click()
    expect(kept.locator(".viz-switchboard .entry")).to_have_count(0)


def test_arrows_move_inside_the_drawing_and_not_the_step(source: Source) -> None:
    kept = source.turn(f"{ADDRESS}&step=3")
    kept.locator(".viz-switchboard .cell[tabindex='0']").first.focus()
    for key in ("ArrowDown", "ArrowRight", "ArrowRight", "ArrowRight", "Enter"):
        kept.keyboard.press(key)
    name = "Remove head 2 of layer 2 in the encoder’s self-attention"
    expect(switch(kept, name)).to_have_attribute("aria-pressed", "true")
    follows(kept, edits="heads.self.2.2")
    assert step_label(kept)[0] == 3


@pytest.fixture
def view(shipped: Checkpoint) -> View:
    explanation = explain(shipped, TEXT)
    return View(lambda: shipped, lambda: explanation, step=0, layer=0, head=0)


def mount_board(tab: Page, view: View) -> None:
    """The switchboard on a page of its own; what it asks for goes to `asked`, and is never answered."""
    data = json.dumps(board(view, Edits()), default=list)
    tab.set_content("<div id=root class=viz-switchboard></div>")
    tab.add_script_tag(content=bundled("switchboard", core=bare.CORE, code="viz:inner/switchboard"))
    tab.evaluate(
        """(data) => {
            window.asked = [];
            window.data = data;
            window.store = core.makeStore();
            const root = document.querySelector("#root");
            store.ask = ({ edits }) => asked.push(edits);
            store.pending = () => asked.at(-1) ?? null;
            window.part = code.mountSwitchboard(root, data, store);
        }""",
        json.loads(data),
    )


def test_every_edit_says_the_link_that_means_it(tab: Page, view: View) -> None:
    mount_board(tab, view)
    heads = {Head(kind, layer, head) for kind in ("self", "masked", "cross") for layer in range(4) for head in range(8)}  # type: ignore[arg-type]
    swap, force = {0: "~a~~.b~", 4: "2"}, {2: "."}
    whole = Edits(layers=EXAMPLES["layers"].layers, heads=heads, only=heads - {Head("cross", 1, 5)}, swap=swap, force=force)
    for edits in (*EXAMPLES.values(), whole, Edits()):
        link = tab.evaluate("(state) => code.linkOf(code.readState(state))", json.loads(json.dumps(plain(edits))))
        assert Edits.from_link(link) == (edits, [])
        assert link.count("~") <= 2 * edits.link().count("~") + 2  # as short as Python's, or nearly so


def test_what_is_asked_for_is_shown_until_it_is_answered_and_one_head_may_be_left(tab: Page, view: View) -> None:
    mount_board(tab, view)
    tab.get_by_role("button", name=HEAD, exact=True).click()
    tab.get_by_role("button", name="Show or hide the other edits").click()
    tab.get_by_role("button", name="Without LayerNorm").click()
    assert tab.evaluate("asked") == ["heads.cross.1.4", "heads.cross.1.4~no_layer_norm"]
    answer = {"state": json.loads(json.dumps(plain(EDITS)))}
    tab.evaluate("(answer) => part.update({ ...data, ...answer })", answer)
    expect(tab.get_by_role("button", name="Without LayerNorm")).to_have_attribute("aria-pressed", "true")
    tab.evaluate("(answer) => { store.pending = () => null; part.update({ ...data, ...answer }); }", answer)
    expect(tab.get_by_role("button", name="Without LayerNorm")).to_have_attribute("aria-pressed", "false")

    tab.evaluate("part.update(data)")
    tab.get_by_role("button", name="Keep only one head").click()
    for head, link in ((2, "only.cross.3.2"), (5, "only.cross.3.5"), (5, "")):
        tab.get_by_role("button", name=f"Only head {head} of layer 3 in cross attention").click()
        assert tab.evaluate("asked.at(-1)") == link
        assert tab.locator(".cell.head.gone").count() == (7 if link else 0)
