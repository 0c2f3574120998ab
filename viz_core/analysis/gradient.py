"""The gradient of one step's loss by backpropagation (Rumelhart et al. 1986), for one weight matrix or the attention weights.

Other threads use the model at the same time, so weights are changed in a copy only. `torch.func.functional_call` would not do: it
puts other weights into the given modules for the time of the call.
"""

import copy
from dataclasses import dataclass
from typing import Literal

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from viz_core.edits import site_edits
from viz_core.explain import Explanation
from viz_core.model import Transformer
from viz_core.taps import Editor, Tap
from viz_core.trace import BLOCK, Array, Doubles, Kind

Matrix = Literal["w_q", "w_k", "w_v", "w_o", "w_1", "w_2"]
"""The matrices of one attention head (Vaswani et al. 2017, §3.2.2), and of the feed-forward network in its layer (§3.3)."""


@dataclass(frozen=True, eq=False)
class MatrixGradient:
    """The gradient of one step's loss with respect to one matrix W, where y = x W + b; in float64.

    Attributes:
        loss: L = −ln p(expected token), in nats.
        weights, gradient: W and ∂L/∂W, (inputs, outputs) each; for a head, only its part.
        x: the matrix's input, (positions, inputs).
        y_gradient: ∂L/∂y, (positions, outputs).
    """

    loss: float
    weights: Doubles
    gradient: Doubles
    x: Doubles
    y_gradient: Doubles

    @property
    def steepest(self) -> tuple[int, int]:
        """(input, output) of the weight with the largest absolute gradient."""
        i, j = divmod(int(np.abs(self.gradient).argmax()), self.gradient.shape[1])
        return i, j


class _Linear(nn.Module):
    """A linear map y = x Wᵀ + b that keeps x and y; its weights are as in `nn.Linear`, (outputs, inputs).

    Attributes:
        changed: (output, input) of one weight.   values: the values it takes instead, (B,), which makes the sentence a batch.
    """

    def __init__(self, weight: Tensor, bias: Tensor) -> None:
        super().__init__()
        self.weight, self.bias = nn.Parameter(weight.clone()), bias
        self.changed: tuple[int, int] | None = None
        self.values = self.x = self.y = weight

    def forward(self, x: Tensor) -> Tensor:
        self.x, self.y = x, F.linear(x, self.weight, self.bias)  # (B, T, inputs), (B, T, outputs)
        if self.changed is not None:
            # w′ in place of w changes one output only, by (w′ − w) x, which is cheaper than a whole matrix for each value.
            output, i = self.changed
            self.y = self.y.repeat(len(self.values) // len(x), 1, 1)
            self.y[..., output] += (self.values - self.weight[output, i])[:, None] * x[..., i]
        return self.y


@torch.inference_mode(False)
@torch.enable_grad()
def matrix_gradient(
    model: Transformer, ex: Explanation, step: int, kind: Kind, layer: int, head: int, matrix: Matrix
) -> MatrixGradient:
    """∂L/∂W for the loss of one step, after the correct tokens before it (teacher forcing).

    Args:
        step, layer, head: from 0. The edits of the explanation apply.
        kind: the attention that has the matrix, or that shares a stack with the feed-forward.
    """
    twin, linear = _copy_with(model, kind, layer, matrix)
    (loss,) = _losses(twin, ex, step)
    gradient, y_gradient = _gradients(loss, [linear.weight, linear.y])
    inputs, outputs = _part(model, head, matrix, linear.weight)
    arrays = (linear.weight.mT, gradient.mT, linear.x[0], y_gradient[0])
    weights, slopes, x, y = (tensor.detach().numpy() for tensor in arrays)
    return MatrixGradient(float(loss.detach()), weights[inputs, outputs], slopes[inputs, outputs], x[:, inputs], y[:, outputs])


@torch.inference_mode()
def loss_curve(
    model: Transformer, ex: Explanation, step: int, kind: Kind, layer: int, head: int, matrix: Matrix,
    at: tuple[int, int], values: tuple[float, ...],
) -> Doubles:  # fmt: skip
    """The loss of one step with one weight changed, (len(values),) in float64: one more forward pass for each value.

    Args:
        at: (input, output) of the weight, as in `MatrixGradient`.
        values: the values it takes instead.
    """
    twin, linear = _copy_with(model, kind, layer, matrix)
    inputs, outputs = _part(model, head, matrix, linear.weight)
    linear.changed = range(linear.weight.size(0))[outputs][at[1]], range(linear.weight.size(1))[inputs][at[0]]
    linear.values = torch.tensor(values, dtype=torch.float64)
    losses: Doubles = _losses(twin, ex, step, count=len(values)).numpy()
    return losses


@torch.inference_mode(False)
@torch.enable_grad()
def attention_gradient(model: Transformer, ex: Explanation, step: int, kind: Kind, layer: int) -> Array:
    """∂L/∂A of all heads of one attention, (h, Tq, Tk): rows are queries, columns keys, as in A.

    Each weight counts as independent: this is the gradient before it passes back through the softmax, which keeps row sums at 1.
    The decoder's rows are those that the step has read.
    """
    stack, block = BLOCK[kind]
    site, kept = f"{stack}.{layer}.{block}.weights", []

    def keep(weights: Tensor) -> Tensor:
        kept.append(weights.detach().requires_grad_())
        return kept[0]

    tap = Editor(site_edits(ex.edits, model.config), Editor({site: keep}))
    (loss,) = _losses(model, ex, step, tap)
    (gradient,) = _gradients(loss, kept)
    slopes: Array = gradient[0].numpy()
    return slopes


def _gradients(loss: Tensor, tensors: list[Tensor]) -> tuple[Tensor, ...]:
    """∂loss/∂tensor for each tensor; 0 where an edit has cut every path between them."""
    if not loss.requires_grad:
        return tuple(map(torch.zeros_like, tensors))
    return torch.autograd.grad(loss, tensors, materialize_grads=True)


def _losses(model: Transformer, ex: Explanation, step: int, tap: Tap | None = None, count: int = 1) -> Tensor:
    """−ln p(expected token) at one step, (B,).

    Args:
        count: number of values that the weight takes. The pass up to the weight is computed once for all of them, unless there are
            edits, since some carry a value past it.
    """
    tap = tap or Editor(site_edits(ex.edits, model.config))
    read = ex.target.ids if ex.edits.whole else ex.target.ids[: step + 1]  # the decoder is causal, unless an edit changes that
    source, target = (torch.tensor([ids]).expand(count if ex.edits else 1, -1) for ids in (ex.source.ids, read))
    states = model.states(source, target, tap)  # (B, T, D)
    log_probs = model.generator(states[:, step : step + 1], tap.at("output"))  # (B, 1, V)
    return -log_probs[:, 0, ex.output[step].id]


def _copy_with(model: Transformer, kind: Kind, layer: int, matrix: Matrix) -> tuple[Transformer, _Linear]:
    """A copy of the model in float64, and one of its linear maps, which keeps its inputs and alone has gradients.

    In float32 the change of the loss by one small step would drown in rounding.
    """
    shared = {id(weight): nn.Parameter(weight.detach().double(), requires_grad=False) for weight in model.parameters()}
    twin = copy.deepcopy(model, {**shared, **{id(buffer): buffer.double() for buffer in model.buffers()}})
    stack, block = BLOCK[kind]
    owner = twin.get_submodule(f"{stack}.layers.{layer}.{'ffn' if matrix in ('w_1', 'w_2') else block}")
    before = owner.get_submodule(matrix)
    linear = _Linear(*(parameter.detach() for parameter in before.parameters()))
    setattr(owner, matrix, linear)
    return twin, linear


def _part(model: Transformer, head: int, matrix: Matrix, weight: Tensor) -> tuple[slice, slice]:
    """The inputs and outputs of a matrix that belong to one head; all of them for the feed-forward."""
    d_k = model.config.d_model // model.config.n_heads
    own, every = slice(head * d_k, (head + 1) * d_k), slice(None)
    if matrix in ("w_1", "w_2"):
        return every, every
    return (own, every) if matrix == "w_o" else (every, own)
