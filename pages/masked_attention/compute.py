"""The two reasons why a query may not look at a key."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Booleans = npt.NDArray[np.bool_]


def mask_reasons(real: int, length: int) -> tuple[Booleans, Booleans]:
    """The causal mask and the padding mask of one padded target, True where a query may look (Vaswani et al. 2017, §3.2.3).

    Derived from its number of real tokens; a test compares their conjunction with the recorded mask.

    Returns:
        (T, T) lower triangular, and (T, T) with the columns of padding False.
    """
    causal = np.tril(np.ones((length, length), dtype=np.bool_))
    return causal, np.broadcast_to(np.arange(length) < real, (length, length))
