"""The controls of this page: what links, talks and “try this” may set.

The picked dimension (`ViewOptions.dim`) and the picked unit (`ViewOptions.cell`: token and rank) are the browser's.
"""

from typing import Literal

from viz_core.app.answers import Refused
from viz_core.app.page import Page
from viz_core.config import Stack
from viz_core.params import Choice, OneOf
from viz_core.trace import BLOCKS

Block = Literal["self_attn", "cross_attn", "ffn"]

SHOW = Choice("show", ("stream", "norm", "ffn"))
STACK = Choice("stack", ("encoder", "decoder"), walks=("encoder",))
SUBLAYERS = {  # the stream's is clicked in the figure, LayerNorm's picked in a list: three buttons would not fit the row
    "encoder": OneOf("sublayer_encoder", ("encoder_self_attn", "encoder_ffn"), width=150),
    "decoder": OneOf("sublayer_decoder", ("decoder_self_attn", "decoder_cross_attn", "decoder_ffn"), width=150),
}
SUBLAYER_ENCODER, SUBLAYER_DECODER = SUBLAYERS.values()


def require_block(stack: Stack, block: str) -> None:
    """Raises `Refused` where a stack has no such sub-layer."""
    if block not in BLOCKS[stack]:
        raise Refused(400, "none_of", name="block", value=block, values=" ".join(BLOCKS[stack]))


def pick_sublayer(p: Page, stack: Stack) -> str:
    """One sub-layer of a layer: self_attn, cross_attn or ffn."""
    return str(SUBLAYERS[stack].draw(p)).removeprefix(f"{stack}_")


def stack_tokens(p: Page, stack: Stack) -> tuple[list[str], int]:
    """The stack's token labels, all of the source or the target up to this step, and the index of the focused one."""
    if stack == "encoder":
        return p.view.source, p.view.token
    return p.view.target[: p.view.step + 1], p.view.step
