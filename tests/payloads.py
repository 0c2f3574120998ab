"""What the browser reads of a payload."""

import json
from typing import Any

import numpy.typing as npt
from safetensors.numpy import load

Payload = tuple[dict[str, npt.NDArray[Any]], dict[str, Any]]


def unpacked(sent: bytes) -> Payload:
    """The arrays, and what is said about them."""
    header = json.loads(sent[8 : 8 + int.from_bytes(sent[:8], "little")])
    return load(sent), json.loads(header["__metadata__"]["about"])
