"""Errors caused by the input: a model, a text, a file or a link.

A message speaks to the person who caused it and names the file, line or number at fault. A mistake of our own stays an ordinary
Python exception.
"""

from collections.abc import Iterable
from difflib import get_close_matches


class VizError(Exception):
    """Base of all errors with a message that may be shown to the reader as it is."""


class ConfigError(VizError):
    """A model that cannot be built or used with these settings, or an edit of a part that it lacks."""


class TextError(VizError):
    """A text that cannot be explained."""


class CheckpointError(VizError):
    """A checkpoint folder that is missing a file, is damaged, or was made by another program."""


class PairsError(VizError):
    """A file of sentence pairs with a line that cannot be used."""


class Diverged(VizError):
    """A training run whose loss, gradient or weights are no longer finite numbers."""


class ImportFailed(VizError):
    """A model of another program that cannot be read here."""


class LinkError(VizError):
    """A link that no QR code can hold."""


class TapError(VizError):
    """A site that is unknown, was not recorded, or was written twice in one pass."""


NO_MEMORY = ("out of memory", "allocate memory", "failed to map segment")  # of torch, of the system, of a library's file


def lacks_memory(error: BaseException) -> bool:
    """True for an out-of-memory error of Python, torch or the system."""
    return isinstance(error, MemoryError) or any(words in str(error).lower() for words in NO_MEMORY)


def nearest(name: object, names: Iterable[str]) -> str:
    """End of a message about an unknown name: the known name spelt most like it, or all names if there are few."""
    known = list(dict.fromkeys(names))
    if matches := get_close_matches(str(name), known, 1, cutoff=0.5):
        return f"the nearest is {matches[0]!r}"
    return f"there are {', '.join(map(repr, known))}" if len(known) <= 8 else f"there are {len(known)} others, such as {known[0]!r}"


QUOTED = 100  # characters of a value that does not fit


def require(settings: object, **fields: tuple[bool, str]) -> None:
    """Checks fields of some settings, each given as (whether its value fits, what is expected).

    Raises:
        ConfigError: a field does not fit; the message quotes it.
    """
    for name, (fits, expected) in fields.items():
        if not fits:
            value = repr(getattr(settings, name))
            raise ConfigError(f"{name} is {value if len(value) <= QUOTED else value[:QUOTED] + ' …'}, expected {expected}")
