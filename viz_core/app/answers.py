"""Data by address: `/data/<view>?model=…&text=…&…` gives a figure's data, a pure function of the address without a session.

A view is a function known to `data_views.py`. Its signature declares its inputs: the checkpoint; the explanation, unless the view
is about the model alone; and its own parameters, each a `Literal`, `Annotated` with a parameter of the page (`OneOf`, `Number`),
a number `Between` two others, such numbers joined by `-`, a typed `Text`, or a `Right`.
The browser's requests: `viz_core/browser/kit/data.ts`.
"""

from __future__ import annotations

import hashlib
import inspect
import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, get_args, get_origin, get_type_hints
from urllib.parse import parse_qsl, urlencode
from weakref import WeakValueDictionary

from anyio import CapacityLimiter, from_thread, to_thread
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from viz_core.app.run_lock import turn
from viz_core.app.streamlit_files import below_base
from viz_core.errors import VizError
from viz_core.params import Number, OneOf, Text, finite, whole
from viz_core.texts import DEFAULT_LANGUAGE, fill, language, languages, speak, texts

if TYPE_CHECKING:
    from viz_core.checkpoint import Checkpoint
    from viz_core.edits import Edits
    from viz_core.explain import Explanation

OF_SENTENCE = ("model", "text", "target", "edits")
PARAMETERS = (*OF_SENTENCE, "lang", "of")
"""Parameters of every view. of: the digest of the weights, so that another model has another address."""
OF_MODEL = ("model", "lang", "of")
"""Parameters of a view about the model alone."""
SHOWN = 80
"""Characters of an address that a message quotes."""
LONG = 1.0
"""Seconds of waiting after which a reader may have left."""
AT_ONCE = 16
"""Requests from one reader's address that may wait in a thread; the others wait before it. A browser sends six at a time."""
_limits: WeakValueDictionary[str, CapacityLimiter] = WeakValueDictionary()
MOST = 32
"""Numbers in one parameter."""


class Refused(Exception):
    """An address without an answer: the status, and one sentence of `[answers]` in the reader's language."""

    def __init__(self, status: int, why: str, **values: str) -> None:
        self.status = status
        super().__init__(fill(texts("app.answers")[why], {name: value[:SHOWN] for name, value in values.items()}))


@dataclass(frozen=True)
class Between:
    """The least and the greatest value of a number: `Annotated[int, Between(1, 10)]`."""

    low: float
    high: float


Index = Annotated[int, Between(0, 99_999)]
"""Of a layer, a head or a position, from 0; the view checks the upper bound."""


@dataclass(frozen=True, eq=False)
class Right:
    """A second model or sentence, by the parameters `right_model`, `right_text`, `right_target` and `right_edits`."""

    checkpoint: Checkpoint
    explanation: Explanation


@dataclass(frozen=True)
class Sentence:
    """A model and its input: all that a figure depends on.

    Attributes:
        model: the name of a checkpoint; `name@step` for a snapshot of its training.
        target: the translation that the decoder reads; empty if the model writes it.
    """

    model: str
    text: str
    target: str = ""
    edits: Edits | None = None

    @classmethod
    def of(cls, asked: Mapping[str, str], side: str = "") -> Sentence:
        """The sentence of an address. side: prefix of its parameters.

        Raises:
            Refused: its edits are invalid.
        """
        from viz_core.edits import Edits

        model, text, target, link = (asked.get(side + name, "") for name in OF_SENTENCE)
        edits, wrong = Edits.from_link(link)
        if wrong:
            raise Refused(400, "edits", edits=wrong[0])
        return cls(model, text, target, edits)

    def parameters(self, side: str = "") -> dict[str, str]:
        """The parameters of its address."""
        values = self.model, self.text, self.target, self.edits.link() if self.edits else ""
        return {side + name: value for name, value in zip(OF_SENTENCE, values, strict=True) if value}

    def address(self, view: Callable[..., bytes], digest: str, **values: Any) -> str:
        """The address of a view's answer. digest: of the weights; values: of the view's own parameters."""
        shared = self.parameters() | {"lang": language(), "of": digest[:12]}
        named = {name: value for name, value in shared.items() if name in _shared(view)}
        for name, value in values.items():
            named |= value.parameters(f"{name}_") if isinstance(value, Sentence) else {name: _written(value)}
        return below_base(f"data/{view.__name__}?{urlencode(named, errors='replace')}")

    def read_model(self) -> Checkpoint:
        """The model.

        Raises:
            Refused: there is no model of this name.
            VizError: the model cannot be used.
        """
        from viz_core.app import models  # torch, which the server loads later

        if not models.is_offered(self.model):
            raise Refused(404, "no_model", model=self.model)
        return models.get_checkpoint(self.model)

    def read(self) -> tuple[Checkpoint, Explanation]:
        """The model and the pass.

        Raises:
            Refused: as for `read_model`.
            VizError: as for `read_model`; or the text is not a sentence.
        """
        from viz_core.app.cache import get_explanation
        from viz_core.edits import NONE

        checkpoint = self.read_model()
        return checkpoint, get_explanation(checkpoint, self.text, self.target, self.edits or NONE)


NOTHING = Sentence("", "")


def route() -> Route:
    """The server's route."""
    return Route(below_base("data/{view}"), _send)


def answer(view: str, asked: Mapping[str, str]) -> bytes:
    """A view's data; computed once for equal requests.

    Raises:
        Refused: the address is invalid.
        VizError: from `Sentence.read` or the view.
    """
    from viz_core.app.cache import cached
    from viz_core.app.data_views import views

    if (function := views().get(view)) is None:
        raise Refused(404, "no_view", view=view)
    own = declared(function)
    known = {*_shared(function), *own} | {f"{name}_{field}" for name, kind in own.items() if kind is Right for field in OF_SENTENCE}
    if unknown := next((name for name in asked if name not in known), None):
        raise Refused(400, "unknown", name=unknown)
    values = [_read(name, kind, asked) for name, kind in own.items()]
    sentence = Sentence.of(asked)
    subject = sentence.read() if _shared(function) is PARAMETERS else (sentence.read_model(),)
    return cached(function, *subject, *values)


def answer_at(address: str) -> bytes:
    """The answer at an address; errors as for `answer`."""
    path, _, query = address.partition("?")
    return answer(path.rpartition("/")[2], dict(parse_qsl(query)))


@cache
def declared(view: Callable[..., bytes]) -> dict[str, Any]:
    """The own parameters of a view with their kinds."""
    kinds = get_type_hints(view, include_extras=True)
    return {name: kinds[name] for name in inspect.signature(view).parameters if name not in ("checkpoint", "explanation")}


@cache
def _shared(view: Callable[..., bytes]) -> tuple[str, ...]:
    """The parameters that a view has in common with others."""
    return PARAMETERS if "explanation" in inspect.signature(view).parameters else OF_MODEL


def _written(value: Any) -> str:
    """A value of a view's own parameter in the form of an address."""
    return "-".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _read(name: str, kind: Any, asked: Mapping[str, str]) -> Any:
    """The value of a view's own parameter in an address.

    Raises:
        Refused: it is missing or invalid.
    """
    if kind is Right:
        return Right(*Sentence.of(asked, f"{name}_").read())
    text = asked.get(name, "")
    kind, limits = get_args(kind) if get_origin(kind) is Annotated else (str, OneOf(name, get_args(kind)))
    if isinstance(limits, Text):
        return text
    if isinstance(limits, OneOf):
        if text not in limits.options:
            raise Refused(400, "none_of", name=name, value=text, values=" ".join(limits.options))
        return text
    several = get_origin(kind) is tuple
    read = whole if int in (kind, *get_args(kind)) else finite
    values = [read(part) for part in (text.split("-", MOST) if several else [text])]
    valid = [value for value in values if value is not None and limits.low <= value <= limits.high]
    if len(valid) != len(values):
        raise beyond(name, text, limits)
    return tuple(valid) if several else valid[0]


def beyond(name: str, value: object, between: Between | Number) -> Refused:
    """The error for a number out of its range, which may depend on the model or the sentence."""
    return Refused(400, "beyond", name=name, value=str(value), low=f"{between.low:g}", high=f"{between.high:g}")


async def _send(request: Request) -> Response:
    host = request.client.host if request.client else ""
    reader = "" if host in ("127.0.0.1", "::1") else host  # as `st.context.ip_address` has it for the script's runs
    limit = _limits.setdefault(reader, CapacityLimiter(AT_ONCE))
    return await to_thread.run_sync(_respond, request, reader, limiter=limit)


def _respond(request: Request, reader: str) -> Response:
    query = request.query_params
    speak(query["lang"] if query.get("lang") in languages() else DEFAULT_LANGUAGE)
    try:
        if twice := next((name for name in query if len(query.getlist(name)) > 1), None):
            raise Refused(400, "twice", name=twice)
        came = time.monotonic()
        with turn(reader):
            if time.monotonic() - came > LONG and from_thread.run(request.is_disconnected):
                return Response(status_code=499)  # the reader has left
            content = answer(request.path_params["view"], query)
    except Refused as error:
        return _refuse(error.status, error)
    except VizError as error:
        return _refuse(400, error)
    except Exception:  # a fault of ours; to an answer without a sentence the browser would ask again for ever
        logging.getLogger(__name__).exception("the view %s", request.path_params["view"])
        return _refuse(500, Refused(500, "failed"))
    # The browser caches the answer and revalidates it each time; if unchanged, the reply is only its ETag.
    headers = {"Cache-Control": "private, no-cache", "ETag": f'"{hashlib.blake2s(content, digest_size=12).hexdigest()}"'}
    if request.headers.get("If-None-Match") == headers["ETag"]:
        return Response(status_code=304, headers=headers)
    return Response(content, media_type="application/octet-stream", headers=headers | {"Content-Encoding": "identity"})


def _refuse(status: int, error: Exception) -> Response:
    return JSONResponse({"error": str(error)}, status, headers={"Cache-Control": "no-store"})
