"""A talk as one file, in a real browser without a server and without a network: walked by a clicker, as in the app; one that
computes explains a typed sentence, and the numbers are Python's.
"""

import re
import shutil
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from playwright.sync_api import Page, expect

from viz_core import explain
from viz_core import load as load_model
from viz_core.app.html_file import alone
from viz_core.app.live import live
from viz_core.app.talk_file.command import BROWSERS, printed
from viz_core.app.talk_file.record import load, recorded
from viz_core.errors import VizError
from viz_core.figures.base import percent

pytestmark = pytest.mark.e2e

TALK = """
title = "Three"
[defaults]
text = "The cat is sleeping on the sofa."
[[view]]
page = "self_attention"
title = "Who <b>looks</b>?"
caption = "One row for each word."
layer = 2
note = "Say </script> this."
[[view]]
page = "training"
show = "schedule"
title = "Waves"
note = "Then this."
[[view]]
page = "output"
title = "What comes next?"
step = 2
hide = "word"
"""


def written(path: Path, text: str, model: str = "") -> str:
    """The address of a talk's file. model: with which it computes."""
    path.with_suffix(".toml").write_text(text)
    talk, problems = load(str(path.with_suffix(".toml")))
    assert not problems
    about = {"name": talk.name, "title": talk.title}
    path.write_bytes(alone(talk.title, [*recorded(talk, model)], about, live(model) if model else None))
    return path.as_uri()


@pytest.fixture(scope="session")
def file(tmp_path_factory: pytest.TempPathFactory) -> str:
    return written(tmp_path_factory.mktemp("talk") / "three.html", TALK)


def test_a_clicker_walks_it_to_the_end_and_back(tab: Page, file: str) -> None:
    tab.goto(file)
    title, place = tab.locator("h1"), tab.locator(".viz-bar .count")
    attention, waves, bars = tab.locator(".viz-attention-view canvas"), tab.locator(".figure .main-svg"), tab.locator(".bars")
    expect(title).to_have_text("Who <b>looks</b>?")
    expect(attention.first).to_be_visible()
    expect(tab.locator("html")).to_have_attribute("data-lecture", "")
    with tab.expect_popup() as opened:
        tab.keyboard.press("n")
    notes = opened.value
    expect(notes.locator(".message")).to_contain_text("Say </script> this.")
    expect(tab.locator(".viz-bar .note")).to_be_hidden()
    tab.keyboard.press("ArrowDown")
    expect(tab.locator(".reading").first).to_contain_text("layer 3")

    notes.keyboard.press("PageDown")
    expect(title).to_have_text("Waves")
    expect(waves.first).to_be_visible()
    expect(notes.locator(".message")).to_contain_text("Then this.")
    expect(attention).to_have_count(0)
    tab.keyboard.press("ArrowRight")  # the figure is a still: nothing around it may show another step
    expect(tab.locator(".viz-bar .step")).to_contain_text("step 1 of")

    tab.keyboard.press("PageDown")
    expect(notes.locator(".hidden").first).to_have_text("answer hidden")
    expect(title).to_have_text("What comes next?")
    expect(place).to_have_text("view 3 of 3")
    expect(waves).to_have_count(0)
    expect(tab.get_by_text("Katze")).to_have_count(0)
    notes.keyboard.press("PageDown")  # reveals
    expect(notes.locator(".hidden").first).to_have_text("")
    notes.close()
    expect(bars).to_contain_text("Katze")

    tab.keyboard.press("PageDown")
    expect(tab.locator("dialog.end")).to_be_visible()
    for shown in ("What comes next?", "Waves", "Who <b>looks</b>?"):
        tab.keyboard.press("PageUp")
        expect(title).to_have_text(shown)
    expect(attention.first).to_be_visible()
    expect(tab.locator("dialog.end")).to_be_hidden()


PAPER = """
title = "On paper"
[defaults]
text = "My brother bought a new bicycle yesterday, because the old one had been stolen in front of the railway station."
[[view]]
page = "tokens"
title = "All lines of it"
note = "The answer."
[[view]]
page = "self_attention"
title = "bicycle looks at new"
cell = "6-5"
layer = 4
head = 4
"""


def test_its_handout_names_the_pair_whose_numbers_it_has_and_can_leave_the_notes_out(tab: Page, tmp_path: Path) -> None:
    tab.set_viewport_size({"width": 900, "height": 400})  # smaller than the paper
    tab.goto(f"{written(tmp_path / 'paper.html', PAPER)}#handout")
    expect(tab.locator("html")).to_have_attribute("data-ready", "")
    tokens, attention = tab.locator(".sheet").all()
    expect(tokens.locator(".spelling .token").last).to_be_visible()
    lines = tokens.locator(".spelling").evaluate("({ clientHeight, scrollHeight, offsetWidth, clientWidth }) => "
                                                 "[scrollHeight - clientHeight, offsetWidth - clientWidth]")  # fmt: skip
    assert lines == [0, 0], "nothing is cut, and there is no scroll bar"
    chosen = attention.locator(".pick select").evaluate_all(
        "lists => lists.flatMap((list) => [...list.selectedOptions].map(({ text }) => text))"
    )
    assert chosen == ["6 bicycle", "5 new"]
    expect(attention.locator(".reading").first).to_contain_text("«bicycle» gives")

    pictured, said = attention.locator(".still"), tokens.locator(".note")
    expect(said).to_be_visible()
    tab.get_by_label("With the notes").uncheck()
    expect(said).to_be_hidden()
    expect(pictured).to_be_visible()
    assert len(re.findall(rb"/Type /Page\b(?!s)", tab.pdf(prefer_css_page_size=True))) == 2


def test_its_handout_as_pdf_has_every_view_with_its_note(tab: Page, file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    tab.goto(f"{file}#handout")
    expect(tab.locator("html")).to_have_attribute("data-ready", "")
    expect(tab.locator(".sheet")).to_have_count(3)
    first, second, third = tab.locator(".sheet").all()
    expect(first).to_contain_text("Say </script> this.")
    expect(first.locator(".viz-attention-view canvas").first).to_be_visible()
    expect(second.locator(".main-svg").first).to_be_visible()
    expect(third.locator(".bars")).to_contain_text("Katze")
    if any(map(shutil.which, BROWSERS)):  # else playwright has its own
        pdf = printed(Path(unquote(urlsplit(file).path)).read_bytes())
        assert len(re.findall(rb"/Type /Page\b(?!s)", pdf)) == 3
    monkeypatch.setattr("shutil.which", lambda _: None)
    with pytest.raises(VizError, match="none of them was found"):
        printed(b"")


MODEL = "en-de-tiny"
RECORDED, TYPED = "The cat is sleeping on the sofa.", "My brother bought a new bicycle yesterday."
LIVE = f"""
title = "Three"
[defaults]
text = "{RECORDED}"
[[view]]
page = "cross_attention"
title = "Who looks?"
note = "Its numbers."
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
    """A file that computes."""
    path: Path = tmp_path_factory.mktemp("live") / "three.html"
    written(path, LIVE, MODEL)
    return path


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
    explanation = explain(load_model(MODEL), TYPED)
    weights = explanation.trace["decoder.1.cross_attn.weights"][0, 0, 0]
    most = int(weights.argmax())
    expect(source).to_contain_text("bicycle")
    expect(reading).to_contain_text(
        f"gives {percent(float(weights[most]))} of its attention to «{explanation.source.labels[most]}»"
    )
    tab.keyboard.press("ArrowRight")
    tab.keyboard.press("Control+End")
    expect(tab.locator(".note .message")).to_contain_text(f"written for «{RECORDED}»")
    place = f"step 2 of {len(explanation.steps)}"
    expect(tab.locator(".viz-bar .step")).to_contain_text(place)

    expect(tab.locator("html")).not_to_have_attribute("data-busy", "")  # the address has followed
    tab.reload()
    expect(source).to_contain_text("bicycle")
    expect(tab.locator(".viz-bar .step")).to_contain_text(place)
    tab.keyboard.press("PageDown")
    tab.keyboard.press("PageDown")
    expect(tab.locator("h1")).to_have_text("Recorded")
    expect(source).to_contain_text("sofa")
    expect(tab.get_by_text(f"This file has it for «{RECORDED}» alone.")).to_be_visible()
    tab.keyboard.press("PageUp")
    tab.keyboard.press("PageUp")
    expect(source).to_contain_text("bicycle")  # where the file can compute it, the typed sentence stays
    expect(reading).to_contain_text("layer 2")
    type_in(tab, " ")
    expect(tab.get_by_text(f"shows the recorded one again: «{RECORDED}»")).to_be_visible()
    expect(source).to_contain_text("sofa")
    assert "text=" not in tab.url
    type_in(tab, "</script><b>x</b> \x00 🙂")
    expect(source).to_contain_text("script")
    assert tab.locator("b:text-is('x')").count() == 0
    tab.goto(f"{path.as_uri()}?embed=on&text=I love you.")  # in a frame the figure stands alone with its transport
    expect(reading).to_contain_text("Ich")
    for name in ("nav", "header", "footer"):
        expect(tab.locator(f"body > {name}")).to_be_hidden()
    expect(tab.get_by_role("toolbar", name="The talk")).to_be_visible()
    assert "?text=I+love+you.&embed=on" in tab.url  # as a reload needs it


def test_a_file_that_was_cut_and_a_browser_without_workers_are_told(tab: Page, path: Path, tmp_path: Path) -> None:
    content = path.read_bytes()
    for end in (-9000, len(content) // 2):  # in the model, and before
        (tmp_path / "cut.html").write_bytes(content[:end])
        tab.goto((tmp_path / "cut.html").as_uri())
        expect(tab.get_by_text("the copy is incomplete")).to_be_hidden()
        tab.evaluate("for (const each of document.getAnimations()) each.finish()")  # after 15 s
        expect(tab.get_by_text(re.compile("copy.* is incomplete"))).to_be_visible()
    tab.add_init_script("delete globalThis.Worker")
    tab.goto(path.as_uri())
    expect(tab.get_by_text("cannot compute in the background").first).to_be_visible()
    expect(tab.locator(".row[aria-label=Source]")).to_contain_text("sofa")
