"""The app speaks one language at a time; whether all pages do: test_every_page.py."""

import re
import tomllib

import pytest
from playwright.sync_api import expect

from tests.e2e.driving import Source, open_at, query, settle
from tests.test_translations import ENGLISH as ENGLISH_FILES
from tests.test_translations import stays, texts

pytestmark = pytest.mark.e2e
TEXT = "Hello."
ENGLISH = re.compile(r"[A-Za-z]{2,} [a-z]{2,} [a-z]{2,}")
"""Three words in a row."""
CITED = re.compile(r"“[^“”]*”|（[^）]*）|[A-Z]\w+ et al\.|：Adam \(.*", re.DOTALL)
"""Sentences, what stands in brackets behind a Chinese term, papers, and the cards of the models, which are English."""
CHINESE = re.compile(r"[\u3400-\u9fff]")
OWN_NAMES = ("中文",)
"""A language is called by its own name in all of them."""
HEARD = """(() => {
  globalThis.heard = new Set();
  const { fillText } = CanvasRenderingContext2D.prototype;
  CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) {
    globalThis.heard.add(String(text));
    return fillText.call(this, text, ...rest);
  };
})()"""
"""What is written on a canvas."""
SCRIPTS = (HEARD,)
READ = """() => {
  const SKIPPED = "code, pre, script, style, noscript, .katex, .source, [lang=en], [lang=de], .viz-rail [lang]";
  const READ_ALOUD = ["aria-label", "title", "placeholder", "alt", "aria-description"];
  const up = (node) => node.assignedSlot ?? node.parentElement ?? node.getRootNode().host;
  const skipped = (node) => {
    for (let at = node; at && at !== document.documentElement; at = up(at)) if (at.matches?.(SKIPPED)) return true;
    return false;
  };
  const found = new Set();
  function walk(root) {
    for (const node of root.querySelectorAll("*")) {
      if (node.shadowRoot) walk(node.shadowRoot);
      if (skipped(node)) continue;
      for (const name of READ_ALOUD) if (node.hasAttribute(name)) found.add(node.getAttribute(name));
      for (const child of node.childNodes) if (child.nodeType === 3 && child.data.trim()) found.add(child.data);
    }
  }
  walk(document);
  for (const text of globalThis.heard) found.add(text);
  globalThis.heard.clear();
  return [...found];
}"""


def english() -> tuple[set[str], list[str]]:
    """All texts of the English app; and of them what the model reads, which is English in all languages."""
    written, read = set(), [TEXT]
    for file in ENGLISH_FILES:
        found = tomllib.loads(file.read_text("utf-8"))
        for path, text in texts(found):
            written.add(text)
            if stays(file, path):
                read.append(text)
    return written, read


def chinese(texts: list[str]) -> list[str]:
    """Those of these texts that are Chinese, but for the name of the language."""
    return [text for text in texts if CHINESE.search(text) and text not in OWN_NAMES]


def english_in(texts: dict[str, str]) -> list[str]:
    """Those of the texts (→ where they stand) that are English, but for what the model reads or writes."""
    written, known = english()
    left = []
    for text, where in texts.items():
        rest = CITED.sub(" ", text)
        for sentence in known:
            rest = rest.replace(sentence, " ")
        is_data = not CHINESE.search(text) and re.search(r"[.?!…]$", text.strip()) and text.strip() not in written
        if ENGLISH.search(rest) and not is_data:
            left.append(f"not Chinese: {where}: {text[:120]}")
    return left


def test_the_switch_changes_everything_at_once_and_back_undoes_it(sources: list[Source]) -> None:
    for source in sources:
        tab = source.tab
        open_at(tab, source.at(f"cross_attention?text={TEXT}&step=2"))
        tab.get_by_role("button", name="中文").click()
        expect(tab.locator("html")).to_have_attribute("lang", "zh")
        settle(tab)
        assert query(tab) == {"text": TEXT, "step": "2", "lang": "zh"}
        shown = tab.evaluate(READ)
        assert not [text for text in shown if ENGLISH.search(CITED.sub(" ", text))], "a part has kept its English words"
        tab.go_back()
        expect(tab.locator("html")).to_have_attribute("lang", "en")
        settle(tab)
        tab.evaluate("heard.clear()")  # what was painted while it still spoke Chinese
        tab.keyboard.press("ArrowRight")
        expect(tab).to_have_url(re.compile("step=3"))
        settle(tab)
        assert not chinese(tab.evaluate(READ))
