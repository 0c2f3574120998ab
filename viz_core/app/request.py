"""A browser's request, which is untrusted input, and the part of it that a run has shown."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

LONGEST = 20_000
"""Characters read of a parameter."""
MOST = 64
"""Parameters read."""


@dataclass(frozen=True)
class Request:
    """A browser's request.

    Attributes:
        parameters: of the address.
        dormant: values of the page's own controls that were not on display, such as those of another view.
        carried: values that go from page to page outside the address, such as edits that are not applied.
        of: for the page's own controls, the list that each value refers to, such as the tokens; absent if the value was just picked
            or comes from a link.
        number: number of the browser's visit.
        brought: how often Python itself has led to another address since.
        is_link: whether it consists of an address only.
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
    """The part of `Request` that this run has shown so far. wrong: parameters of the figures whose values are invalid."""

    parameters: dict[str, str] = field(default_factory=dict)
    carried: dict[str, str] = field(default_factory=dict)
    of: dict[str, str] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)


def read(parameters: Any, message: Any, before: Request) -> Request:
    """A browser's request from its message, see `session.visit`. before: the previous request."""
    fields = message if isinstance(message, Mapping) else {}
    number = fields.get("number")
    return Request(
        _texts(parameters),
        _texts(fields.get("dormant")),
        _texts(fields.get("carried")),
        _texts(fields.get("of")),
        number if type(number) is int else before.number,
        before.brought + (message is None),
        is_link="of" not in fields,
    )


def _texts(value: Any) -> dict[str, str]:
    pairs = value.items() if isinstance(value, Mapping) else ()
    texts = [(name, text[:LONGEST]) for name, text in pairs if isinstance(name, str) and isinstance(text, str)]
    return {name: text.encode("utf-8", "replace").decode("utf-8") for name, text in texts[:MOST]}  # no unpaired surrogates
