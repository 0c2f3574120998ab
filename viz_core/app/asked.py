"""What a browser asks for, of which nothing is trusted; and what a run has shown of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

LONGEST = 20_000
"""Characters of a parameter that are read."""
MOST = 64
"""Parameters that are read."""


@dataclass(frozen=True)
class Asked:
    """What the browser asks for.

    Attributes:
        parameters: of the address.
        dormant: of the page's own controls that it did not show last, such as those of another view.
        carried: what goes from page to page without standing in the address, such as edits that are not applied.
        of: of the page's own controls, what each value belongs to, such as a list of tokens; none where it was just picked, or
            where a link names it.
        number: of the browser's visit. brought: how often Python itself has led to another address since.
        is_link: whether nothing but the address is known.
    """

    parameters: Mapping[str, str] = field(default_factory=dict)
    dormant: Mapping[str, str] = field(default_factory=dict)
    carried: Mapping[str, str] = field(default_factory=dict)
    of: dict[str, str] = field(default_factory=dict)
    number: int = 0
    brought: int = 0
    is_link: bool = True


@dataclass
class Shown:
    """What this run has shown so far, as `Asked` has it. wrong: parameters of the figures that none of them can have."""

    parameters: dict[str, str] = field(default_factory=dict)
    carried: dict[str, str] = field(default_factory=dict)
    of: dict[str, str] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)


def read(parameters: Any, said: Any, before: Asked) -> Asked:
    """What a browser says: see `session.visit`. before: what was shown until then."""
    told = said if isinstance(said, Mapping) else {}
    number = told.get("number")
    return Asked(
        _texts(parameters),
        _texts(told.get("dormant")),
        _texts(told.get("carried")),
        _texts(told.get("of")),
        number if type(number) is int else before.number,
        before.brought + (said is None),
        is_link="of" not in told,
    )


def _texts(found: Any) -> dict[str, str]:
    pairs = found.items() if isinstance(found, Mapping) else ()
    texts = [(name, text[:LONGEST]) for name, text in pairs if isinstance(name, str) and isinstance(text, str)]
    return {name: text.encode("utf-8", "replace").decode("utf-8") for name, text in texts[:MOST]}  # no half characters
