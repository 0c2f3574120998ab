"""Heads: a step, another layer or head, and a picked cell are drawn by the browser alone; a button learns where the browser is."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.e2e.bare import FRAME
from tests.e2e.driving import Frames, follows, query, settle, turn_to
from viz_core.app.markup import number
from viz_core.checkpoint import Checkpoint
from viz_core.explain import explain

pytestmark = pytest.mark.e2e
TEXT = "text=The+otter+paints+the+map.&layer=1&head=1"
MAP = """() => {
  const { view, given: { plot } } = globalThis[Symbol.for("viz_core.store")];
  const { row, column } = plot.cell(view);
  return { cell: [row, column], z: plot.maps.map(({ numbers }) => [...plot.at(numbers, view).data]) };
}"""
"""What is drawn, and which cell has a frame."""
FIGURE = ".viz-token-maps"


def pick(page: Page, row: int, column: int) -> None:
    """By the arrow keys of the figure; afterwards the keys are the page's again."""
    at = page.evaluate(MAP)["cell"]
    page.keyboard.press("Tab")  # after a click the keys are the page's
    page.locator(f"{FIGURE} canvas").focus()
    for by, (forth, back) in ((row - at[0], ("ArrowDown", "ArrowUp")), (column - at[1], ("ArrowRight", "ArrowLeft"))):
        for _ in range(abs(by)):
            page.keyboard.press(forth if by > 0 else back)
    page.locator("h1").click()


@pytest.fixture
def page(kept: Page) -> Page:
    """The tab that is kept: an address says all that is changed here."""
    return kept


def test_a_picked_cell_is_kept_where_it_was_picked_and_asks_for_nothing(
    page: Page, server: str, shipped: Checkpoint, frames: Frames
) -> None:
    """In another layer, too; at another step there is none, and the address has none; back at that step it is there again."""
    to, of = frames
    trace = explain(shipped, "The otter paints the map.").trace
    turn_to(page, f"{server}/heads?{TEXT}&show=norm_weighted")
    expect(page.locator(f"{FIGURE} [role=slider]")).to_be_visible()
    settle(page)
    to.clear()
    of.clear()
    for key in ("ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
    pick(page, 4, 5)
    follows(page, cell="5-6", step="3")
    page.keyboard.press("ArrowDown")
    follows(page, cell="5-6", layer="2")
    assert page.evaluate(MAP)["cell"] == [4, 5]
    weight = number(float(trace.attention("cross", 1).weights[0, 4, 5]))
    expect(page.locator(".st-key-_below annotation", has_text="lVert").first).to_contain_text(rf"= {weight} \cdot ")
    page.keyboard.press("ArrowRight")
    follows(page, step="4")
    assert "cell" not in query(page) and page.evaluate(MAP)["cell"][0] == 3
    page.keyboard.press("ArrowLeft")
    follows(page, step="3", cell="5-6")
    assert page.evaluate(MAP)["cell"] == [4, 5]
    pick(page, 4, 4)
    follows(page, cell="5-5")
    assert (to, of) == ([], [])


def test_the_head_view_of_bertviz_follows_the_layer_without_being_loaded_anew(
    page: Page,
    server: str,
    shipped: Checkpoint,
    frames: Frames,
) -> None:
    to, of = frames
    weights = explain(shipped, "The otter paints the map.").trace.attention("cross", 2).weights
    turn_to(page, f"{server}/heads?{TEXT.replace('layer=1', 'layer=2')}&show=head_view")
    inside = page.frame_locator("iframe[srcdoc]")
    expect(inside.locator("#layer")).to_have_value("2")
    third = inside.locator("#vis svg > g:last-child > rect").nth(2)
    third.click()
    inside.locator("html").evaluate("html => { html.dataset.same = 'yes'; }")
    settle(page)
    to.clear()
    of.clear()
    page.locator("h1").click()  # out of the frame, whose keys are its own
    page.keyboard.press("ArrowDown")
    page.evaluate(FRAME)
    assert inside.locator("#layer").input_value() == "3"
    assert inside.locator("html").get_attribute("data-same") == "yes"
    drawn = inside.locator(".headAttention[head-index='4'] line[left-token-index='1']")
    opacities = [float(line.get_attribute("stroke-opacity") or 0) for line in drawn.all()]
    assert max(opacities) == pytest.approx(float(weights[4, 1].max()) / 7**0.5, abs=0.001)  # of the seven that are on
    inside.locator("#layer").select_option("4")
    settle(page)
    assert (to, of) == ([], [])
    assert query(page)["layer"] == "4"
    expect(third).to_have_attribute("fill", re.compile("rgba"))  # still hidden


def test_the_frame_follows_a_page_whose_parts_come_later(fresh: Page, server: str) -> None:
    waiting: list[Route] | None = []

    def hold(route: Route) -> None:
        if waiting is None:
            route.continue_()
        else:
            waiting.append(route)

    fresh.route("**/parts/*.js*", hold)
    fresh.goto(f"{server}/heads?{TEXT.replace('layer=1', 'layer=3')}&show=head_view")
    layer = fresh.frame_locator("iframe[srcdoc]").locator("#layer")
    expect(layer).to_have_value("1")
    held, waiting = waiting, None
    for route in held or ():
        route.continue_()
    expect(layer).to_have_value("3")


def test_the_example_is_that_of_the_head_that_the_browser_shows(page: Page, server: str) -> None:
    turn_to(page, f"{server}/heads?{TEXT}")
    example = page.locator(".st-key-_below .example")
    example.scroll_into_view_if_needed()
    for key in ("ArrowDown", "ArrowDown", "]", "]"):
        page.keyboard.press(key)
    page.evaluate(FRAME)
    sentence = example.inner_text().split("“")[1].split("”")[0]
    page.locator("[data-key=evidence]").click()
    page.wait_for_url("**/cross_attention?*")
    settle(page)
    follows(page, layer="3", head="3")
    assert query(page)["text"] == sentence and "cell" in query(page)
