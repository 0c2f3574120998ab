"""What one takes along, in a real browser: the file that opens alone and steps, the picture, the drawing."""

import base64
import re
import xml.etree.ElementTree as ET
from dataclasses import asdict
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.bare import bundled
from viz_core.app.downloads import page_file
from viz_core.app.drawing import Drawn
from viz_core.app.html_file import Shown, alone
from viz_core.app.page import Page as Writer
from viz_core.app.view_options import View
from viz_core.browser.output_payload import next_token_payload
from viz_core.browser.overview_payload import overview_payload
from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation
from viz_core.figures.palette import LIGHT

pytestmark = pytest.mark.e2e

TYPED = "</script><b>*x*</b>\x00&"
STRIP = {"source": [[TYPED, 0]], "target": [["⟨s⟩", None], [TYPED, 0]]}


def test_the_file_opens_alone_and_steps_by_keys(tab: Page, checkpoint: Checkpoint, explained: Explanation, tmp_path: Path) -> None:
    start = {
        "theme": asdict(LIGHT) | {"surface": "#EEEEEE"},
        "limits": {"page": "output", "text": "t", "steps": len(explained.steps), "layers": 1, "heads": 1, "tokens": 3},
        "view": {"step": 1},
    }
    shown = Shown(TYPED, start, STRIP, [Drawn("part", "next_token", next_token_payload(explained, checkpoint.tokenizer))])
    path = tmp_path / "view.html"
    path.write_bytes(alone(TYPED, [shown]))
    tab.goto(path.as_uri())
    labels = explained.target.labels
    expect(tab.get_by_text(f"step 2 of {len(explained.steps)}")).to_be_visible()
    for key, step in (("ArrowRight", 2), ("Home", 0), ("PageDown", 1)):
        tab.keyboard.press(key)
        expect(tab.get_by_role("button", name=f"«{labels[step + 1]}»", pressed=True)).to_be_visible()
    expect(tab.locator("h1")).to_have_text("</script><b>*x*</b>⟨00⟩&")
    assert tab.locator("b:text-is('x')").count() == 0
    assert tab.locator("[data-part=top_bar] .token").first.inner_text().startswith("</script><b>*x*</b>")
    assert tab.evaluate("getComputedStyle(document.documentElement).backgroundColor") == "rgb(238, 238, 238)"


def test_in_a_file_of_the_overview_a_block_opens(tab: Page, checkpoint: Checkpoint, explained: Explanation, tmp_path: Path) -> None:
    this = Writer("overview", View(lambda: checkpoint, lambda: explained, 2, 0, 0), "open")
    this.drawn.append(Drawn("part", "overview", overview_payload(explained, checkpoint.tokenizer)))
    path = tmp_path / "view.html"
    path.write_bytes(page_file(this)())
    tab.goto(path.as_uri())
    picture = tab.locator(".lens-picture")
    tab.locator(".opens[data-opens=cross]").focus()
    tab.keyboard.press("Enter")
    expect(picture).to_have_attribute("aria-label", re.compile("^Cross attention, .*head 1: 3 queries"))


SAVE = "./viz_core/browser/kit/save"
DRAWING = """
const store = { limits: {}, view: { step: 0 } };
const part = {
  name: () => "Kreuz </script> schön",
  svg() {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    svg.setAttribute("viewBox", "0 0 300 200");
    svg.innerHTML = `<rect width="300" height="200" fill="#ffffff"/>
      <rect x="150" width="150" height="200" fill="#d55e00"/><text y="50" x="20"></text>`;
    svg.lastChild.textContent = TYPED;
    return new XMLSerializer().serializeToString(svg);
  },
};
"""
PIXELS = """
async (base64) => {
  const image = new Image();
  image.src = `data:image/png;base64,${base64}`;
  await image.decode();
  const { width, height } = image;
  const pen = Object.assign(document.createElement("canvas"), { width, height }).getContext("2d");
  pen.drawImage(image, 0, 0);
  const [left, right] = [5, width - 5].map((x) => [...pen.getImageData(x, height - 5, 1, 1).data]);
  const reds = pen.getImageData(0, 0, width / 2, height).data.filter((value, i) => i % 4 === 0);
  return { width, height, left, right, dark: reds.filter((red) => red < 100).length };
}
"""


@pytest.fixture
def drawn(tab: Page, tmp_path: Path) -> Page:
    path = tmp_path / "blank.html"
    path.write_text("<!doctype html><meta charset=utf-8><title>x</title>")
    tab.goto(path.as_uri())
    return tab


def run(tab: Page, call: str) -> tuple[str, bytes]:
    code = f"const TYPED = {TYPED!r};\n{bundled(save=SAVE)}\n{DRAWING}"
    with tab.expect_download() as heard:
        name = tab.evaluate(f"async () => {{ {code}\nreturn await {call}; }}")
    assert heard.value.suggested_filename == name
    return name, Path(heard.value.path()).read_bytes()


def test_a_drawing_is_xml_and_typed_text_is_text_in_it(drawn: Page) -> None:
    name, content = run(drawn, "save.saveSvg(part, store)")
    assert name == "Kreuz-script-schön.svg"
    svg = ET.fromstring(content)
    assert (svg.tag, svg.get("width"), svg.get("height")) == ("{http://www.w3.org/2000/svg}svg", "300", "200")
    assert [part.get("aria-label") for part in svg.iter() if part.get("aria-label")] == ["</script><b>*x*</b>⟨00⟩&"]
    assert (svg.findtext("{*}title"), svg.findtext("{*}desc")) == ("Kreuz </script> schön", "</script><b>*x*</b>⟨00⟩&")


def test_a_picture_has_the_size_and_the_colours(drawn: Page) -> None:
    name, content = run(drawn, "save.savePng(part, store)")
    assert name == "Kreuz-script-schön.png"
    shown = drawn.evaluate(PIXELS, base64.b64encode(content).decode())
    assert (shown["width"], shown["height"]) == (600, 400)
    assert (shown["left"], shown["right"]) == ([255, 255, 255, 255], [0xD5, 0x5E, 0x00, 255])
    assert shown["dark"] > 100  # the text


def test_the_address_is_copied_with_and_without_a_clipboard(drawn: Page) -> None:
    drawn.context.grant_permissions(["clipboard-read", "clipboard-write"])
    address = "http://127.0.0.1:1/cross_attention?text=%3Cb%3E&step=2"
    for before in ("", "Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true });"):
        code = f"{bundled(save=SAVE)}\n{before}\nreturn save.copyLink({address!r});"
        assert drawn.evaluate(f"async () => {{ {code} }}") is True
        drawn.evaluate("() => { delete navigator.clipboard; }")
        assert drawn.evaluate("() => navigator.clipboard.readText()") == address
        drawn.evaluate("() => navigator.clipboard.writeText('')")
