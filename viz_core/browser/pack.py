"""Arrays and labels as bytes in the safetensors format, which JavaScript reads in a dozen lines."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from safetensors.numpy import save

from viz_core.texts import visible

EXACT = 1 << 21
"""Bytes up to which an array is sent as float32, exact to the last bit, as for all shipped models. Larger ones are sent as float16,
with the exact numbers of a locked cell."""


def pack(tensors: Mapping[str, npt.NDArray[Any]], about: Mapping[str, Any]) -> bytes:
    """Arrays (float64, float32, float16, int32, uint8, bool) with a description in JSON."""
    arrays = {
        name: np.ascontiguousarray(array.astype(np.uint8) if array.dtype == bool else array) for name, array in tensors.items()
    }
    described = json.dumps(about, ensure_ascii=False, separators=(",", ":"), default=lambda array: array.tolist())
    return save(arrays, metadata={"about": described})


def compact(array: npt.NDArray[Any], exact: int = EXACT) -> npt.NDArray[Any]:
    """A small array as float32, a larger one as float16: half the bytes, three digits, clipped to its range."""
    if array.nbytes <= exact:
        return array.astype(np.float32, copy=False)
    limit = float(np.finfo(np.float16).max)
    return np.clip(array, -limit, limit).astype(np.float16)


def pack_vectors(vectors: npt.NDArray[Any], labels: Sequence[str], **about: Any) -> bytes:
    """Vectors as coloured cells: (n, C), one in each row, or (T, n, D), a few of each token.

    The figures `vector_matrix` and `vector_table` explain `about`. labels: of the rows or tokens.
    """
    name = "values" if vectors.ndim == 2 else "vectors"
    return pack({name: np.asarray(vectors, np.float32)}, {**about, "labels": [visible(label) for label in labels]})
