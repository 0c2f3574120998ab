"""The documents' list of link parameters is the one that the code declares."""

import re
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from tests.pages.test_all_pages import NAMES
from viz_core.app.controls import declared
from viz_core.params import EVERYWHERE, Item, Items, Number, Options, Param, Text
from viz_core.texts import languages

ROOT = Path(__file__).parents[1]
LINKS = ROOT / "docs/links.md"
MARKED = re.compile(r"(?<=<!-- parameters -->\n).*?(?=\n<!-- /parameters -->)", re.DOTALL)
SENTENCES = ROOT / "viz_core/training/sentences"


def values(param: Param[Any]) -> str:
    """What a parameter may be."""
    match param:
        case Number(low=low, high=high):
            return f"{low:g} to {high:g}"
        case Item(first=first):
            return f"from {first}"
        case Items(most=most):
            return f"up to {most} numbers, such as 1-3"
        case Text(such=such):
            return such
    return " ".join(str(option) for option in vars(param).get("options", ()) if option != "")


def row(name: str, page: str, own: Mapping[str, Param[Any]], others: str = "") -> str:
    options = {each.name: (each.metadata["param"], each.metadata["pages"]) for each in fields(Options)}
    listed = [(key, values(param)) for key, param in own.items()]
    listed += [(key, pages[page] or values(param)) for key, (param, pages) in options.items() if page in pages]
    return f"| {name} | {', '.join(f'`{key}` {such}'.strip() for key, such in listed)}{others} |" if listed else ""


def listed() -> str:
    """The list as it should stand in docs/links.md, from what the code declares."""
    rows = ["| page | its parameters |", "|---|---|", row("every page", "", EVERYWHERE, f", `lang` {' '.join(languages())}")]
    rows += [row("attention pages", "attention", {}), row("`/`", "overview", {}, ", and those of the attention pages")]
    rows += [row(f"`/{page}`", page, declared(page)) for page in NAMES if page != "overview"]
    return "\n".join(filter(None, rows))


def test_the_list_of_link_parameters_has_the_controls_that_the_pages_declare() -> None:
    found = MARKED.search(LINKS.read_text("utf-8"))
    assert found and found[0] == listed(), "run python -m tests.test_readme, which writes it"


if __name__ == "__main__":
    LINKS.write_text(MARKED.sub(listed(), LINKS.read_text("utf-8")), "utf-8")
