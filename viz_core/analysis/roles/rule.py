"""The measure that is a head's role, and its words."""

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from viz_core.analysis.roles.table import NONE, Measure
from viz_core.texts import texts
from viz_core.trace import Doubles, Kind

Names = tuple[tuple[str, ...], ...]  # one for each layer and head

SHARE = 0.25  # least share of the weights that a role takes, on average
TIMES = 2.0  # least ratio of this share to that of equal weights
COUNT = 50  # least number of queries
BEYOND = 1.5
"""A role that depends on words takes at least this many times the share that such keys get anyway: by distance alone and, for
`repetition` in cross attention, as the aligned words, since words that look alike are mostly translations of each other."""
AGREEMENT = 0.5  # a head with the role `alignment` attends most to the same word as the others for at least this share of words
CORE = 0.5  # one place (itself, previous, next) is a role of its own if it takes more than this share of what `near` takes


def assign(measures: Mapping[str, Measure], names: tuple[str, ...], shape: tuple[int, int]) -> Names:
    """The role of each head: the most prominent measure that fits, `near` if only that fits, NONE if nothing does."""
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
    """Prominence, with `near` behind all others, since it includes them."""
    return np.full_like(measures[name].values, -1.0) if name == "near" else measures[name].prominence


def _highest(ranks: Mapping[str, Doubles]) -> Names:
    """The name with the highest rank for each head; the first of equals."""
    names = list(ranks)
    return tuple(tuple(names[best] for best in row) for row in np.stack(list(ranks.values())).argmax(0))


def named(kind: Kind, measure: str) -> str:
    """The attention's own words for a measure, if it has any, else the general ones."""
    words = texts("analysis.roles")
    return str(words.get(kind, {}).get("name", {}).get(measure) or words["name"][measure])
