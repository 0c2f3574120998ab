"""The pages' own controls, in the address and back; Try this, which sets them; and the training of a model under two keys."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.driving import follows, query, settle, turn_to
from viz_core.checkpoint import load
from viz_core.explain import explain
from viz_core.figures.base import percent
from viz_core.texts import texts
from viz_core.training import snapshots

pytestmark = pytest.mark.e2e
TEXT = "text=The+otter+paints+the+map."


def control(page: Page, name: str) -> Locator:
    return page.locator(f".st-key-_part_control_{name}")


def test_what_is_picked_stands_in_the_address_and_waits_until_its_page_is_shown_again(kept: Page, server: str) -> None:
    turn_to(kept, f"{server}/decoding?size=6&step=2&{TEXT}")
    kept.get_by_role("radio", name="sampling").click()
    kept.get_by_role("combobox", name="Model").select_option("en-de-small")  # before there is an answer
    follows(kept, case="sampling", size=None, model="en-de-small")
    temperature = control(kept, "temp").get_by_role("slider")
    temperature.focus()
    for _ in range(3):  # faster than the server answers
        kept.keyboard.press("ArrowRight")
    follows(kept, temp="1.3")
    expect(temperature).to_have_value("1.3")
    kept.get_by_role("link", name="Tokens").first.click()
    follows(kept, case=None, temp=None)
    kept.get_by_role("link", name=re.compile("chooses")).first.click()
    follows(kept, case="sampling", temp="1.3")
    kept.get_by_role("radio", name="beam search").click()
    follows(kept, case=None, size="6", temp=None)
    kept.get_by_role("radio", name="sampling").click()
    follows(kept, case="sampling", temp="1.3")
    kept.get_by_role("button", name="More").click()
    seed = control(kept, "seed").get_by_role("spinbutton")
    for typed in ("77777777", ""):
        seed.fill(typed)
        kept.keyboard.press("Enter")
        follows(kept, seed="999999")  # the most there is
        expect(seed).to_have_value("999999")
    kept.go_back()
    follows(kept, seed=None, temp="1.3")
    expect(seed).to_have_value("0")


def test_a_line_takes_any_text_and_a_list_several_entries(kept: Page, server: str) -> None:
    turn_to(kept, f"{server}/compare?{TEXT}")
    kept.get_by_role("textbox", name="The other sentence").fill(" I <b>love</b> </script> 🐈 ")
    kept.keyboard.press("Enter")
    follows(kept, second="I <b>love</b> </script> 🐈")
    turn_to(kept, f"{server}/positions?dims=1-9&{TEXT}")
    dims = control(kept, "dims")
    dims.get_by_role("combobox").select_option("5")
    follows(kept, dims="1-5-9")
    for name in ("Remove 1", "Remove 5"):
        dims.get_by_role("button", name=name).click()
    follows(kept, dims="9")
    expect(dims.get_by_role("button")).to_be_disabled()  # one is always drawn


FIRST, SECOND = texts("self_attention")["try"][:2]
ONE_LINE = 40
"""Pixels by which the line may push the figure."""


def test_an_entry_sets_the_view_asks_and_answers(kept: Page, server: str) -> None:
    turn_to(kept, f"{server}/self_attention?text=I+love+you.")
    kept.get_by_role("button", name=FIRST["label"]).click()
    follows(kept, layer=str(FIRST["set"]["layer"]))
    kept.wait_for_function("document.querySelector('[data-testid=stMain]').scrollTop < 50")
    line = kept.locator(".st-key-_tried")
    expect(line).to_contain_text(FIRST["look"])
    box = line.bounding_box()
    assert box and box["height"] <= ONE_LINE
    expect(line.get_by_text(FIRST["answer"])).to_be_hidden()
    line.locator("summary").press("Enter")
    expect(line.get_by_text(FIRST["answer"])).to_be_visible()

    kept.locator("[data-key=try_self_attention_1]").click()
    expect(line).to_contain_text(SECOND["look"])
    expect(line.get_by_text(SECOND["answer"])).to_be_hidden()
    settle(kept)
    kept.evaluate("document.activeElement.blur()")
    for shown in (False, True):
        kept.keyboard.press("l")
        expect(line).to_be_visible(visible=shown)
    kept.get_by_role("button", name="Predict").click()
    expect(line).to_be_hidden()
    kept.get_by_role("button", name="Predict").click()
    line.get_by_role("button", name=texts("app.frame.try")["close"]).press("Enter")
    expect(line).to_have_count(0)


FOLDER = Path(__file__).parents[2] / "checkpoints" / "en-de-tiny"
LOVE = "I love you."


def strongest(step: int | None) -> str:
    """How the stage reads out the strongest weight of the first row in cross attention, layer 1, head 1."""
    trained = load(FOLDER)
    right = explain(trained, LOVE)
    ex = right if step is None else explain(snapshots.load_at(FOLDER, trained, step), LOVE, right.text)
    return percent(float(ex.trace.attention("cross", 0).weights[0, 0].max()))


def test_plus_and_minus_go_through_the_training(kept: Page, server: str) -> None:
    turn_to(kept, f"{server}/cross_attention?model=en-de-tiny&text=I+love+you.&snapshot=300&lecture=on")
    banner, reading = kept.locator(".st-key-_snapshot"), kept.locator(".viz-attention-view")
    expect(banner).to_contain_text("After 300 of")
    kept.keyboard.press("-")
    expect(banner).to_contain_text("After 100 of")
    expect(reading).to_contain_text(strongest(100))
    follows(kept, snapshot="100")
    for _ in range(8):
        kept.keyboard.press("+")
    expect(banner).to_have_count(0)
    expect(reading).to_contain_text(strongest(None))
    assert "snapshot" not in query(kept)
