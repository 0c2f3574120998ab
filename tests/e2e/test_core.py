"""The browser-side core in a real browser: numbers, payloads, the store and its keys; a component leaves alone what one types."""

import numpy as np
import pytest
from playwright.sync_api import Page

from tests.e2e.bare import CORE, bundled, sent
from viz_core.app.markup import e_to_the, number
from viz_core.browser.pack import compact, pack
from viz_core.figures.base import percent
from viz_core.figures.table import amount

pytestmark = pytest.mark.e2e


@pytest.fixture
def blank(tab: Page) -> Page:
    """A blank page with the core in `core`."""
    tab.set_content("<input id=typed><div id=free tabindex=0></div>")
    tab.add_script_tag(content=bundled(core=CORE))
    return tab


def test_numbers_are_written_as_python_writes_them(blank: Page) -> None:
    rng = np.random.default_rng(0)
    shares = [
        0.0, 1.0, 0.5, 0.995, 0.9949, 0.99999, 0.0995, 0.00995, 0.000995, 1e-7, 3e-12, *rng.random(300), *(rng.random(100) ** 12),
    ]  # fmt: skip
    values = [0.0, -0.0, 0.001, -15.67, 99999.9, 123456.0, 1e-9, *(rng.standard_normal(300) * 10 ** rng.uniform(-5, 6, 300))]
    floats = [float(np.float32(value)) for value in values]
    assert blank.evaluate("values => values.map(core.percent)", shares) == [percent(share) for share in shares]
    floats += [float("nan"), float("inf"), float("-inf")]
    assert blank.evaluate("values => values.map(core.number)", floats) == [number(value) for value in floats]
    sizes = [abs(value) for value in floats if np.isfinite(value)]
    assert blank.evaluate("values => values.map(core.amount)", sizes) == [amount(value) for value in sizes]
    exponents = [*(value for value in floats if abs(value) < 1e5), 709.0, 710.0, 3.2e9]
    assert blank.evaluate("values => values.map(core.eToThe)", exponents) == [str(e_to_the(value)) for value in exponents]


def test_a_payload_arrives_bit_for_bit_and_long_ones_rounded(blank: Page) -> None:
    exact = np.random.default_rng(1).standard_normal((2, 3, 5)).astype(np.float32)
    exact[0, 0, 0] = -np.inf
    halves = compact(np.array([0.1, -2.5, 6e-8, 1e9, 0.0], np.float32), exact=0)
    payload = pack({"a": exact, "m": exact > 0, "h": halves}, {"labels": ["▁</script>", "你好"]})
    got = blank.evaluate(
        """text => {
            const { about, tensors } = core.readTensors(core.bytesOf(text));
            const part = core.sliceOf(tensors.a, 1, 2);
            return [about.labels, tensors.a.shape, Array.from(part), Array.from(tensors.m.data), Array.from(tensors.h.data),
                    tensors.a.data[0] === -Infinity, tensors.a.exact, tensors.h.exact];
        }""",
        sent(payload),
    )
    assert got[0] == ["▁</script>", "你好"]
    assert got[1] == [2, 3, 5]
    assert got[2] == exact[1, 2].tolist()
    assert got[3] == (exact > 0).astype(int).ravel().tolist()
    assert got[4] == halves.astype(np.float32).tolist()
    assert got[5:] == [True, True, False]


STORE = """() => {
    const store = core.makeStore();
    const sizes = { steps: 200, layers: 4, heads: 8, tokens: 9 };
    store.limits = { page: "x", text: "t", ...sizes, walks: "step", stages: false, question: { asked: "word" } };
    store.sent = [];
    store.send = (name, value) => store.sent.push([name, value]);
    core.installKeys(store);
    store.painted = [];
    store.subscribe((view) => store.painted.push(view.step));
    store.set({ token: 0 });
    window.store = store;
}"""


HEARD = """(more) => {
    history.pushState = history.replaceState = () => {}; // a blank page has no address
    const path = location.pathname;
    const said = { session: "s", visited: 0, brought: 0, page: "x", path, pages: { [path]: "x" }, kept: {}, carried: {}, of: {} };
    const drawn = { ...said, run: 1, first: { step: "1" }, follows: ["step"], ...more };
    store.onMessage(drawn, (event, { number, parameters }) => store.sent.push([event, number, parameters]));
}"""
"""What Python says of the address at the end of a run."""


CLICKED = "<input type=range value=50><div role=slider tabindex=0>o</div><button>b</button><input type=radio><p>text</p>"


def test_a_field_has_all_keys_a_clicked_slider_its_arrows_and_nothing_else_has(blank: Page) -> None:
    """Nor has a figure, though it is a slider for those who hear it."""
    blank.evaluate(STORE)
    blank.focus("#typed")
    blank.keyboard.type("a 1 ]?")
    for key in ("ArrowRight", "Control+ArrowRight"):
        blank.keyboard.press(key)
    assert blank.input_value("#typed") == "a 1 ]?"
    assert blank.evaluate("[store.view.step, store.view.head, store.view.help]") == [0, 0, False]
    blank.evaluate("html => document.body.insertAdjacentHTML('beforeend', html)", CLICKED)
    for name, keeps in (("[type=range]", True), ("button", False), ("[role=slider]", False), ("[type=radio]", False), ("p", False)):
        blank.evaluate("store.set({ step: 5 })")
        blank.click(name)
        blank.keyboard.press("ArrowRight")
        assert blank.evaluate("store.view.step") == (5 if keeps else 6), name
        blank.keyboard.press("]")
        blank.keyboard.press("[")
        blank.keyboard.press("PageDown")
        assert blank.evaluate("store.view.step") == (6 if keeps else 7), "all other keys are the page's"
    assert blank.locator("[type=range]").input_value() == "51"


SIZES = {"page": "x", "text": "t", "steps": 50, "layers": 4, "heads": 8, "tokens": 9}


def adopted(blank: Page, **more: object) -> int:
    data = {"session": "s", "run": 1, "visited": 0, "brought": 0, "limits": SIZES, "view": {"step": 0}}
    blank.evaluate("data => store.adopt({ path: location.pathname, ...data })", {**data, **more})
    step: int = blank.evaluate("store.view.step")
    return step


def test_python_is_followed_but_never_brings_back_what_was_left(blank: Page) -> None:
    blank.evaluate(STORE)
    assert adopted(blank, run=1, view={"step": 3}) == 3
    blank.evaluate(HEARD, {})
    blank.evaluate("store.set({ step: 10 }); store.sync()")
    assert adopted(blank, run=2, view={"step": 3}) == 10, "older than what was asked for"
    blank.evaluate("store.set({ step: 12 })")
    assert adopted(blank, run=3, visited=1, view={"step": 10}) == 12, "answered, and left since"
    blank.evaluate(HEARD, {"run": 3, "visited": 1})
    blank.evaluate("store.ask({ size: '6' })")
    assert blank.evaluate("store.sent.at(-1)") == ["visit", 2, {"step": "13", "size": "6"}]
    assert adopted(blank, run=4, visited=2, view={"step": 7}) == 7, "the nearest that there is"
    assert adopted(blank, run=2, visited=2, view={"step": 10}) == 7, "a run that has been overtaken"
    assert adopted(blank, run=5, visited=2, brought=1, limits=SIZES | {"text": "another", "steps": 5}) == 0
    blank.evaluate("store.set({ step: 99 })")
    assert blank.evaluate("store.view.step") == 4


MOUNT = """() => {
  window.said = [];
  window.store = core.makeStore();
  store.limits = { ...store.limits, steps: 2, layers: 2, heads: 2, tokens: 2 };
  const root = Object.assign(document.querySelector("#root"), { send: () => {} });
  store.ask = (changes) => said.push(changes);
  const chips = (words) => words.map((word, at) => [word, at, ""]);
  const data = { source: chips(["I", "."]), target: chips(["<s>", "Ich", "."]), languages: ["en", "de"] };
  const lines = { typed: { source: "I.", target: "" }, suggested: { source: "", target: "Ich." } };
  window.data = { ...data, ...lines, model: "m", models: ["m"] };
  window.part = core.mountTopBar(root, window.data, store);
}"""


@pytest.fixture
def bar(tab: Page) -> Page:
    """A top bar on a blank page."""
    tab.set_content("<div id=root></div>")
    tab.add_script_tag(content=bundled(core=CORE))
    tab.evaluate(MOUNT)
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
