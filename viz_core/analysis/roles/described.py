"""A head in plain words, from `texts/<language>/roles.toml`."""

from __future__ import annotations

from collections.abc import Callable

from viz_core.analysis.roles.rule import stand_out
from viz_core.analysis.roles.table import NONE, SHARES, Heads
from viz_core.texts import fill, texts
from viz_core.trace import Kind

Percent = Callable[[float], str]


def described(heads: Heads, kind: Kind, layer: int, head: int, percent: Percent) -> str:
    """One sentence about what a head does, with its numbers; where it has no role, what comes closest.

    Args:
        layer, head: from 0; they are written from 1.
        percent: how a share is written.
    """
    words, role = texts("analysis.roles"), heads.roles[layer][head]
    numbers: dict[str, object] = {"layer": layer + 1, "head": head + 1}
    closest = stand_out(heads.measures, SHARES[kind], (len(heads.roles), len(heads.roles[0])))[layer][head]
    shown = closest if role == NONE else role
    if shown == NONE:
        return fill(words["unmeasured"], numbers)
    measure = heads.measures[shown]
    share, times = measure.values[layer, head], measure.times[layer, head]
    numbers |= {"what": what(kind, shown), "share": percent(share), "times": f"{times:.1f}"}
    if role == NONE:
        return fill(words["none"], numbers | {"spread": f"{2 ** heads.measures['entropy'].values[layer, head]:.1f}"})
    if role == "alignment":
        return fill(words["aligned"], numbers | {"agreement": percent(heads.measures["agreement"].values[layer, head])})
    return fill(words["role"], numbers)


def what(kind: Kind, measure: str) -> str:
    """What a measure counts, in words that fit behind «looks at»."""
    return _words("what", kind, measure)


def named(kind: Kind, measure: str) -> str:
    """A measure or a role in a word or two."""
    return _words("name", kind, measure)


def _words(table: str, kind: Kind, key: str) -> str:
    """The attention's own words, where it has some."""
    words = texts("analysis.roles")
    return str(words.get(kind, {}).get(table, {}).get(key) or words[table][key])
