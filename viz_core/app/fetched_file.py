"""Files that the browser fetches when it needs them: no run of the script makes them, and no message carries them."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary, WeakValueDictionary, ref

from starlette.requests import Request
from starlette.responses import Response

from viz_core.app.base_path import below_base

if TYPE_CHECKING:
    from viz_core.explain import Explanation

OWN = "private, max-age=31536000, immutable"
"""What never changes, and is only for who has seen the sentence."""


class File:
    """A file that is there as long as somebody keeps this, by a token that nobody can guess: sentences are nobody else's.

    Args:
        content: the file; or what makes it, called with a number for each of these names.
        by: what of the view there is a file for each value of, such as `layer`, `head`.
    """

    def __init__(self, content: bytes | Callable[..., bytes], by: tuple[str, ...] = ()) -> None:
        self.content, self.by, self._token = content, by, secrets.token_urlsafe()
        _files[self._token] = self

    @property
    def address(self) -> str:
        """Where the browser finds it, with a place for each of the names, counted from 0."""
        return below_base("/".join(["fetched", self._token, *(f"[[{name}]]" for name in self.by)]))

    def read(self, place: list[str]) -> bytes:
        """What the browser gets.

        Raises:
            LookupError: there is nothing at this place, or it can't be made any more.
        """
        if len(place) != len(self.by) or not all(each.isdecimal() and len(each) < 5 for each in place):
            raise LookupError(place)
        return self.content if isinstance(self.content, bytes) else self.content(*map(int, place))


_files: WeakValueDictionary[str, File] = WeakValueDictionary()
_of_sentences: WeakKeyDictionary[Explanation, dict[tuple[Any, ...], File]] = WeakKeyDictionary()


def file_of(explanation: Explanation, make: Callable[..., bytes], *arguments: Any, by: tuple[str, ...] = ()) -> File:
    """`make(explanation, *arguments, …)`, which has no words, as long as the sentence is kept; it keeps none of them itself. by: of
    `File`.
    """
    kept = _of_sentences.setdefault(explanation, {})
    call = make, *map(_weak, (explanation, *arguments))
    if call not in kept:
        kept[call] = File(partial(_made, *call), by)
    return kept[call]


def _weak(value: Any) -> Any:
    try:
        return ref(value)
    except TypeError:  # a word or a number
        return value


def _made(make: Callable[..., bytes], *call: Any) -> bytes:
    from viz_core.app.cache import cached  # torch, which the server loads later

    arguments = [each() if isinstance(each, ref) else each for each in call]
    if None in arguments:
        raise LookupError
    return cached(make, *arguments)


def file_paths() -> tuple[str, ...]:
    """Of all these files."""
    return below_base("fetched/{token}"), below_base("fetched/{token}/{place:path}")


def send_file(request: Request) -> Response:
    """One of them; 404 where this process has none of this name, or has it no more."""
    try:
        content = content_at(request.url.path)
    except LookupError:
        return Response(status_code=404, headers={"Cache-Control": "no-store"})
    headers = {"Cache-Control": OWN, "Content-Encoding": "identity"}  # such numbers hardly shrink
    return Response(content, media_type="application/octet-stream", headers=headers)


def content_at(address: str) -> bytes:
    """What the browser gets there.

    Raises:
        LookupError: there is nothing.
    """
    token, *place = address.removeprefix(below_base("fetched/")).split("/")
    return _files[token].read(place)
