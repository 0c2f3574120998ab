"""The two reasons why a query may not look at a key."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from viz_core.config import PAD_ID

Booleans = npt.NDArray[np.bool_]


def mask_reasons(ids: Sequence[int]) -> tuple[Booleans, Booleans]:
    """The causal mask and the padding mask of one padded target, True where a query may look (Vaswani et al. 2017, §3.2.3).

    Derived from the ids; a test compares their conjunction with the recorded mask.

    Returns:
        (T, T) lower triangular, and (T, T) with the columns of padding False.
    """
    real = np.asarray(ids) != PAD_ID
    length = len(real)
    causal = np.tril(np.ones((length, length), dtype=np.bool_))
    return causal, np.broadcast_to(real, (length, length))
