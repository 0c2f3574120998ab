"""All words shown: one folder a language, one TOML file a page, values put in at [[name]].

Markdown and LaTeX are full of braces and percent signs, so the places for values are in double square brackets.
"""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
LANGUAGE = "en"
_PLACE = re.compile(r"\[\[(\w+)\]\]")


@functools.cache
def texts(name: str, language: str = LANGUAGE) -> Mapping[str, Any]:
    """The texts of one page, such as `cross_attention`, or of one shared part, such as `notices`."""
    return tomllib.loads((FOLDER / language / f"{name}.toml").read_text("utf-8"))


def fill(template: str, values: Mapping[str, Any]) -> str:
    """Puts values in their places.

    Raises:
        KeyError: the template has a place for which there is no value.
    """
    return _PLACE.sub(lambda place: str(values[place[1]]), template)
