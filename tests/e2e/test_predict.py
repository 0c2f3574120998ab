"""The class guesses before it sees: what is to be guessed stands nowhere, drawn, written or said, until it is revealed."""

import re
from urllib.parse import urlencode

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.e2e import bare
from tests.e2e.driving import Source, follows, go_to, turn_to
from tests.pages.test_all_pages import NAMES
from viz_core import Explanation, explain
from viz_core.checkpoint import Checkpoint

pytestmark = pytest.mark.e2e
TEXT = "The teacher opened the old door slowly."
RUNS = [("app", NAMES[:9]), ("app", NAMES[9:]), ("site", NAMES[9:])]
STEP, LAYER, HEAD = 3, 2, 1  # from 1
IN_THE_BROWSER = ("overview", "masked_attention", "cross_attention", "output")
"""Pages that show no step before it comes; the others show the whole translation once a word is revealed."""
SAID = 400
"""ms until what is shown is also said."""
OF_WEIGHTS = ("overview", "heads", "what_if", "cross_attention")
"""Pages that read out a weight of cross attention, each with a part of its own; there it is revealed on the last one."""

SHOWS_ITSELF = {
    "tokens": ".viz-spelling .flow", "embeddings": ".viz-lookup canvas", "positions": ".viz-waves canvas", "qkv": ".viz-qkv canvas",
    "residual": ".viz-residual-stream canvas", "training": ".viz-plot",
}  # fmt: skip
"""Pages that begin with what leaves the next word open → what they draw. Their other views may give it away."""

# What can be read or heard of the page, but for the choices that Predict offers, is added to `seen`: text that is rendered, in
# open shadow roots too, names and descriptions,
# what stands in fields and in lists that may open, what is drawn on a canvas, the title of the tab.
LISTEN = """() => {
  window.seen = new Set();
  const write = CanvasRenderingContext2D.prototype.fillText;
  CanvasRenderingContext2D.prototype.fillText = function (text, ...at) {
    if (this.canvas.isConnected) seen.add(text);
    return write.call(this, text, ...at);
  };
  const names = ["aria-label", "aria-description", "aria-valuetext", "title", "alt", "placeholder"];
  const rendered = (node) => {
    const inside = node.matches("option, optgroup, title, desc") || getComputedStyle(node).display === "contents";
    return inside ? rendered(node.parentElement ?? node.getRootNode().host) : node.checkVisibility({ visibilityProperty: true });
  };
  const isNew = (text) => text && text.trim?.() && !seen.has(text); // what was told once is not looked at again
  const walk = (parent) => {
    for (const node of parent.childNodes) {
      if (node.nodeType === 3 && isNew(node.data) && rendered(node.parentElement ?? parent.host)) seen.add(node.data);
      if (node.nodeType !== 1 || ["STYLE", "SCRIPT", "TEMPLATE"].includes(node.nodeName) || node.matches(".choices")) continue;
      const whole = node.matches("p, li, text") ? node.textContent : "";
      const words = [...names.map((name) => node.getAttribute(name)), node.value, whole].filter(isNew);
      if (words.length && rendered(node)) words.forEach((text) => seen.add(text));
      walk(node);
      if (node.shadowRoot) walk(node.shadowRoot);
    }
  };
  window.listen = () => {
    seen.add(document.title);
    walk(document.body);
    return [...seen];
  };
  window.forget = () => {
    seen.clear();
    window.listening ??= setInterval(listen, 200); // also what is there for a moment only
  };
  addEventListener("keydown", () => window.listening && forget(), true); // before the app hears of it
}"""

# Points of a grid over the figure, without those on the empty page or on a text or control that has one already.
POINTS = """() => {
  const found = [], met = new Set();
  const layout = ["Block", "Container", "Wrapper", "Column"].map((end) => `[data-testid$=${end}]`);
  const empty = ["html, body, main, section", ...layout].join();
  for (let y = 150; y < 710; y += 85) {
    for (let x = 330; x < 1270; x += 120) {
      let at = document.elementFromPoint(x, y);
      for (let inner; (inner = at?.shadowRoot?.elementFromPoint(x, y)) && inner !== at; ) at = inner;
      if (!at || at.matches(empty) || met.has(at)) continue;
      if (!at.closest("canvas, svg, iframe")) met.add(at);
      found.push([x, y]);
    }
  }
  return found;
}"""


@pytest.fixture(scope="module")
def explained(shipped: Checkpoint) -> Explanation:
    return explain(shipped, TEXT)


def asked(name: str, predict: str) -> str:
    parameters = {"text": TEXT, "step": STEP, "layer": LAYER, "head": HEAD, "predict": predict}
    return f"{name}?{urlencode(parameters)}"


def visit(source: Source, name: str, predict: str) -> Page:
    """Goes to a page; from when it rests on, everything is heard."""
    page = source.turn(asked(name, predict))
    page.evaluate(LISTEN)
    page.evaluate("forget()")
    return page


def told(page: Page, wanted: str, *, pointing: bool = True) -> set[str]:
    """What was told of the page since it was last forgotten, as far as it matches; the pointer goes all over the figure first."""
    for x, y in page.evaluate(POINTS) if pointing else ():
        page.mouse.move(x, y)
    page.mouse.move(5, 700)
    page.wait_for_timeout(SAID)
    return {line[:200] for line in page.evaluate("listen()") if re.search(wanted, line)}


def press(page: Page, key: str) -> None:
    page.keyboard.press(key)
    bare.frame(page)


@pytest.mark.parametrize(("anew", "names"), RUNS, indirect=["anew"], ids=["first", "last", "site"])
def test_the_next_word_is_nowhere_until_it_is_revealed(anew: Source, explained: Explanation, names: list[str]) -> None:
    words = [token.text for token in explained.output if token.text.isalpha()]

    def from_step(step: int) -> str:
        return rf"\b({'|'.join(words[step - 1 :])})\b"

    assert words[STEP - 1] == "öffnete"
    page = visit(anew, names[0], "word")
    for name in filter(anew.has, names):
        go_to(page, name)
        if name in SHOWS_ITSELF:
            drawn = page.locator(f".st-key-_page {SHOWS_ITSELF[name]}").first
            assert drawn.evaluate("node => node.checkVisibility({ visibilityProperty: true })"), name
        assert not told(page, from_step(STEP)), name
        if name in IN_THE_BROWSER:
            press(page, "PageDown")
            expect(page.locator(".viz-top-bar .next").first).to_have_text("öffnete")
            assert not told(page, from_step(STEP + 1), pointing=False), name
            press(page, "ArrowRight")
            assert not told(page, from_step(STEP + 1), pointing=False), name
            press(page, "ArrowLeft")
            follows(page, step=str(STEP))
            page.wait_for_timeout(SAID)
        page.evaluate("forget()")


def test_the_strongest_source_word_is_said_nowhere_until_it_is_revealed(anew: Source, explained: Explanation) -> None:
    weights = explained.trace.attention("cross", LAYER - 1).weights[HEAD - 1, STEP - 1]
    query, key = explained.target.labels[STEP - 1], explained.source.labels[int(np.argmax(weights))]
    said = rf"«{query}( → öffnete)?» gives .*«{key}»"
    page = visit(anew, OF_WEIGHTS[0], "source")
    for name in filter(anew.has, OF_WEIGHTS):
        go_to(page, name)
        assert not told(page, said), name
    press(page, "PageDown")
    assert told(page, said, pointing=False)


READABLE = """() => {
  const found = [];
  const walk = (parent) => {
    for (const node of parent.childNodes) {
      const element = node.nodeType === 3 ? (node.parentElement ?? parent.host) : node;
      if (node.nodeType > 3 || ["STYLE", "SCRIPT"].includes(node.nodeName) || node.classList?.contains("buttons")) continue;
      const seen = element.checkVisibility?.({ visibilityProperty: true, opacityProperty: true });
      const named = node.nodeType === 1 && (node.getAttribute("aria-label") || (node.nodeName === "CANVAS" && "drawn"));
      const words = node.nodeType === 3 ? node.data.trim() : named;
      if (seen && words) found.push([words, (node.nodeType === 3 ? element : node).getBoundingClientRect().left]);
      walk(node);
      if (node.shadowRoot) walk(node.shadowRoot);
    }
  };
  walk(document.querySelector(".st-key-_page"));
  return found;
}"""
"""What of a page's figure can be seen or heard, and how far from the left it begins; its rows of buttons apart."""


@pytest.mark.parametrize("view", ["output?step=3", "decoding?step=3&case=beam"])
def test_nothing_of_a_figure_is_there_until_it_is_revealed(source: Source, view: str) -> None:
    page = source.turn(f"{view}&predict=figure")
    asked = page.get_by_text("What will the figure show?").filter(visible=True)
    expect(asked).to_have_count(1)
    assert page.evaluate(READABLE) == []
    page.keyboard.press("PageDown")
    expect(asked).to_have_count(0)
    page.wait_for_function(f"({READABLE})().length > 5")
    page.keyboard.press("ArrowRight")  # to a step that is not revealed


@pytest.mark.parametrize("view", ["what_if?edits=no_positions", "compare?show=attention", "compare?show=difference"])
def test_nothing_of_the_right_side_is_there_until_it_is_revealed(source: Source, view: str) -> None:
    page = source.turn(f"{view}&{urlencode({'text': 'Mary loves Tom.', 'step': 1, 'predict': 'right'})}")
    is_difference = "difference" in view
    middle = page.locator(".st-key-_page").evaluate(
        "node => { const { left, right } = node.getBoundingClientRect(); return (left + right) / 2; }"
    )
    read = page.evaluate(READABLE)
    told = [words for words, left in read if left > middle or is_difference]
    assert not [words for words in told if words == "drawn" or re.search(r"\d ?%|liebt", words)]
    assert not [words for words, _ in read if re.search(r"times (less|more) probable|bits|the other side", words)]
    page.keyboard.press("PageDown")
    page.wait_for_function(f"({READABLE})().length > {len(read) + 2}")
    page.keyboard.press("ArrowRight")  # to a step that is not revealed


def test_the_button_goes_through_the_answers_of_its_page_and_takes_none_elsewhere(source: Source) -> None:
    page = source.turn(f"what_if?{urlencode({'text': TEXT, 'step': STEP})}")
    button, shown = page.locator(".viz-player button.predict"), "(document.documentElement.dataset.predict ?? '')"
    for predict in ("right", "word", "", "right"):
        button.click()
        page.wait_for_function(f"{shown} === '{predict}'")
    expect(page.locator(".question .asks")).to_have_text("What comes out on the right? Guess, then press →.")
    go_to(page, "tokens")
    assert page.evaluate(shown) == ""
    follows(page, step=str(STEP))


def test_the_table_of_the_loss_hides_the_words_that_are_still_to_be_guessed(kept: Page, server: str) -> None:
    turn_to(kept, f"{server}/training?{urlencode({'show': 'loss', 'text': TEXT, 'step': STEP, 'predict': 'word'})}")
    hidden = kept.locator("td.write").nth(STEP - 1)
    for of_it in ("Der|Lehrer", "öffnete"):
        read = " ".join(words for words, _ in kept.evaluate(READABLE))
        assert re.search(of_it, read)
        assert ("öffnete" in read, "Tür" in read) == (of_it == "öffnete", False)
        kept.keyboard.press("PageDown")
        expect(hidden).not_to_have_text("?")
    kept.keyboard.press("ArrowRight")


def test_a_choice_is_right_or_wrong_at_once_and_the_button_reveals_before_it_steps(source: Source) -> None:
    page = source.turn(asked("output", "word"))
    choices, said = page.locator(".question .choices button"), page.locator(".question .asks")
    word, tally = page.locator(".viz-top-bar .row").last.locator(".next"), page.locator(".question .tally")
    expect(choices).to_have_count(6)
    labels = [label.lstrip("123456") for label in choices.all_text_contents()]
    assert labels == [*sorted(labels[:5], key=str.casefold), "another token"], "the order tells nothing"
    choices.filter(has_text="öffnete").click()
    expect(said).to_contain_text("Right: «öffnete»")
    expect(word).to_have_text("öffnete")
    press(page, "ArrowRight")
    press(page, str(next(at for at, label in enumerate(choices.all_text_contents(), 1) if "die" not in label)))
    expect(said).to_contain_text("the model says «die»")
    expect(tally).to_have_text("so far 1 of 2 right")
    press(page, "ArrowRight")
    word.click()  # its question mark
    expect(said).to_contain_text("The model: «alte»")
    expect(tally).to_have_text("so far 1 of 2 right")
    press(page, "ArrowRight")
    for shown in ("Tür", "?"):
        page.locator(".transport button.on").click()
        expect(word).to_have_text(shown)


def test_the_strongest_source_token_is_chosen_among_all(source: Source, explained: Explanation) -> None:
    page = source.turn(asked("cross_attention", "source"))
    weights = explained.trace.attention("cross", LAYER - 1).weights[HEAD - 1, STEP - 1]
    right = int(np.argmax(weights))
    choices = page.locator(".question .choices button")
    expect(choices).to_have_count(len(weights))
    choices.nth(right).click()
    expect(page.locator(".question .asks")).to_contain_text(f"Right: «{explained.source.labels[right]}»")
    page.keyboard.press("ArrowRight")  # to a step that is not revealed
