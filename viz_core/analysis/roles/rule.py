"""Which measure of a head is its role, and a head described in words."""

from collections.abc import Callable, Mapping

import numpy as np
import numpy.typing as npt

from viz_core.analysis.roles.table import NONE, SHARES, Heads, Measure
from viz_core.texts import fill, texts
from viz_core.trace import Doubles, Kind

Names = tuple[tuple[str, ...], ...]  # one for each layer and head

SHARE = 0.25
"""The least share of the weights that a role takes, on average."""
TIMES = 2.0
"""The least ratio of this share to what equal weights would give."""
COUNT = 50
"""The least number of queries."""
BEYOND = 1.5
"""A role that depends on words takes at least this many times what the head gives such keys anyway: by distance alone and, for
`repetition` in cross attention, where words that look alike are mostly translations of each other, to the aligned words."""
AGREEMENT = 0.5  # a head of the role `alignment` looks most where the others do, for at least this share of the words
CORE = 0.5  # one place (itself, previous, next) is a role of its own if it holds more than this share of what `near` holds


def stand_out(measures: Mapping[str, Measure], names: tuple[str, ...], shape: tuple[int, int]) -> Names:
    """The most prominent measure of each head, (layers, heads), among those named, whether it is a role or not."""
    ranks = {name: measures[name].prominence for name in names if name in measures and name != "near"}
    return _highest({NONE: np.full(shape, -np.inf)} | ranks)


def assign(measures: Mapping[str, Measure], names: tuple[str, ...], shape: tuple[int, int]) -> Names:
    """The role of each head: the most prominent measure that fits; `near` where only that fits, NONE where nothing does."""
    ranks = {name: np.where(fits(name, measures), _rank(name, measures), -np.inf) for name in names if name in measures}
    return _highest({NONE: np.full(shape, -np.inf)} | ranks)


def fits(name: str, measures: Mapping[str, Measure]) -> npt.NDArray[np.bool_]:
    """True where a measure may be the head's role, (L, h)."""
    measure = measures[name]
    good = (measure.values >= SHARE) & (measure.times >= TIMES) & (measure.count >= COUNT)
    if measure.by_distance is not None:
        good &= measure.values >= BEYOND * measure.by_distance
    if name == "repetition" and "alignment" in measures:
        good &= measure.values >= BEYOND * measures["alignment"].values
    if name == "alignment":
        good &= measures["agreement"].values >= AGREEMENT
    if name in ("self", "previous", "next") and "near" in measures:
        good &= measure.values > CORE * measures["near"].values
    return good


def _rank(name: str, measures: Mapping[str, Measure]) -> Doubles:
    """`near` comes behind all others: it holds what they hold."""
    return np.full_like(measures[name].values, -1.0) if name == "near" else measures[name].prominence


def _highest(ranks: Mapping[str, Doubles]) -> Names:
    """The name with the highest rank of each head; the first of equals."""
    names = list(ranks)
    return tuple(tuple(names[best] for best in row) for row in np.stack(list(ranks.values())).argmax(0))


Percent = Callable[[float], str]


def described(heads: Heads, kind: Kind, layer: int, head: int, percent: Percent) -> str:
    """One sentence about a head's role, with its numbers; without a role, about the closest measure. Layer and head from 0."""
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
    """The thing that a measure counts, in words that follow «attends to»."""
    return _words("what", kind, measure)


def named(kind: Kind, measure: str) -> str:
    return _words("name", kind, measure)


def _words(table: str, kind: Kind, key: str) -> str:
    """The attention's own words, where it has some."""
    words = texts("analysis.roles")
    return str(words.get(kind, {}).get(table, {}).get(key) or words[table][key])
