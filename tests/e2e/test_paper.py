"""A saved SVG looks the same in every program: outlines and shapes, no font, no bitmap, no words for a reader at the screen."""

import base64
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.e2e.driving import turn_to
from tests.e2e.test_export import run

pytestmark = pytest.mark.e2e

VIEWS = ("", "tokens", "self_attention", "why", "heads?show=flow")
"""One for each way of drawing; which words a picture has, tests/golden holds."""
BOUND = re.compile(r"<text|<image|textLength|font-|font:|<style|@import|<foreignObject|url\((?!#)|https?://(?!www\.w3\.org/)")
TOLD = re.compile(r"\b(Click|click an? |Press|Point at) |点击|单击")
DIFFERENCE = """async ([one, other]) => {
  const pixels = await Promise.all([one, other].map(async (base64) => {
    const image = new Image();
    image.src = `data:image/png;base64,${base64}`;
    await image.decode();
    const [width, height] = [image.width / 2, image.height / 2].map(Math.round);
    const pen = Object.assign(document.createElement('canvas'), { width, height }).getContext('2d');
    pen.imageSmoothingQuality = 'high';
    pen.drawImage(image, 0, 0, width, height);
    return pen.getImageData(0, 0, width, height);
  }));
  const [first, second] = pixels.map(({ data }) => data);
  if (pixels[0].width !== pixels[1].width || pixels[0].height !== pixels[1].height) return [1, 0];
  let [far, ink] = [0, 0];
  for (let at = 0; at < first.length; at += 4) {
    const away = Math.max(...[0, 1, 2].map((part) => Math.abs(first[at + part] - second[at + part])));
    far += away > 100;
    ink += Math.min(...first.subarray(at, at + 3)) < 128;
  }
  return [far / (first.length / 4), ink / (first.length / 4)];
}"""
"""The share of pixels that differ much, in half of the size, and that of dark ones."""


def saved(page: Page) -> str:
    """The file that the menu saves; empty where it offers none."""
    page.locator(".viz-player button.more").click()
    item = page.locator(".viz-player [role=menuitem]", has_text="SVG")
    if not item.count():
        page.keyboard.press("Escape")
        return ""
    with page.expect_download() as heard:
        item.click()
    return Path(heard.value.path()).read_text("utf-8")


def difference(tab: Page, *pictures: bytes) -> tuple[float, float]:
    far, ink = tab.evaluate(DIFFERENCE, [base64.b64encode(picture).decode() for picture in pictures])
    return far, ink


def rendered(tab: Page, svg: str, size: dict[str, Any]) -> bytes:
    """The picture that the browser makes of a file."""
    tab.set_viewport_size({"width": round(size["width"]), "height": round(size["height"])})
    style = "display: block; width: 100vw; height: 100vh"
    tab.set_content(f"<body style='margin: 0'><img style='{style}' src='data:image/svg+xml;base64,{encoded(svg)}'>")
    tab.evaluate("document.images[0].decode()")
    return tab.screenshot()


def encoded(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def test_a_saved_picture_needs_no_font_and_says_nothing_to_a_reader(kept: Page, tab: Page, server: str, tmp_path: Path) -> None:
    found: dict[str, list[str]] = {}
    for view in VIEWS:
        turn_to(kept, f"{server}/{view}{'&' if '?' in view else '?'}text=The+cat+is+sleeping+on+the+old+sofa.")
        svg = saved(kept)
        if not svg:
            continue
        faults = sorted(set(BOUND.findall(svg)))
        words = re.findall(r'aria-label="([^"]*)"', svg)
        faults += [text for text in words if TOLD.search(text)]
        faults += [] if words and "<desc>" in svg and "<use" in svg else ["no words"]
        faults += [f"{len(svg):,} characters"] if len(svg) > 1_000_000 else []
        if shutil.which("rsvg-convert"):
            size = {name: float(value) for name, value in re.findall(r' (width|height)="([\d.]+)"', svg[: svg.index("<title")])}
            (tmp_path / "view.svg").write_text(svg)
            sides = [word for name, px in size.items() for word in (f"--{name}", str(round(px)))]
            command = ["rsvg-convert", "-f", "png", *sides, "-o", str(tmp_path / "view.png"), str(tmp_path / "view.svg")]
            subprocess.run(command, check=True)
            far, _ = difference(tab, (tmp_path / "view.png").read_bytes(), rendered(tab, svg, size))
            faults += [f"{far:.1%} of it is another picture in librsvg"] if far > 0.01 else []
        found[view] = faults
    assert len(found) > 3
    assert not any(found.values()), found


LETTERS = "Größe ﬁ 12.5 % → é x̣ 中文 العربية हिन्दी Q̃ √d ⟨/s⟩"
AS_TEXT = """([words, style]) => {
  document.body.innerHTML = `<style>${style} body { margin: 0 }</style>
    <svg width=2800 height=480 viewBox="0 0 700 120" style="display: block; font-family: 'Source Sans', sans-serif">
    <rect width=700 height=120 fill=white /><text x=10 y=40 font-size=24></text>
    <text x=690 y=90 font-size=20 font-weight=600 text-anchor=end fill="rgb(120, 0, 0)"></text></svg>`;
  for (const text of document.querySelectorAll('text')) text.textContent = words;
  return document.fonts.load("18px 'Source Sans'").then(() => document.fonts.load("600 18px 'Source Sans'")).then(() => null);
}"""
PART = "{ name: () => 'Letters', svg: () => new XMLSerializer().serializeToString(document.querySelector('svg')) }"


def test_outlines_are_the_letters_of_every_script(tab: Page, font: str) -> None:
    tab.evaluate(AS_TEXT, [LETTERS, font])
    tab.set_viewport_size({"width": 2800, "height": 480})
    shown = tab.screenshot()
    _, content = run(tab, f"save.saveSvg({PART}, store)")
    svg = content.decode()
    assert not BOUND.search(svg)
    far, ink = difference(tab, shown, rendered(tab, svg, {"width": 2800, "height": 480}))
    assert ink > 0.02
    assert far < 0.004, "hardly a pixel differs much"
    assert svg.count(LETTERS) == 3, "said by both groups and once in the description"
    assert svg.count("<path") < 2 * len(LETTERS), "each letter once for each of its weights"
    assert len(svg) < 60_000
