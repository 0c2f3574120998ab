"""The models that this session made, beside those that come with the program: they live in the server's memory only."""

from __future__ import annotations

import re

from viz_core.checkpoint import Checkpoint
from viz_core.training.material import OURS
from viz_core.app import cache, session

_MADE = re.compile(rf"(?:{OURS}|own)-[0-9a-f]{{6}}")


def named(pairs: str, digest: str) -> str:
    """What a fine-tuned model is called: after the pairs, ours or somebody's own, and its weights. Short: the sidebar is narrow."""
    return f"{OURS if pairs == OURS else 'own'}-{digest[:6]}"


def keep(checkpoint: Checkpoint) -> None:
    """Offers a model in this session; everybody who has its link gets it, too."""
    cache.lend(checkpoint)
    welcome(checkpoint.name)


def names() -> list[str]:
    """The models that this session is offered: those that load, then those it made, while the server keeps them."""
    shipped = cache.usable()[0]
    return [*shipped, *(name for name in session.get("_kept", ()) if cache.is_lent(name) and name not in shipped)]


def welcome(name: str | None) -> None:
    """Offers what a link asks for, where somebody has made it and the server still keeps it."""
    mine = session.get("_kept", ())
    if name is not None and name not in mine and cache.is_lent(name):
        session.change(_kept=(*mine, name))


def is_gone(name: str | None) -> bool:
    """Whether a name is that of a model that was made, and that the server keeps no longer."""
    return bool(name and _MADE.fullmatch(name) and name not in cache.usable()[0] and not cache.is_lent(name))
