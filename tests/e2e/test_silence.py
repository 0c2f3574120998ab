"""What the browser can do costs the server nothing: no message, no run; and Python learns of it with the next message.

That a step, a layer and a head ask for nothing in any view: test_every_page.py.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from pages.decoding.copying_compute import decode_with_copying
from tests.e2e.bare import FRAME, frame
from tests.e2e.driving import TURN, Frames, Source, follows, go_to, query, settle, turn_to
from tests.serving.started import ROOT
from viz_core.app.markup import number
from viz_core.checkpoint import Checkpoint
from viz_core.decoding.copying import read
from viz_core.explain import explain

pytestmark = pytest.mark.e2e

Move = Callable[[Page], None]
TEXT, LONG = "text=The+otter+paints+the+map.", "text=" + "+".join(["The+very+old+house+is+big."] * 2)


@pytest.fixture
def heard(source: Source, frames: Frames) -> Iterator[Sequence[list[Any]]]:
    """What goes over the app's websocket, or the requests of the site, but for fonts."""
    asked: list[str] = []
    source.tab.on("request", hear := lambda request: asked.extend([request.url] * (request.resource_type != "font")))
    yield [asked] if source.is_site else frames
    source.tab.remove_listener("request", hear)


@contextmanager
def silence(page: Page, frames: Sequence[list[Any]]) -> Iterator[None]:
    """What is done meanwhile asks the server for nothing, and gets nothing."""
    settle(page)
    for heard in frames:
        heard.clear()
    yield
    settle(page)
    assert not any(frames)


def press(*keys: str) -> Move:
    def pressed(page: Page) -> None:
        for key in keys:
            page.keyboard.press(key)

    return pressed


def open_masked(page: Page) -> None:
    frame(page)
    page.locator(".opens[data-opens=masked]").press("Enter")
    expect(page.locator(".lens-picture")).to_be_visible()
    settle(page)


def pick_key(page: Page) -> None:
    page.get_by_role("combobox", name="Key", exact=True).select_option(index=3)


def click(place: str, at: int) -> Move:
    return lambda page: page.locator(place).nth(at).click()


def click_figure(x: float, y: float, picks: str) -> Move:
    """There, in parts of the figure; it picks what the address then names."""

    def clicked(page: Page) -> None:
        canvas = page.locator(".viz-part canvas").first
        canvas.scroll_into_view_if_needed()
        box = canvas.bounding_box()
        assert box
        page.mouse.click(box["x"] + x * box["width"], box["y"] + y * box["height"])
        page.wait_for_function("name => new URLSearchParams(location.search).has(name)", arg=picks)

    return clicked


def press_on(figure: str, *keys: str) -> Move:
    """Of a figure, whose keys are its own."""

    def pressed(page: Page) -> None:
        for key in keys:
            page.locator(figure).press(key)

    return pressed


HEAD = "layer=1&head=1"
AT_TWO = {"layer": "2", "head": "2"}
TARGET = ".viz-top-bar .line.target .token"
MOVES: dict[str, tuple[list[Move | str], dict[str, str]]] = {
    f"?{HEAD}": ([press("ArrowRight", "ArrowDown", "]"), open_masked, press("PageDown", "Escape")], {"step": "2", **AT_TWO}),
    f"cross_attention?{HEAD}&stage=scores": (
        [
            "ArrowRight", press("ArrowDown", "]"), pick_key, lambda page: page.get_by_role("button", name="÷ √dₖ").click(),
            lambda page: page.get_by_role("button", name="Predict").click(),
        ],
        {"step": "2", **AT_TWO, "cell": "2-4", "stage": "scaled", "predict": "source"},
    ),
    "tokens?token=1": (["ArrowRight", click(".viz-spelling .id", 2)], {"token": "3"}),
    "positions": (["ArrowRight"], {"token": "3"}),
    f"qkv?{HEAD}": (
        ["]", "ArrowRight", press_on(".viz-qkv canvas", "ArrowRight"), click(TARGET, 3)],
        {"head": "2", "token": "3", "dim": "2", "step": "3"},
    ),
    f"residual?show=norm&{HEAD}": (["ArrowRight", "ArrowDown", click_figure(0.5, 0.3, "dim")], {"token": "3", "layer": "2"}),
    f"residual?show=ffn&{HEAD}": (["ArrowRight", "ArrowDown", click_figure(0.65, 0.42, "cell")], {"token": "3", "layer": "2"}),
    "output": (["ArrowRight", lambda page: page.get_by_role("slider", name="Temperature").press("ArrowRight")], {"step": "2"}),
    "decoding?case=beam": (
        ["ArrowRight", "ArrowRight", click(".viz-beam-tree .candidates button", 1)], {"step": "3", "cell": "3-2"}
    ),
    f"why?{HEAD}&show=alignment": (
        [press_on(".viz-agreement canvas", "ArrowDown", "ArrowRight"), press_on(".viz-alignment canvas", "ArrowDown")], AT_TWO
    ),
}  # fmt: skip
"""View → what is done there, and what the address says in the end. A key that stands by itself changes what is said at once."""
SAID = ".st-key-_below, .at-below, .viz-beam-tree .tables"
"""Words below a figure."""
NEXT = {f"?{HEAD}", f"cross_attention?{HEAD}&stage=scores", "positions", f"residual?show=ffn&{HEAD}"}
"""Views in which another sentence comes while keys are pressed: one for each kind of data."""


@pytest.mark.parametrize("address", MOVES)
def test_what_one_does_is_seen_at_once_and_asks_for_nothing(source: Source, heard: Sequence[list[Any]], address: str) -> None:
    moves, parameters = MOVES[address]
    kept = source.turn(f"{address}{'&' if '?' in address else '?'}{TEXT}")
    if any(isinstance(move, str) for move in moves):
        expect(kept.locator(SAID).locator("h2").or_(kept.locator(".viz-beam-tree .tables")).first).to_be_attached()
        kept.locator(SAID).first.scroll_into_view_if_needed()  # else it is written later
    with silence(kept, heard):
        for move in moves:
            if callable(move):
                move(kept)
                continue
            was = kept.locator(SAID).all_inner_texts()
            kept.keyboard.press(move)
            kept.evaluate(FRAME)
            assert kept.locator(SAID).all_inner_texts() != was, move
    assert parameters.items() <= {"layer": "1", "head": "1", **query(kept)}.items()
    if address in NEXT:
        change_the_sentence(source, address)


def change_the_sentence(source: Source, view: str) -> None:
    """The new one is longer, and the step that the link asks for is one that the last one lacks; `page` hears what is thrown."""
    page, held = source.tab, list[Route]()
    page.route("**/data/**", lambda route: held.extend([route]))
    page.evaluate(TURN, source.at(f"{view}{'&' if '?' in view else '?'}{LONG}&step=11&token=12"))
    if not source.is_site:  # which has perhaps computed it by now
        page.wait_for_function("document.documentElement.hasAttribute('data-busy')")
    page.wait_for_function("() => globalThis[Symbol.for('viz_core.store')].view.step === 10")
    for key in ("ArrowRight", "ArrowDown", "]", "ArrowLeft"):
        page.keyboard.press(key)
        frame(page)
    assert held or source.is_site  # which computes it
    for route in held:
        route.continue_()
    page.unroute("**/data/**")
    settle(page)


def test_what_was_done_is_said_before_what_is_asked(kept: Page, server: str, frames: Frames) -> None:
    to, _ = frames
    turn_to(kept, f"{server}/cross_attention?{TEXT}")
    press("ArrowRight", "ArrowRight", "ArrowDown", "]")(kept)
    to.clear()
    go_to(kept, "residual")
    assert len(to) == 1
    follows(kept, step="3", layer="2", head="2")
    go_to(kept, "output")
    kept.keyboard.press("ArrowRight")
    to.clear()
    kept.locator("[data-key=ask_why]").click()  # a control of Streamlit's that leads to another page
    kept.wait_for_url("**/why?*")
    settle(kept)
    follows(kept, step="4", layer="2", head="2")
    kept.go_back()
    kept.wait_for_url("**/output?*")
    settle(kept)
    follows(kept, step="4")


def test_what_one_downloads_is_what_is_shown(kept: Page, server: str) -> None:
    turn_to(kept, f"{server}/output?{TEXT}")
    kept.get_by_role("button", name="Downloads").click()
    settle(kept)
    kept.keyboard.press("Escape")
    kept.keyboard.press("ArrowRight")
    kept.evaluate("globalThis[Symbol.for('viz_core.store')].set({ temperature: 2 })")
    settle(kept)
    kept.get_by_role("button", name="Downloads").click()
    with kept.expect_download() as got:
        kept.locator(".st-key-_download_csv button").click()
    assert got.value.suggested_filename.startswith("output-step2-")
    assert got.value.path().read_text("utf-8-sig").splitlines()[0].endswith("probability,probability_at_T_2")


CELL = """() => {
  const { view, given: { norms } } = globalThis[Symbol.for("viz_core.store")];
  const { row, column } = norms.cell(view);
  return [row, column];
}"""
"""Which cell has a frame."""
FIGURE = ".viz-norm-weighted-maps"


def pick(page: Page, row: int, column: int) -> None:
    """By the arrow keys of the figure; afterwards the keys are the page's again."""
    at = page.evaluate(CELL)
    page.keyboard.press("Tab")  # after a click the keys are the page's
    page.locator(f"{FIGURE} canvas").focus()
    for by, (forth, back) in ((row - at[0], ("ArrowDown", "ArrowUp")), (column - at[1], ("ArrowRight", "ArrowLeft"))):
        for _ in range(abs(by)):
            page.keyboard.press(forth if by > 0 else back)
    page.locator("h1").click()


def test_a_picked_cell_is_kept_where_it_was_picked(kept: Page, server: str, shipped: Checkpoint, frames: Frames) -> None:
    """In another layer, too; at another step there is none, and the address has none; back at that step it is there again."""
    weight = number(float(explain(shipped, "The otter paints the map.").trace.attention("cross", 1).weights[0, 4, 5]))
    turn_to(kept, f"{server}/heads?{TEXT}&{HEAD}&show=norm_weighted")
    expect(kept.locator(f"{FIGURE} [role=slider]")).to_be_visible()
    with silence(kept, frames):
        press("ArrowRight", "ArrowRight")(kept)
        pick(kept, 4, 5)
        follows(kept, cell="5-6", step="3")
        kept.keyboard.press("ArrowDown")
        follows(kept, cell="5-6", layer="2")
        assert kept.evaluate(CELL) == [4, 5]
        expect(kept.locator(".st-key-_below annotation", has_text="lVert").first).to_contain_text(rf"= {weight} \cdot ")
        kept.keyboard.press("ArrowRight")
        follows(kept, step="4", cell=None)
        assert kept.evaluate(CELL)[0] == 3
        kept.keyboard.press("ArrowLeft")
        follows(kept, step="3", cell="5-6")
        pick(kept, 4, 4)
        follows(kept, cell="5-5")


def test_the_head_view_of_bertviz_follows_the_layer_without_being_loaded_anew(kept: Page, server: str, frames: Frames) -> None:
    turn_to(kept, f"{server}/heads?{TEXT}&layer=2&show=head_view")
    inside = kept.frame_locator("iframe[srcdoc]")
    expect(inside.locator("#layer")).to_have_value("2")
    third = inside.locator("#vis svg > g:last-child > rect").nth(2)
    third.click()
    inside.locator("html").evaluate("html => { html.dataset.same = 'yes'; }")
    with silence(kept, frames):
        kept.locator("h1").click()  # out of the frame, whose keys are its own
        kept.keyboard.press("ArrowDown")
        kept.evaluate(FRAME)
        assert inside.locator("#layer").input_value() == "3"
        assert inside.locator("html").get_attribute("data-same") == "yes"
        inside.locator("#layer").select_option("4")
    assert query(kept)["layer"] == "4"
    expect(third).to_have_attribute("fill", re.compile("rgba"))  # still hidden


def test_a_click_on_a_token_behind_the_last_step_shows_it_until_the_next_step(
    kept: Page, server: str, frames: Frames, shipped: Checkpoint
) -> None:
    text, lead = "Ostavarn is a very old town.", kept.locator(".viz-part > .lead")
    pointer, explained = read(ROOT / "checkpoints" / "en-de", shipped), explain(shipped, text)
    assert pointer
    steps, tokens = len(explained.steps), len(decode_with_copying(shipped, explained, pointer).tokens)
    assert steps < tokens
    turn_to(kept, f"{server}/decoding?case=copying&text={text.replace(' ', '+')}")
    with silence(kept, frames):
        canvas = kept.locator(".viz-copied-tokens canvas")
        kept.keyboard.press("Tab")
        canvas.focus()
        press(*["ArrowDown"] * steps)(kept)
        follows(kept, cell=f"{steps + 1}-1", step=str(steps))
        expect(lead).to_contain_text(f"token {steps + 1} of {tokens}")
        expect(kept.locator(".st-key-_below")).to_contain_text(f"Token {steps + 1} of {tokens}")
        canvas.click(position={"x": 300, "y": 45})
        follows(kept, step="2", cell=None)
        kept.keyboard.press("ArrowRight")
        follows(kept, step="3")
        expect(lead).to_contain_text(f"token 3 of {tokens}")
