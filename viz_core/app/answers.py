"""Data by address: `/data/<view>?model=…&text=…&…` is what a figure shows, a pure function of the address; no session is asked.

A view is a function of checkpoint and explanation that `data_views.py` knows. How the browser asks: `viz_core/browser/kit/data.js`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from viz_core.app.base_path import below_base
from viz_core.app.turns import turn
from viz_core.errors import VizError
from viz_core.texts import DEFAULT_LANGUAGE, fill, language, languages, speak, texts

if TYPE_CHECKING:
    from viz_core.checkpoint import Checkpoint
    from viz_core.edits import Edits
    from viz_core.explain import Explanation

PARAMETERS = ("model", "text", "target", "edits", "lang", "of")
"""Of every view. of: the digest of the weights, so that another model is another address."""
SHOWN = 80
"""Characters of an address that a message repeats."""


class Refused(Exception):
    """An address that has no answer: the status, and one sentence of `[answers]` in the reader's language."""

    def __init__(self, status: int, why: str, **values: str) -> None:
        self.status = status
        super().__init__(fill(texts("app.answers")[why], {name: value[:SHOWN] for name, value in values.items()}))


@dataclass(frozen=True)
class Sentence:
    """What a model reads: all that a figure depends on.

    Attributes:
        model: the name of a checkpoint; `name@step` as it was during its training.
        target: the translation that the decoder reads; empty where the model writes it.
    """

    model: str
    text: str
    target: str = ""
    edits: Edits | None = None

    def address(self, view: str, digest: str) -> str:
        """Where the browser finds the answer of a view. digest: of the weights."""
        edits = self.edits.link() if self.edits else ""
        asked = {"model": self.model, "text": self.text, "target": self.target, "edits": edits, "lang": language()}
        named = {name: value for name, value in asked.items() if value}
        return below_base(f"data/{view}?{urlencode(named | {'of': digest[:12]}, errors='replace')}")

    def read(self) -> tuple[Checkpoint, Explanation]:
        """The model, and the pass.

        Raises:
            Refused: there is no such model.
            VizError: the model cannot be used, or the text is no sentence.
        """
        from viz_core.app import models  # torch, which the server loads later
        from viz_core.app.cache import get_explanation
        from viz_core.edits import NONE

        if not models.is_offered(self.model):
            raise Refused(404, "no_model", model=self.model)
        checkpoint = models.get_checkpoint(self.model)
        return checkpoint, get_explanation(checkpoint, self.text, self.target, self.edits or NONE)


def route() -> Route:
    """What the server answers."""
    return Route(below_base("data/{view}"), _send)


def answer(view: str, asked: Mapping[str, str]) -> bytes:
    """What a view shows; computed once for all who ask the same.

    Raises:
        Refused: the address means nothing.
        VizError: of `Sentence.read`, or of the view.
    """
    from viz_core.app.cache import cached
    from viz_core.app.data_views import views
    from viz_core.edits import Edits

    if (function := views().get(view)) is None:
        raise Refused(404, "no_view", view=view)
    if unknown := next((name for name in asked if name not in PARAMETERS), None):
        raise Refused(400, "unknown", name=unknown)
    edits, wrong = Edits.from_link(asked.get("edits", ""))
    if wrong:
        raise Refused(400, "edits", edits=wrong[0])
    sentence = Sentence(asked.get("model", ""), asked.get("text", ""), asked.get("target", ""), edits)
    return cached(function, *sentence.read())


def _send(request: Request) -> Response:
    asked = request.query_params
    speak(asked["lang"] if asked.get("lang") in languages() else DEFAULT_LANGUAGE)
    try:
        if twice := next((name for name in asked if len(asked.getlist(name)) > 1), None):
            raise Refused(400, "twice", name=twice)
        with turn():
            content = answer(request.path_params["view"], asked)
    except Refused as error:
        return _refuse(error.status, error)
    except VizError as error:
        return _refuse(400, error)
    # Kept by the browser, and asked for again each time: where nothing has changed, the answer is its name alone.
    headers = {"Cache-Control": "private, no-cache", "ETag": f'"{hashlib.blake2s(content, digest_size=12).hexdigest()}"'}
    if request.headers.get("If-None-Match") == headers["ETag"]:
        return Response(status_code=304, headers=headers)
    return Response(content, media_type="application/octet-stream", headers=headers | {"Content-Encoding": "identity"})


def _refuse(status: int, error: Exception) -> Response:
    return JSONResponse({"error": str(error)}, status, headers={"Cache-Control": "no-store"})
