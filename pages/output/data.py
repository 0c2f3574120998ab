"""What the server answers for this page: the next-token distributions, and each logit as a sum of terms."""

import numpy as np

from viz_core.analysis.next_token import logit_terms
from viz_core.browser.output_payload import candidates, next_token_payload
from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation


def next_token(checkpoint: Checkpoint, explanation: Explanation) -> bytes:
    """The next-token distribution of every step."""
    ids = np.array([candidates(step) for step in explanation.steps])
    return next_token_payload(explanation, checkpoint.tokenizer, logit_terms(checkpoint.model, explanation.trace, ids))


VIEWS = (next_token,)
