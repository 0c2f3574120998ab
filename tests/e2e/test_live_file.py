"""A file that computes, in a browser without a network: it explains a typed sentence, and the numbers are Python's."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from viz_core import explain, load
from viz_core.app.html_file import alone
from viz_core.app.live import live
from viz_core.app.talk_file.record import load as load_talk
from viz_core.app.talk_file.record import recorded
from viz_core.figures.base import percent

pytestmark = pytest.mark.e2e

MODEL = "en-de-tiny"
RECORDED, TYPED = "The cat is sleeping on the sofa.", "My brother bought a new bicycle yesterday."
TALK = f"""
title = "Three"
[defaults]
text = "{RECORDED}"
[[view]]
page = "cross_attention"
title = "Who looks?"
layer = 2
[[view]]
page = "embeddings"
show = "context"
title = "Computed in advance"
[[view]]
page = "training"
show = "schedule"
title = "Recorded"
"""


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("live")
    (folder / "two.toml").write_text(TALK)
    talk, problems = load_talk(str(folder / "two.toml"))
    assert not problems
    file = folder / "two.html"
    file.write_bytes(alone(talk.title, [*recorded(talk, MODEL)], {"name": talk.name, "title": talk.title}, live(MODEL)))
    return file


def type_in(tab: Page, text: str) -> None:
    tab.keyboard.press("/")
    tab.locator(".source .over input").fill(text)
    tab.keyboard.press("Enter")
    expect(tab.locator("html")).not_to_have_attribute("data-busy", "")


def test_it_explains_a_typed_sentence_with_the_numbers_of_python(tab: Page, path: Path) -> None:
    source, reading = tab.locator(".row[aria-label=Source]"), tab.locator(".reading").first
    tab.goto(path.as_uri())
    expect(reading).to_contain_text("layer 2")
    type_in(tab, TYPED)
    explanation = explain(load(MODEL), TYPED)
    weights = explanation.trace["decoder.1.cross_attn.weights"][0, 0, 0]
    most = int(weights.argmax())
    expect(source).to_contain_text("bicycle")
    expect(reading).to_contain_text(
        f"gives {percent(float(weights[most]))} of its attention to «{explanation.source.labels[most]}»"
    )
    tab.keyboard.press("ArrowRight")
    tab.keyboard.press("Control+End")
    expect(tab.locator(".viz-bar .step")).to_contain_text(f"of {len(explanation.steps)}")

    tab.reload()
    expect(source).to_contain_text("bicycle")
    tab.keyboard.press("PageDown")
    tab.keyboard.press("PageDown")
    expect(tab.locator("h1")).to_have_text("Recorded")
    expect(source).to_contain_text("sofa")
    assert "text=" not in tab.url
    type_in(tab, TYPED)
    expect(tab.get_by_role("status").get_by_text(f"This file has it for «{RECORDED}» alone.")).to_be_visible()
    expect(source).to_contain_text("sofa")
    tab.keyboard.press("PageUp")
    tab.keyboard.press("PageUp")
    expect(reading).to_contain_text("layer 2")
    type_in(tab, " ")  # what cannot be translated leaves the view as it is
    expect(tab.get_by_text("There is no word in this text.")).to_be_visible()
    expect(source).to_contain_text("sofa")
    type_in(tab, "</script><b>x</b> \x00 🙂")
    expect(source).to_contain_text("script")
    assert tab.locator("b:text-is('x')").count() == 0
    type_in(tab, "word " * 2000)
    expect(tab.get_by_text("The sentence is longer than this model can read")).to_be_visible()
    tab.goto(f"{path.as_uri()}?embed=on&text=I love you.")  # in a frame the figure stands alone with its transport
    expect(reading).to_contain_text("Ich")
    for name in ("nav", "header", "footer"):
        expect(tab.locator(f"body > {name}")).to_be_hidden()
    expect(tab.get_by_role("toolbar", name="The talk")).to_be_visible()
    assert "?embed=on&text=I+love" in tab.url  # as a reload needs it


def test_a_file_that_was_cut_and_a_browser_without_workers_are_told(tab: Page, path: Path, tmp_path: Path) -> None:
    content = path.read_bytes()
    (tmp_path / "cut.html").write_bytes(content[: len(content) // 2])
    tab.goto((tmp_path / "cut.html").as_uri())
    expect(tab.get_by_text("the copy is incomplete")).to_be_visible()
    tab.add_init_script("delete globalThis.Worker")
    tab.goto(path.as_uri())
    expect(tab.get_by_text("cannot compute in the background").first).to_be_visible()
    expect(tab.locator(".row[aria-label=Source]")).to_contain_text("sofa")
