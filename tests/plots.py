"""What the browser reads of a payload, and what it draws of a page where it is: figures, tables, the texts below them."""

import base64
import json
from collections.abc import Mapping
from html import unescape
from typing import Any

import numpy as np
import numpy.typing as npt
from safetensors.numpy import load
from streamlit.testing.v1 import AppTest

from viz_core.app import answers
from viz_core.texts import fill

Payload = tuple[dict[str, npt.NDArray[Any]], dict[str, Any]]


def unpacked(sent: bytes) -> Payload:
    """The arrays, and what is said about them."""
    header = json.loads(sent[8 : 8 + int.from_bytes(sent[:8], "little")])
    return load(sent), json.loads(header["__metadata__"]["about"])


def plots(app: AppTest) -> list[dict[str, Any]]:
    """The figures of a page, in order."""
    return [figure_of(payload) for payload in payloads(app, "plot")]


def addresses(app: AppTest, part: str) -> list[str]:
    """Where the browser finds what the parts of this name show, in order."""
    protos = [each.proto for each in app.get("bidi_component")]
    return [json.loads(each.json)[0]["address"] for each in protos if each.component_name == f"viz_core_{part}"]


def answered(app: AppTest, part: str) -> list[Payload]:
    """What the browser gets there."""
    return [unpacked(answers.answer_at(address)) for address in addresses(app, part)]


class Open(dict[str, Any]):
    """Values of a text, of which those that the browser derives from a figure's data stay open."""

    def __missing__(self, name: str) -> str:
        return f"[[{name}]]"


def known(about: Mapping[str, Any], view: Mapping[str, int]) -> dict[str, Any]:
    """The values of the arithmetic at a place of the view, as the browser has them without a figure."""
    found = (Open if about["figure"] else dict)(about["shared"])
    if about["by"]:
        found["at"] = min({"row": view.get("step", 0), **view}.get(about["by"], 0), len(about["texts"]) - 1)
    return found


def below(app: AppTest, **view: int) -> dict[str, str]:
    """The texts below the figure by their section."""
    payload = next(iter(payloads(app, "arithmetic")), None)
    if payload is None:
        return {}
    about = unpacked(payload)[1]
    values = known(about, view)
    keys = {each["name"]: fill(each["template"], values) for each in about["sections"]}
    return {name: unescape(fill(about["texts"][key], values)) for name, key in keys.items() if key in about["texts"]}


def told(app: AppTest, **view: int) -> str:
    """The texts below the figure, a section after the other."""
    return "\n\n".join(below(app, **view).values())


def payloads(app: AppTest, part: str) -> list[bytes]:
    """What the parts of this name were sent, in order."""
    protos = [each.proto for each in app.get("bidi_component")]
    return [proto.bytes for proto in protos if proto.component_name == f"viz_core_{part}"]


def figure_of(payload: bytes) -> dict[str, Any]:
    """A figure as plotly gets it: `data` and `layout`."""
    return dict(arrays(unpacked(payload)[1]["figure"]))


def arrays(value: Any) -> Any:
    """With arrays in place of their texts."""
    if isinstance(value, dict) and "bdata" in value:
        shape = [int(each) for each in value.get("shape", "-1").split(",")]
        return np.frombuffer(base64.b64decode(value["bdata"]), value["dtype"]).reshape(shape)
    if isinstance(value, dict):
        return {name: arrays(each) for name, each in value.items()}
    return [arrays(each) for each in value] if isinstance(value, list) else value
