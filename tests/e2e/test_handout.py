"""The handout of our tour: each of its sheets has the very numbers that its view shows, drawn and written, and its words."""

import re
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from viz_core.app.html_file import alone
from viz_core.app.talk_file.record import load, recorded

pytestmark = pytest.mark.e2e
PAPER = (1280, 720)
"""The window for which a sheet is drawn, above the bar that a file has at its foot."""
EVERY, SOON = 3, 5
"""Of the tour's views every third is looked at. Seconds in which a view is drawn."""
LESS = 24
"""px that heading and edges take less on paper."""
HEARD = """(() => {
  const said = new WeakMap(); // canvas → [[text, x, y]] since it was emptied
  const { fillText, fillRect, clearRect, drawImage } = CanvasRenderingContext2D.prototype;
  const of = (canvas) => said.get(canvas) ?? said.set(canvas, []).get(canvas);
  const empty = (context, [x, y, w, h]) => {
    const { a, d, e, f } = context.getTransform();
    const { canvas } = context;
    const isAll = a * (x + w) + e >= canvas.width - 1 && d * (y + h) + f >= canvas.height - 1;
    if (a * x + e <= 0 && d * y + f <= 0 && isAll) said.delete(canvas);
  };
  Object.assign(CanvasRenderingContext2D.prototype, {
    fillText(...all) {
      if (this.globalAlpha > 0) of(this.canvas).push(all[0]);
      return fillText.apply(this, all);
    },
    fillRect(...box) { empty(this, box); return fillRect.apply(this, box); },
    clearRect(...box) { empty(this, box); return clearRect.apply(this, box); },
    drawImage(image, ...rest) {
      if (image instanceof HTMLCanvasElement) of(this.canvas).push(...of(image)); // a still
      return drawImage.call(this, image, ...rest);
    },
  });
  const size = Object.getOwnPropertyDescriptor(HTMLCanvasElement.prototype, "width");
  Object.defineProperty(HTMLCanvasElement.prototype, "width", {
    ...size, set(value) { said.delete(this); size.set.call(this, value); },
  });
  globalThis.written = (node) => {
    const found = [];
    const look = (root) => {
      for (const one of root.childNodes) {
        if (one.nodeType === 3 && one.textContent.trim()) found.push(one.textContent.trim());
        if (!(one instanceof Element) || ["STYLE", "SCRIPT", "TITLE", "OPTION"].includes(one.nodeName)) continue;
        const { clipPath } = getComputedStyle(one);
        if (clipPath !== "none" || !one.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
        if (one instanceof HTMLCanvasElement) found.push(...of(one));
        if (one instanceof HTMLSelectElement) found.push(...[...one.selectedOptions].map(({ text }) => text));
        if (one.shadowRoot) look(one.shadowRoot);
        look(one);
      }
    };
    look(node);
    return found;
  };
})()"""
NUMBER = re.compile(r"[−-]?\d+(?:[.,]\d+)*(?: ?%)?")


def numbers(texts: list[str]) -> Counter[str]:
    """All numbers in some texts, as they are written."""
    return Counter(number for text in texts for number in NUMBER.findall(text))


def shown(tab: Page) -> Counter[str]:
    """All numbers on the page."""
    return numbers(tab.locator("body > :is(nav, main)").evaluate_all("all => all.flatMap(written)"))


def test_every_sheet_has_the_numbers_of_its_view(tab: Page, tmp_path: Path) -> None:
    talk, _ = load("twelve-steps")
    some = replace(talk, views=talk.views[::EVERY])
    file = tmp_path / "twelve-steps.html"
    file.write_bytes(alone(talk.title, [*recorded(some)], talk={"name": talk.name, "title": talk.title}))
    tour = file.as_uri()
    tab.add_init_script(HEARD)
    tab.emulate_media(reduced_motion="reduce")
    tab.set_viewport_size({"width": PAPER[0], "height": PAPER[1]})
    tab.goto(f"{tour}#handout")
    expect(tab.locator("html")).to_have_attribute("data-ready", "", timeout=120_000)
    sheets = tab.locator(".sheet")
    expect(sheets).to_have_count(len(some.views))
    paper = sheets.locator(".still").evaluate_all("all => all.map(written)")
    titles = tab.locator(".sheet > h2").evaluate_all("all => all.map((one) => one.firstChild.textContent)")

    tab.goto("about:blank")
    tab.goto(tour)
    tab.evaluate("globalThis[Symbol.for('viz_core.store')].theme.still = true")
    tab.evaluate("document.documentElement.style.setProperty('font-size', '20px', 'important')")  # as on paper
    bar = tab.evaluate("parseFloat(document.documentElement.style.getPropertyValue('--viz-bar'))")
    tab.set_viewport_size({"width": PAPER[0], "height": PAPER[1] + round(bar) + LESS})
    different = []
    for at, title in enumerate(titles):
        expect(tab.locator("h1")).to_have_text(title)
        tab.evaluate("globalThis[Symbol.for('viz_core.store')].set({ revealed: true })")
        drawn, until = numbers(paper[at]), time.monotonic() + SOON
        while (seen := shown(tab)) != drawn and time.monotonic() < until:
            tab.wait_for_timeout(50)
        if seen != drawn:
            different.append(f"{at + 1}. {title}: only on the page {seen - drawn}, only on paper {drawn - seen}")
        assert sum(drawn.values()) > 3, f"{title}: {paper[at]}"
        tab.keyboard.press("PageDown")
    assert not different, "\n".join(different)
