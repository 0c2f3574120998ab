"""What a link and a browser may ask of a page's parts, and what comes of everything else."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from viz_core.app.view_options import DEFAULT, NAMES, OPTIONS, ViewOptions, from_link, from_store


def test_view_options_come_back_from_its_link_and_from_the_store() -> None:
    look = ViewOptions("mask", "layer", "lines", "words", "log", "weight", "hide", "log", "5", "paper", "cross", (2, 11), 0.25, 7)
    assert {name for name, value in asdict(look).items() if value == getattr(DEFAULT, name)} == set(), (
        "each differs from the default"
    )
    assert from_link(look.link()) == (look, [])
    assert from_store({**asdict(look), "cell": [2, 11]}) == look
    assert DEFAULT.link() == {}


def test_the_cell_of_a_link_counts_from_1() -> None:
    assert ViewOptions(cell=(0, 4)).link() == {"cell": "1-5"}
    assert from_link({"cell": "1-5"})[0].cell == (0, 4)


@pytest.mark.parametrize("cell", ["0-1", "1", "1-", "-1-2", "1-2-3", "99999-1", "<b>", "\0"])
def test_a_cell_that_is_none_is_reported(cell: str) -> None:
    assert from_link({"cell": cell}) == (DEFAULT, ["cell"])


@pytest.mark.parametrize(
    "sent",
    [
        {"cell": [1]},
        {"cell": [True, 1]},
        {"cell": [-1, 0]},
        {"cell": "1-2"},
        {"stage": 3},
        {"show": ["one"]},
        {"temperature": "x"},
        {"dim": -1},
        {"dim": "2"},
        {"dim": True},
    ],
)
def test_what_a_browser_cannot_mean_is_left_out(sent: dict[str, object]) -> None:
    assert from_store(sent) == DEFAULT


def test_a_dimension_counts_from_1_in_a_link() -> None:
    assert ViewOptions(dim=4).link() == {"dim": "5"}
    assert from_link({"dim": "5"})[0].dim == 4
    for dim in ("0", "-1", "x", "1.5", "9999999"):
        assert from_link({"dim": dim}) == (DEFAULT, ["dim"])


def test_temperature_stays_in_its_range() -> None:
    assert from_link({"temperature": "99"})[0].temperature == 5
    assert from_link({"temperature": "nan"}) == (DEFAULT, ["temperature"])


def test_the_default_is_the_first_option() -> None:
    assert {name: options[0] for name, options in OPTIONS.items()} == {name: getattr(DEFAULT, name) for name in OPTIONS}
    assert set(OPTIONS) < set(NAMES)


RECORDED = json.loads(Path(__file__).with_name("view_addresses.json").read_text("utf-8"))
"""Of each address: its parameters; those of the link to what it shows; the names of those that mean nothing."""


def test_every_recorded_address_is_read_and_written_as_ever() -> None:
    read = [(asked, *from_link(asked)) for asked, *_ in RECORDED]
    assert [[asked, options.link(), wrong] for asked, options, wrong in read] == RECORDED
    assert all(from_link(options.link()) == (options, []) for _, options, _ in read if options.temperature in (1.0, 0.1, 5.0))
