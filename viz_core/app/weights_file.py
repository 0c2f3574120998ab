"""W of one head as a file that browsers keep: it is the model's, the same for all sentences, so that no payload carries it.

All heads of one projection are a megabyte in the shipped shapes; one of them is 32 kB.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

from starlette.requests import Request
from starlette.responses import Response

from viz_core.app.base_path import below_base

if TYPE_CHECKING:
    from viz_core.checkpoint import Checkpoint
    from viz_core.model.transformer import Transformer
    from viz_core.trace import Kind

FOR_GOOD = "public, max-age=31536000, immutable"
"""The address of what never changes under it."""

_models: WeakValueDictionary[str, Transformer] = WeakValueDictionary()
"""Those whose weights a page has named, by digest, as long as somebody keeps them."""


def weights_address(checkpoint: Checkpoint, kind: Kind, role: str) -> str:
    """Where the browser finds W, with places for layer and head, counted from 0."""
    _models[checkpoint.digest] = checkpoint.model
    return below_base(f"weights/{checkpoint.digest}/{kind}/{role}/[[layer]]/[[head]]")


def weights_path() -> str:
    """Of all these files."""
    return below_base("weights/{digest}/{kind}/{role}/{layer:int}/{head:int}")


def send_weights(request: Request) -> Response:
    """W of one head, row by row, as float32, the lowest byte first; 404 where this process has no such model or head."""
    from viz_core.analysis.head_weights import head_weights  # torch, which the server loads later

    asked = request.path_params
    if (model := _models.get(asked["digest"])) is None:
        return Response(status_code=404)
    try:
        weights, _ = head_weights(model, asked["kind"], asked["role"], asked["layer"], asked["head"])
    except ValueError:
        return Response(status_code=404)
    headers = {"Cache-Control": FOR_GOOD, "Content-Encoding": "identity"}  # such numbers do not shrink
    return Response(weights.astype("<f4").tobytes(), media_type="application/octet-stream", headers=headers)
