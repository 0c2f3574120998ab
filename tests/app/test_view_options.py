"""What a link and a browser may ask of a page's parts, and what comes of everything else."""

import json
import subprocess
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from tests.pages.test_all_pages import NAMES
from viz_core.app.controls import declared
from viz_core.app.view_options import DEFAULT, ViewOptions, from_link
from viz_core.params import EVERYWHERE, IN_BROWSER, OPTIONS, Param

ROOT = Path(__file__).parents[2]
RECORDED = json.loads(Path(__file__).with_name("view_addresses.json").read_text("utf-8"))
"""Of each address: its parameters; those of the link to what it shows; the names of those that mean nothing."""
ODD = [
    "", "0", "-1", "1.5", "1e400", "nan", "x" * 5000, "9" * 5000, "²", "\0", "\ud800", "<b>", "1-", "1-2-3", "0-1", "99999-1",
    "None",
]  # fmt: skip


def states(param: Param[Any]) -> list[Any]:
    """Values that a parameter can have, the usual one first."""
    read = [param.read(text) for text in (*vars(param).get("options", ()), "1", "0.3", "-7", "999999", "1-1", "3-12", "9999-1")]
    return [param.usual, *(value for value in read if value is not None)]


VIEWS: list[dict[str, Any]] = [{name: value} for name, param in OPTIONS.items() for value in states(param)]
VIEWS += [{name: states(param)[-at] for name, param in OPTIONS.items()} for at in (1, 2)]


def link(options: ViewOptions) -> dict[str, str]:
    """The parameters of an address: what is not as usual."""
    return {name: text for name, text in options.written().items() if text != DEFAULT.written()[name]}


def test_every_recorded_address_is_read_and_written_as_ever() -> None:
    read = [(asked, *from_link(asked)) for asked, *_ in RECORDED]
    assert [[asked, link(options), wrong] for asked, options, wrong in read] == RECORDED


@pytest.mark.parametrize("view", VIEWS, ids=str)
def test_a_state_comes_back_from_its_address(view: dict[str, Any]) -> None:
    options = ViewOptions(**view)
    assert from_link(link(options)) == (options, [])
    assert {*link(options)} == {name for name, value in view.items() if value != OPTIONS[name].usual}


@pytest.mark.parametrize("name", OPTIONS)
def test_an_odd_value_is_the_nearest_or_none(name: str) -> None:
    for options, wrong in (from_link({name: text}) for text in ODD):
        assert wrong == [name] or options == ViewOptions(**{name: getattr(options, name)})
        assert from_link(link(options)) == (options, [])


def test_no_parameter_fails_at_an_odd_value() -> None:
    for param in [*EVERYWHERE.values(), *(control for page in NAMES for control in declared(page).values())]:
        for text in ODD:
            assert param.has(text) in (True, False) and (param.read(text) is None or param.write(param.read(text)) is not None)


def test_the_browser_writes_the_same_addresses() -> None:
    views = [from_link(asked)[0] for asked, *_ in RECORDED] + [ViewOptions(**view) for view in VIEWS]
    places = [{"step": at % 2, "lecture": at % 2 == 1, "predict": ""} for at in range(len(views))]
    sent = [asdict(view) | place for view, place in zip(views, places, strict=True)]
    first = {name: IN_BROWSER[name].write(IN_BROWSER[name].usual) for name in sent[0]}
    entry = f"""import {{ parametersOf }} from "./viz_core/web/src/address.ts";
        const written = (view) => parametersOf(view, {{ first: {json.dumps(first)} }});
        console.log(JSON.stringify({json.dumps(sent)}.map(written)));"""
    build = ["node", "viz_core/web/build.mjs", "--stdin"]
    script = subprocess.run(build, cwd=ROOT, input=entry, capture_output=True, text=True, check=True).stdout
    done = subprocess.run(["node", "-"], input=script, capture_output=True, text=True, check=True)
    beside: list[dict[str, str]] = [{}, {"step": "2", "lecture": "on"}]
    assert json.loads(done.stdout) == [link(view) | beside[at % 2] for at, view in enumerate(views)]
