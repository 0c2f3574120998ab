"""What the browser can do costs the server nothing: no message, no run; and Python learns of it with the next message."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from tests.e2e.bare import FRAME, frame
from tests.e2e.driving import TURN, Frames, follows, go_to, query, settle, turn_to
from tests.e2e.test_silent_heads import FIGURE as MAPS
from tests.e2e.test_silent_heads import pick

pytestmark = pytest.mark.e2e

Move = Callable[[Page], None]
TEXT, LONG = "text=The+otter+paints+the+map.", "text=" + "+".join(["The+very+old+house+is+big."] * 2)
WHY = {
    "logit_lens": "rank of «", "logit_attribution&against=Hund": "and not «Hund»?", "alignment&by=head_by": "Head 2 of layer 2",
    "rollout": "at step 2 back to the source",
}  # fmt: skip
"""What the first figure of each view of Why says in the end."""


@pytest.fixture
def page(kept: Page) -> Page:
    """The tab that is kept: an address says all that is changed here."""
    return kept


def turn_temperature(page: Page) -> None:
    page.get_by_role("slider", name="Temperature").focus()
    page.keyboard.press("ArrowRight")


def turn_dimension(page: Page) -> None:
    page.locator(".viz-qkv canvas").focus()
    page.keyboard.press("ArrowRight")


def there_and_back(page: Page) -> None:
    """By a key of the page and one of the figure in the same frame."""
    page.locator(".viz-waves canvas").evaluate("""(canvas) => {
      for (const [node, key] of [[document.body, "ArrowRight"], [canvas, "ArrowLeft"]])
        node.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, composed: true, cancelable: true }));
    }""")


def press(*keys: str) -> Move:
    def pressed(page: Page) -> None:
        for key in keys:
            page.keyboard.press(key)

    return pressed


def open_masked(page: Page) -> None:
    frame(page)
    page.locator(".opens[data-opens=masked]").press("Enter")
    expect(page.locator(".lens-picture")).to_be_visible()
    settle(page)


def pick_key(page: Page) -> None:
    page.get_by_role("combobox", name="Key", exact=True).select_option(index=3)


def click(place: str, at: int) -> Move:
    return lambda page: page.locator(place).nth(at).click()


def click_figure(x: float, y: float, picks: str) -> Move:
    """There, in parts of the figure; it picks what the address then names."""

    def clicked(page: Page) -> None:
        canvas = page.locator(".viz-part canvas").first
        canvas.scroll_into_view_if_needed()
        box = canvas.bounding_box()
        assert box
        page.mouse.click(box["x"] + x * box["width"], box["y"] + y * box["height"])
        page.wait_for_function("name => new URLSearchParams(location.search).has(name)", arg=picks)

    return clicked


NAMES_TO_COPY = "text=" + "+".join(["Zorvana"] * 12)
"""More tokens than there is room for at once."""
HEAD = "layer=1&head=1"
AT_TWO = {"layer": "2", "head": "2"}
SOURCE, TARGET = (f".viz-top-bar .line.{side} .token" for side in ("source", "target"))
MOVES: dict[str, tuple[list[Move | str], dict[str, str]]] = {
    f"?{HEAD}": ([press("ArrowRight", "ArrowDown", "]"), open_masked, press("PageDown", "Escape")], {"step": "2", **AT_TWO}),
    f"cross_attention?{HEAD}&stage=scores": (
        [
            "ArrowRight",
            press("ArrowDown", "]"),
            pick_key,
            lambda page: page.get_by_role("button", name="÷ √dₖ").click(),
            lambda page: page.get_by_role("button", name="Predict").click(),
        ],
        {"step": "2", **AT_TWO, "cell": "2-4", "stage": "scaled", "predict": "source"},
    ),
    "self_attention": (["ArrowRight"], {}),
    f"masked_attention?{HEAD}&stage=scaled": (["ArrowRight", press("ArrowDown", "]")], {"step": "2", **AT_TWO}),
    "tokens?token=1": (["ArrowRight", click(".viz-spelling .id", 2)], {"token": "3"}),
    "embeddings": (["ArrowRight", press("ArrowRight"), click(SOURCE, 2)], {"token": "3"}),
    "embeddings?show=matrix": ([press("ArrowRight")], {"token": "3"}),
    "embeddings?show=near&side=target": (["ArrowRight"], {"step": "2"}),
    "embeddings?show=map": ([press("ArrowRight")], {"token": "3"}),
    "embeddings?show=context": (["ArrowRight"], {}),
    "positions": (["ArrowRight", there_and_back], {"token": "3"}),
    "positions?show=product": ([press("ArrowRight")], {"token": "3"}),
    f"qkv?{HEAD}": (
        [press("ArrowDown", "]", "ArrowDown", "ArrowUp"), "ArrowRight", turn_dimension, click(TARGET, 3)],
        {**AT_TWO, "token": "3", "dim": "2", "step": "3"},
    ),
    f"residual?{HEAD}": (["ArrowRight", press("ArrowDown", "]"), click(TARGET, 3)], {"token": "3", **AT_TWO, "step": "3"}),
    f"residual?show=norm&{HEAD}": (["ArrowRight", "ArrowDown", click_figure(0.5, 0.3, "dim")], {"token": "3", "layer": "2"}),
    f"residual?show=ffn&{HEAD}": (["ArrowRight", "ArrowDown", click_figure(0.65, 0.42, "cell")], {"token": "3", "layer": "2"}),
    "output": (["ArrowRight", turn_temperature], {"step": "2"}),
    "compare?second=The+otter+eats+the+map.&show=output&case=same": (["ArrowRight"], {}),
    "compare?show=attention": ([press("ArrowRight")], {}),
    "decoding?case=beam": (
        ["ArrowRight", "ArrowRight", click(".viz-beam-tree .candidates button", 1)],
        {"step": "3", "cell": "3-2"},
    ),
    "decoding?case=sampling&draw=2&first=cut": (["ArrowRight", "ArrowRight"], {"step": "3"}),
    "decoding?case=non_autoregressive": (["ArrowRight", "ArrowRight"], {"step": "3"}),
    f"decoding?case=copying&{NAMES_TO_COPY}": (["ArrowRight", "ArrowRight"], {"step": "3"}),
    f"heads?{HEAD}&show=roles": (["ArrowDown", "]"], AT_TWO),
    f"heads?{HEAD}&show=neurons": (["ArrowRight", "ArrowDown", "]"], AT_TWO),
    f"heads?{HEAD}&show=norm_weighted": (["ArrowRight", "ArrowDown", "]"], AT_TWO),
    **{f"why?{HEAD}&show={show}": (["ArrowRight+ArrowDown+]"], {"step": "2", **AT_TWO}) for show in WHY},
}
"""View → what is done there, and what the address says in the end. A key that stands by itself, or several with +, changes what is
said at once. One view for each kind of part: of all views `tests/pages/test_at_every_place.py` says that Python need not hear."""
BELOW, FIGURE, ROW, TABLES, LEAD = range(5)
SAID = """() => {
  const plot = document.querySelector(".viz-plot .js-plotly-plot");
  const rows = [...document.querySelectorAll(".filling tbody tr")];
  const label = document.querySelector(".viz-plot :is([role=slider], [role=img])")?.getAttribute("aria-label");
  const marked = rows.findIndex((row) => getComputedStyle(row.firstElementChild).boxShadow !== "none");
  const below = document.querySelector(".st-key-_below")?.innerText ?? "";
  return [below, `${label} | ${plot?.layout?.title?.text}`, `row ${marked}`];
}"""
"""The words below, name and title of a figure of plotly's, and which row of masks being filled in is marked."""
CHANGES = {
    "decoding?case=beam": [TABLES],
    "decoding?case=non_autoregressive": [ROW],
    f"why?{HEAD}&show=rollout": [BELOW, LEAD],
    f"why?{HEAD}&show=alignment&by=head_by": [LEAD],
} | {f"why?{HEAD}&show={show}": [BELOW, LEAD] for show in WHY if "logit" in show}
"""Of this what each key changes; elsewhere the words below."""
IN_THE_END = {
    "decoding?case=sampling&draw=2&first=cut": "| Step 3, after",
    "decoding?case=non_autoregressive": "row 2",
    f"decoding?case=copying&{NAMES_TO_COPY}": "| With copying, step 3 of",
} | {f"why?{HEAD}&show={show}": words for show, words in WHY.items()}


def said(page: Page) -> list[str]:
    """All of that, the tables of a beam, and what stands over a figure."""
    tables, lead = (page.locator(each).all_inner_texts() for each in (".viz-beam-tree .tables", ".viz-part > .lead"))
    return [*page.evaluate(SAID), "".join(tables), f"| {''.join(lead)}"]


@pytest.mark.parametrize("address", MOVES)
def test_what_one_does_is_seen_at_once_and_asks_for_nothing(page: Page, server: str, frames: Frames, address: str) -> None:
    moves, parameters = MOVES[address]
    changes = CHANGES.get(address, [BELOW])
    to, of = frames
    turn_to(page, f"{server}/{address}{'&' if '?' in address else '?'}{'' if 'text=' in address else TEXT}")
    if any(isinstance(move, str) for move in moves):
        drawn = ".st-key-_below h2, .viz-beam-tree .tables, .viz-plot .main-svg, .viz-agreement canvas, "
        drawn += ".viz-head-roles canvas, .filling"
        expect(page.locator(drawn).first).to_be_attached()
        for below in page.locator(".viz-beam-tree .tables, .st-key-_below").all()[:1]:
            below.scroll_into_view_if_needed()  # out of sight it is written a little later
        settle(page)
    to.clear()
    of.clear()
    for move in moves:
        if callable(move):
            move(page)
            continue
        was = said(page)
        press(*move.split("+"))(page)
        page.evaluate(FRAME)
        now = said(page)
        assert all(now[at] != was[at] for at in changes), move
    settle(page)
    assert (len(to), of) == (0, [])
    assert parameters.items() <= {"layer": "1", "head": "1", **query(page)}.items()
    assert IN_THE_END.get(address, "") in "".join(said(page))
    if address.partition("?")[0] not in ("heads", "why", "decoding"):
        change_the_sentence(page, f"{server}/{address}")


def change_the_sentence(page: Page, view: str) -> None:
    """The new one is longer, and the step that the link asks for is one that the last one lacks; `page` hears what is thrown."""
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/data/**", hold)
    page.evaluate(TURN, f"{view}{'&' if '?' in view else '?'}{LONG}&step=11&token=12")
    page.wait_for_function("() => document.documentElement.hasAttribute('data-busy')")
    page.wait_for_function("() => globalThis[Symbol.for('viz_core.store')].view.step === 10")
    for key in ("ArrowRight", "ArrowDown", "]", "ArrowLeft"):
        page.keyboard.press(key)
        frame(page)
    assert held
    for route in held:
        route.continue_()
    page.unroute("**/data/**")
    settle(page)


def test_what_was_done_is_said_before_what_is_asked(page: Page, server: str, frames: Frames) -> None:
    to, _ = frames
    turn_to(page, f"{server}/cross_attention?text=The+otter+paints+the+map.")
    for key in ("ArrowRight", "ArrowRight", "ArrowDown", "]"):
        page.keyboard.press(key)
    to.clear()
    go_to(page, "residual")
    assert len(to) == 1
    follows(page, step="3", layer="2", head="2")
    go_to(page, "output")
    page.keyboard.press("ArrowRight")
    to.clear()
    page.locator("[data-key=ask_why]").click()  # a control of Streamlit's that leads to another page
    page.wait_for_url("**/why?*")
    settle(page)
    follows(page, step="4", layer="2", head="2")
    page.go_back()
    page.wait_for_url("**/output?*")
    settle(page)
    follows(page, step="4")


def test_another_sentence_begins_anew_and_keeps_the_head(page: Page, server: str) -> None:
    turn_to(page, f"{server}/cross_attention?text=The+otter+paints+the+map.")
    for key in ("ArrowRight", "ArrowRight", "]"):
        page.keyboard.press(key)
    page.get_by_role("combobox", name="Key", exact=True).select_option(index=2)
    page.keyboard.press("/")
    page.keyboard.press("Control+A")
    page.keyboard.type("I love you.")
    page.keyboard.press("Enter")
    follows(page, text="I love you.", head="2")
    assert not {"step", "cell"} & set(query(page))


def test_a_cell_of_guided_attention_is_picked_and_asks_for_nothing(page: Page, server: str, frames: Frames) -> None:
    to, of = frames
    turn_to(page, f"{server}/training?show=guided&{TEXT}&step=2")
    expect(page.locator(f"{MAPS} [role=slider]")).to_be_visible()
    settle(page)
    to.clear()
    of.clear()
    pick(page, 1, 5)
    follows(page, cell="2-6")
    below = page.locator(".st-key-_below")
    expect(below.locator("annotation", has_text="exp").first).to_contain_text("(2/11 - 6/10)")
    page.keyboard.press("]")
    settle(page)
    assert query(page)["cell"] == "2-6" and (to, of) == ([], [])


def test_arithmetic_of_another_map_waits_for_its_own(page: Page, server: str) -> None:
    """A page's parts are changed one after the other: for a moment a text stands below a figure of another view."""
    turn_to(page, f"{server}/heads?{TEXT}&show=norm_weighted")
    expect(page.locator(".st-key-_below annotation", has_text="lVert").first).to_be_attached()
    page.evaluate("""() => {
      const store = globalThis[Symbol.for("viz_core.store")];
      store.give("plot", { ...store.given.plot, has: () => false, at: (name) => ({})[name].shape });
    }""")
    settle(page)  # out of sight it is written a little later; `page` hears what is thrown
    expect(page.locator(".st-key-_below annotation", has_text="lVert").first).to_be_attached()


def test_what_one_downloads_is_what_is_shown(page: Page, server: str) -> None:
    turn_to(page, f"{server}/output?text=The+otter+paints+the+map.")
    page.get_by_role("button", name="Downloads").click()
    settle(page)
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowRight")
    page.evaluate("globalThis[Symbol.for('viz_core.store')].set({ temperature: 2 })")
    settle(page)
    page.get_by_role("button", name="Downloads").click()
    with page.expect_download() as got:
        page.locator(".st-key-_download_csv button").click()
    assert got.value.suggested_filename.startswith("output-step2-")
    assert got.value.path().read_text("utf-8-sig").splitlines()[0].endswith("probability,probability_at_T_2")


def test_a_step_while_a_message_is_under_way_is_not_lost(page: Page, server: str) -> None:
    turn_to(page, f"{server}/cross_attention?text=The+otter+paints+the+map.")
    page.evaluate("""() => {
      const { send } = WebSocket.prototype;
      WebSocket.prototype.send = function (data) {
        WebSocket.prototype.send = send;
        document.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
        return send.call(this, data);
      };
    }""")
    page.keyboard.press("l")
    follows(page, lecture="on", step="2")
