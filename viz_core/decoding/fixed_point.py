"""The causal decoder asked for all places at once, again and again: Jacobi iteration (Song et al. 2021, Santilli et al. 2023).

Step by step the decoder reads its own words. All at once there are none to read yet, so that every place reads ⟨s⟩; in the next
pass each place reads what the pass before wrote on its left. The first token is greedy decoding's at once; a place whose left is
right is right in the next pass. So after pass t at least the first t tokens are greedy decoding's, and after N passes all are.
"""

from __future__ import annotations

from collections.abc import Iterator

import torch
from torch import Tensor

from viz_core.config import BOS_ID
from viz_core.model import Transformer
from viz_core.taps import OFF, Tap


@torch.inference_mode()
def fixed_point_steps(
    model: Transformer, memory: Tensor, memory_mask: Tensor, length: int, most: int, tap: Tap = OFF
) -> Iterator[Tensor]:
    """What each pass answers, until one answers what the pass before did: at most `most` passes.

    Args:
        model: with a causal decoder.
        memory, memory_mask: what its encoder gave for one sentence, (1, S, D) and (1, 1, 1, S).
        length: N, how many places are asked for.
        tap: sees each pass of the decoder.

    Yields:
        Log-probabilities at each place, (N, V).
    """
    read = torch.full((1, length), BOS_ID, device=memory.device)
    for _ in range(most):
        log_probs = model.generator(model.decode(read, memory, memory_mask, tap), tap.at("output"))[0]  # (N, V)
        yield log_probs
        after = torch.cat([read[:, :1], log_probs.argmax(-1)[None, :-1]], dim=1)  # (1, N)
        if torch.equal(after, read):
            return
        read = after
