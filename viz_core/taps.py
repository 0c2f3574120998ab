"""Taps: every named quantity of the forward pass goes through one, on the line that computes it.

Off, a tap is the identity. A Recorder keeps an alias of the value. An Editor returns another value: an intervention (no √d_k, no
mask, one head removed) is one edit at one site.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from torch import Tensor

from viz_core.errors import TapError

Edit = Callable[[Tensor], Tensor]


def chained(first: Edit, second: Edit) -> Edit:
    """Both edits at one site: the second acts on what the first returns."""
    return lambda value: second(first(value))


def merged(first: Mapping[str, Edit], second: Mapping[str, Edit]) -> dict[str, Edit]:
    """Both sets of edits, by site; where they meet, the second acts on what the first returns."""
    return {**first, **{site: chained(first[site], edit) if site in first else edit for site, edit in second.items()}}


class Captured:
    """A value carried from one site to a later one of the same pass."""

    value: Tensor

    def capture(self, value: Tensor) -> Tensor:
        """At the earlier site: remembers the value and returns it unchanged."""
        self.value = value
        return value

    def then(self, compute: Callable[[Tensor], Tensor]) -> Edit:
        """At the later site: computes a new value from the captured one."""
        return lambda _: compute(self.value)

    def restore(self, value: Tensor) -> Tensor:
        """At the later site: the captured value itself."""
        return self.value


class Tap:
    """The identity: the tap of a pass that is neither recorded nor edited."""

    def __call__(self, site: str, value: Tensor) -> Tensor:
        return value

    def at(self, prefix: str) -> Tap:
        """The same tap one level down: `tap.at("encoder.0")("q", x)` is site `encoder.0.q`."""
        return self


OFF = Tap()


class Recorder(Tap):
    """Keeps every value that passes, by its full site name. It never copies and never changes a bit.

    Raises:
        TapError: a site is written twice in one pass.
    """

    def __init__(self, tensors: dict[str, Tensor] | None = None, prefix: str = "") -> None:
        self.tensors: dict[str, Tensor] = {} if tensors is None else tensors
        self._prefix = prefix

    def __call__(self, site: str, value: Tensor) -> Tensor:
        name = self._prefix + site
        if name in self.tensors:
            raise TapError(f"site {name} was written twice in one pass")
        self.tensors[name] = value
        return value

    def at(self, prefix: str) -> Recorder:
        return Recorder(self.tensors, f"{self._prefix}{prefix}.")


class Editor(Tap):
    """Replaces the value at chosen sites, then hands it on to the next tap.

    Args:
        edits: full site name → function of the passing tensor; it must keep shape and dtype.
        then: the tap that sees the edited value, such as a Recorder.

    Raises:
        TapError: an edit returns another shape or dtype.
    """

    def __init__(self, edits: Mapping[str, Edit], then: Tap = OFF, prefix: str = "") -> None:
        self._edits, self._then, self._prefix = edits, then, prefix

    def __call__(self, site: str, value: Tensor) -> Tensor:
        name = self._prefix + site
        if edit := self._edits.get(name):
            edited = edit(value)
            if edited.shape != value.shape or edited.dtype != value.dtype:
                raise TapError(
                    f"edit at {name} returns {edited.dtype} {tuple(edited.shape)}, expected {value.dtype} {tuple(value.shape)}"
                )
            value = edited
        return self._then(site, value)

    def at(self, prefix: str) -> Editor:
        return Editor(self._edits, self._then.at(prefix), f"{self._prefix}{prefix}.")
