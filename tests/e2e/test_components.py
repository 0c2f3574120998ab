"""What holds for every component, seen on the top bar: it leaves what one types alone."""

import pytest
from playwright.sync_api import Page

from tests.e2e.bare import CORE
from tests.e2e.bundled import bundled
from viz_core.texts import texts

pytestmark = pytest.mark.e2e

MOUNT = """(texts) => {
  window.said = [];
  window.store = core.makeStore();
  store.limits = { ...store.limits, steps: 2, layers: 2, heads: 2, tokens: 2 };
  const root = Object.assign(document.querySelector("#root"), { send: () => {} });
  store.ask = (changes) => said.push(changes);
  const chips = (words) => words.map((word, at) => [word, at, ""]);
  const data = { source: chips(["I", "."]), target: chips(["<s>", "Ich", "."]), languages: ["en", "de"], texts };
  const lines = { typed: { source: "I.", target: "" }, suggested: { source: "", target: "Ich." } };
  window.data = { ...data, ...lines, model: "m", models: ["m"] };
  window.part = core.mountTopBar(root, window.data, store);
}"""


@pytest.fixture
def bar(tab: Page) -> Page:
    """A top bar on a blank page."""
    tab.set_content("<div id=root></div>")
    tab.add_script_tag(content=bundled(core=CORE))
    tab.evaluate(MOUNT, texts("app.top_bar"))
    return tab


def test_what_is_typed_its_caret_and_focus_stay_whatever_changes(bar: Page) -> None:
    bar.evaluate("store.typeSentence()")
    bar.keyboard.type("You and me")
    bar.keyboard.press("Home")
    bar.keyboard.press("ArrowRight")
    bar.evaluate("store.set({ step: 1, layer: 1 }); part.update({ ...data, source: [['You', 0, '']] })")
    bar.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    bar.keyboard.type("!")
    field = bar.get_by_role("textbox", name="Source")
    assert field.input_value() == "Y!ou and me"
    bar.keyboard.press("Enter")
    assert bar.evaluate("said.map(({ text }) => text)") == ["Y!ou and me"]
