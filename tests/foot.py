"""What stands behind the buttons of a page, which is built when it is opened."""

import json
from typing import Any

from streamlit.testing.v1 import AppTest


def downloads_open(app: AppTest, page: str) -> AppTest:
    """With the downloads in sight."""
    return _open(app, f"_downloads_of_{page}")


def talks_open(app: AppTest, page: str) -> AppTest:
    """With the talks, and the recorder, in sight."""
    return _open(app, f"_talks_of_{page}")


def controls(app: AppTest) -> dict[str, dict[str, Any]]:
    """Each control on the page by the key of its value, as the browser gets it."""
    found = [
        json.loads(each.proto.json)[0] for each in app.get("bidi_component") if each.proto.component_name == "viz_core_control"
    ]
    return {each["name"]: each for each in found}


def pick(app: AppTest, page: str, **values: Any) -> AppTest:
    """With these values of the page's own controls."""
    for name, value in values.items():
        app.session_state[f"{page}_{name}"] = value
    return app.run()


def scrubbed(app: AppTest) -> list[str]:
    """The slider over the steps of a run, if it is there, by the key of its value."""
    return [name for name in controls(app) if name.startswith("scrub_")]


def scrub(app: AppTest, step: str) -> AppTest:
    """With another step at that slider."""
    (key,) = scrubbed(app)
    app.session_state[key] = step
    return app.run()


def talk_lists(app: AppTest) -> list[list[dict[str, Any]]]:
    """The talks of each list on the page, as the browser gets them."""
    found = [each.proto for each in app.get("bidi_component") if each.proto.component_name == "viz_core_talk_list"]
    return [json.loads(each.json)[0]["talks"] for each in found]


def _open(app: AppTest, key: str) -> AppTest:
    app.session_state[key] = True
    return app.run()
