"""The residual stream: its vectors at each place, what each sub-layer adds, and LayerNorm step by step."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np

from viz_core.config import ModelConfig, Stack
from viz_core.model.blocks import LayerNorm
from viz_core.model.transformer import Transformer
from viz_core.trace import BLOCKS, Array, Doubles, Floats, Trace


@dataclass(frozen=True)
class StreamPlace:
    """One place of the residual stream in a stack.

    Attributes:
        kind: the input, an add, or a LayerNorm that the stream itself passes through.
        site: the stream recorded there, (B, T, D).
        layer, block: the sub-layer, layers from 0; None and "" at the two ends of the stack, "embedding" at the LayerNorm that
            follows the sum of embedding and position in some models.
        added: the site of the vector that an add brings in; "" elsewhere.
    """

    kind: Literal["input", "add", "norm"]
    site: str
    layer: int | None = None
    block: str = ""
    added: str = ""


def stream_places(config: ModelConfig, stack: Stack) -> list[StreamPlace]:
    """The places where the stream is recorded, in the order of computation.

    Post-norm has a LayerNorm on the stream after each add; pre-norm and some post-norm models have one at the end of the stack.
    """
    side = "source" if stack == "encoder" else "target"
    route = [StreamPlace("input", f"{side}.input")]
    if config.embedding_norm:
        route = [StreamPlace("input", f"{side}.summed"), StreamPlace("norm", f"{side}.input", block="embedding")]
    for layer in range(config.layers(stack)):
        for block in BLOCKS[stack]:
            prefix = f"{stack}.{layer}"
            route.append(StreamPlace("add", f"{prefix}.resid_{block}", layer, block, f"{prefix}.{block}.out"))
            if config.norm == "post":
                route.append(StreamPlace("norm", f"{prefix}.norm_{block}", layer, block))
    if config.has_final_norm(stack):
        route.append(StreamPlace("norm", "encoder.memory" if stack == "encoder" else "decoder.states"))
    return route


def layer_output(config: ModelConfig, stack: Stack, layer: int) -> str:
    """The site of the stream after a layer."""
    return f"{stack}.{layer}.{'resid' if config.norm == 'pre' else 'norm'}_ffn"


def feed_forward_input(config: ModelConfig, stack: Stack, layer: int) -> str:
    """The site of a layer's feed-forward input, which is normalized with pre-norm and post-norm alike."""
    return f"{stack}.{layer}.norm_{'ffn' if config.norm == 'pre' else BLOCKS[stack][-2]}"


def stream_norms(trace: Trace, sites: Sequence[str]) -> Floats:
    """‖x‖₂ = √Σ x² of each token at each site, in float64, (sites, T); derived. "" gives NaN."""
    norms = {site: np.linalg.norm(trace.array(site).astype(np.float64), axis=-1) for site in sites if site}
    missing = np.full_like(next(iter(norms.values())), np.nan)
    return np.stack([norms.get(site, missing) for site in sites])


@dataclass(frozen=True, eq=False)
class ResidualSum:
    """One token at one add: the stream before, what the sub-layer adds, and their sum, (D,) each, as recorded.

    Attributes:
        cosine: of the angle between x and added; derived.
    """

    x: Array
    added: Array
    total: Array
    cosine: float


def before(trace: Trace, stack: Stack, layer: int, block: str) -> Array:
    """The stream at the input of a sub-layer, (T, D)."""
    route = stream_places(trace.config, stack)
    add = next(i for i, place in enumerate(route) if place.kind == "add" and (place.layer, place.block) == (layer, block))
    return trace.array(route[add - 1].site)


def residual_sums(trace: Trace, stack: Stack, layer: int, block: str) -> list[ResidualSum]:
    """The vectors that one sub-layer adds to the tokens (§3.1)."""
    x, prefix = before(trace, stack, layer, block), f"{stack}.{layer}"
    added, total = trace.array(f"{prefix}.{block}.out"), trace.array(f"{prefix}.resid_{block}")
    return [ResidualSum(*vectors, _cosine(*vectors[:2])) for vectors in zip(x, added, total, strict=True)]


def _cosine(one: Array, other: Array) -> float:
    """Cosine of the angle between two vectors, in float64; 0 if one of them is 0."""
    a, b = one.astype(np.float64), other.astype(np.float64)
    size = float(np.linalg.norm(a) * np.linalg.norm(b))
    return float(a @ b) / size if size else 0.0


@dataclass(frozen=True, eq=False)
class LayerNormTerms:
    """LayerNorm of one token: γ (x − μ) / √(σ² + ε) + β (Ba et al. 2016), vectors (D,).

    Attributes:
        x, out: as recorded.   gamma, beta: as learned.
        standard: (x − μ) / √(σ² + ε).   mean, variance: μ and σ². All derived, in float64.
        spread: √(σ² + ε). In models of The Annotated Transformer it is s + ε, and the variance s², divided by D − 1.
    """

    x: Array
    standard: Floats
    out: Array
    mean: float
    variance: float
    gamma: Array
    beta: Array
    eps: float
    spread: float


class Standardized(NamedTuple):
    """A vector as a LayerNorm scales it, before gain and bias; see `LayerNormTerms`."""

    values: Doubles
    mean: float
    variance: float
    spread: float


def standardized(norm: LayerNorm, x: Doubles) -> Standardized:
    """(x − μ) / √(σ² + ε), or (x − μ) / (s + ε), of one vector, (D,)."""
    mean, variance = float(x.mean()), float(x.var(ddof=1 if norm.kind == "deviation" else 0))
    spread = variance**0.5 + norm.eps if norm.kind == "deviation" else (variance + norm.eps) ** 0.5
    return Standardized((x - mean) / spread, mean, variance, spread)


def norm_at(model: Transformer, stack: Stack, place: StreamPlace) -> LayerNorm:
    """The LayerNorm on the stream at this place."""
    side = "source" if stack == "encoder" else "target"
    name = f"{stack}.layers.{place.layer}.add_{place.block}.norm" if place.layer is not None else f"{stack}.norm"
    norm: Any = model.get_submodule(f"{side}_embedding.norm" if place.block == "embedding" else name)
    return norm  # type: ignore[no-any-return]


def sublayer_norm(model: Transformer, stack: Stack, layer: int, block: str) -> LayerNorm:
    """The LayerNorm that belongs to one sub-layer: before it with pre-norm, after its add with post-norm."""
    norm: Any = model.get_submodule(f"{stack}.layers.{layer}.add_{block}.norm")
    return norm  # type: ignore[no-any-return]


def norm_input(trace: Trace, stack: Stack, layer: int, block: str) -> Array:
    """Input of the sub-layer's LayerNorm, (T, D)."""
    return before(trace, stack, layer, block) if trace.config.norm == "pre" else trace.array(f"{stack}.{layer}.resid_{block}")


def layer_norm(model: Transformer, trace: Trace, stack: Stack, layer: int, block: str, token: int) -> LayerNormTerms:
    """The sub-layer's LayerNorm applied to one token, step by step."""
    stream, norm = norm_input(trace, stack, layer, block), sublayer_norm(model, stack, layer, block)
    scaled = standardized(norm, stream[token].astype(np.float64))
    gamma, beta = norm.gamma.detach().float().numpy(), norm.beta.detach().float().numpy()
    out = trace.array(f"{stack}.{layer}.norm_{block}")[token]
    return LayerNormTerms(stream[token], scaled.values, out, scaled.mean, scaled.variance, gamma, beta, norm.eps, scaled.spread)
