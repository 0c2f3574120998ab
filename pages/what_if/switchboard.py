"""The switchboard: every edit of the model as a switch, drawn in the browser."""

from collections.abc import Iterable, Mapping
from typing import Any

from viz_core.app import edited
from viz_core.app.components import connect
from viz_core.app.page import Page
from viz_core.app.view_options import View
from viz_core.edits import INTERVENTIONS, NONE, Edits, describe
from viz_core.edits.forms import Quantity, Switch
from viz_core.texts import texts, visible
from viz_core.trace import BLOCK, BLOCKS


def show_switchboard(p: Page) -> None:
    """Every edit as a switch; a click changes the draft of the edits."""
    connect("switchboard", board(p.view, edited.draft()))


def board(view: View, edits: Edits) -> dict[str, Any]:
    """The switchboard's data: the model's parts, the words of the sentence, and the edits that are on."""
    kinds, form = {place: kind for kind, place in BLOCK.items()}, INTERVENTIONS["temperature"].form
    assert isinstance(form, Quantity)
    return {
        "shape": {"layers": {stack: view.config.layers(stack) for stack in BLOCKS}, "heads": view.config.n_heads},
        "columns": [
            {"stack": stack, "block": block, "kind": kinds.get((stack, block))} for stack in BLOCKS for block in BLOCKS[stack]
        ],
        "switches": [name for name, intervention in INTERVENTIONS.items() if isinstance(intervention.form, Switch)],
        "temperature": (form.lowest, form.highest),
        "words": [visible(word.text) for word in view.explanation.source.words],
        "nothing": plain(NONE),
        "state": plain(edits),
        "edits": describe(edits) or (texts("app.sides")["nothing"],),
    }


def plain(edits: Edits) -> dict[str, Any]:
    """All edits, including those that are off, as JSON; numbers from 0."""
    return {name: _plain(getattr(edits, name)) for name in INTERVENTIONS}


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return list(value.items())
    return sorted(value) if isinstance(value, Iterable) else value
