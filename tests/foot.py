"""What stands behind the buttons of a page, which is built when it is opened."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from streamlit.testing.v1 import AppTest

from viz_core.app.session import SAID
from viz_core.params import CARRIED, EVERYWHERE


def controls(app: AppTest) -> dict[str, dict[str, Any]]:
    """Each control on the page by the key of its value, as the browser gets it."""
    return {each["name"]: each for each in parts(app, "control")}


def parts(app: AppTest, name: str) -> list[dict[str, Any]]:
    """The data of the parts of this name."""
    protos = [each.proto for each in app.get("bidi_component")]
    return [json.loads(proto.json)[0] for proto in protos if proto.component_name == f"viz_core_{name}"]


def tried(app: AppTest) -> list[dict[str, Any]]:
    """The question below the title, if there is one."""
    return [each["entries"][0] for each in parts(app, "try_this") if each["tried"]]


def ask(app: AppTest, **changes: object) -> AppTest:
    """Another address of the page, as the browser visits it; None for a parameter that goes."""
    now, names = app.session_state["_request"], {name: None if text is None else str(text) for name, text in changes.items()}
    carried = {name: text for name, text in names.items() if name in CARRIED}
    asked = replace(
        now, parameters=_changed(now.parameters, {name: text for name, text in names.items() if name not in carried}),
        carried=_changed(now.carried, carried), of={name: of for name, of in now.of.items() if name not in changes},
    )  # fmt: skip
    app.session_state["_request"] = asked
    if not app.session_state["_lecture"]:
        app.session_state["_said"] = []
    app.run()
    assert not app.exception, app.exception
    return app


def _changed(texts: Mapping[str, str], changes: Mapping[str, str | None]) -> dict[str, str]:
    return {name: text for name, text in {**texts, **changes}.items() if text is not None}


@dataclass(frozen=True)
class Link:
    """A button that asks for another address. asks: the changes of it; each: further ones by names of the view, nested."""

    label: str
    page: str
    asks: dict[str, str | None]
    each: tuple[list[str], Any]
    disabled: bool


def links(app: AppTest) -> dict[str, Link]:
    """All of them on the page by key."""
    found = {has["name"]: Link(has["label"], has["page"], has["asks"], has["each"], has["disabled"]) for has in parts(app, "link")}
    entries = [entry for each in parts(app, "try_this") if not each["tried"] for entry in each["entries"]]
    found |= {f"try_{entry['key']}": Link(entry["label"], "", entry["changes"], ([], {}), False) for entry in entries}
    if tried(app):
        found["tried_close"] = Link("", "", {"tried": None}, ([], {}), False)
    return found


def press(app: AppTest, key: str) -> AppTest:
    """The button with this key is pressed: the page shows, or another one opens, what it asks for."""
    link = links(app)[key]
    assert not link.disabled
    names, changes = link.each
    for name in names:
        changes = changes[int(app.session_state["_request"].parameters.get(name, 1)) - 1]
    changes = {**link.asks, **changes}
    return ask(led(app, link.page) if link.page else app, **changes)


def led(app: AppTest, page: str = "") -> AppTest:
    """A page to which a link leads, keeping what is chosen; without its name, that to which the last run leads, if to any."""
    name, asked = page.partition("/")[0], {}
    if name:
        now = app.session_state["_request"]
        asked = {name: text for name, text in now.parameters.items() if name in {*EVERYWHERE, "lang"}}
        asked[SAID] = json.dumps({"number": now.number, "of": {}, "carried": dict(now.carried)})
    else:
        for part in (part for part in parts(app, "address") if "go" in part):
            name, asked = part["go"].strip("/") or "overview", part["parameters"]
    if name:
        app.query_params.clear()
        app.query_params |= asked
        app.switch_page(f"{name}/page.py").run()
        app.query_params.clear()
    assert not app.exception, app.exception
    return app
