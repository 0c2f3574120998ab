"""Models with a `torch.nn.Transformer` inside, as in PyTorch's tutorials: its weights, and `import.json`.

Beside the fields of `description.py`, import.json may name the parts of the model by their tensors (otherwise `parts.py` finds
them), and the arguments of torch.nn.Transformer; the defaults are torch's own, and for the embedding those of the tutorial:

    {"source_embedding": "src_tok_emb.embedding", "target_embedding": "tgt_tok_emb.embedding", "generator": "generator",
     "norm_first": false, "activation": "relu", "layer_norm_eps": 1e-5, "scaled_embeddings": true}

Positions are computed as in the paper, unless the file has others, which are kept as learned ones.
"""

import math
import re
from dataclasses import dataclass
from functools import partial

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from viz_core.config import ModelConfig, Stack
from viz_core.errors import ImportFailed
from viz_core.importing.description import ACTIVATIONS, NAME, WAY_OUT, describe
from viz_core.importing.parts import Parts, rows, take_parts
from viz_core.importing.source import Imported, Original, Source
from viz_core.importing.weights import Weights
from viz_core.model.embedding import positional_encoding

ATTENTION = re.compile(r"^(|.*\.)0\.(self_attn|multihead_attn)\.in_proj_weight$")
DEFAULTS = {"norm_first": "false", "activation": "relu", "layer_norm_eps": "1e-05", "scaled_embeddings": "true"}


def matches(source: Source) -> bool:
    return any(map(ATTENTION.match, source.tensors))


@dataclass(frozen=True)
class _Sizes:
    d: int
    width: int


def read(source: Source) -> Imported:
    about, weights = describe(source), Weights(source)
    layers = _layers(source)
    width, d = weights.matrix(f"{layers['encoder']}0.linear1.weight")
    norms = {stack: _norm(prefix) for stack, prefix in layers.items()}
    ends = {stack: weights.has(f"{norm}.weight") for stack, norm in norms.items()}
    counts = {stack: weights.count(prefix) for stack, prefix in layers.items()}
    for stack, prefix in layers.items():
        if ends[stack]:
            weights.norm(norms[stack], f"{stack}.norm", d)
        for layer in range(counts[stack]):
            _layer(weights, f"{prefix}{layer}", f"{stack}.layers.{layer}", _Sizes(d, width), cross=stack == "decoder")
    own = take_parts(about, weights, d)
    fields = about.fields
    if unsaid := [f"{name} {value}" for name, value in DEFAULTS.items() if fields.get(name) is None]:
        source.notes.append(f"{NAME} does not say how the model was made; assumed: {', '.join(unsaid)}")
    config = ModelConfig(
        **about.settings(counts["encoder"], counts["decoder"]), **own.settings, d_model=d, d_ff=width,
        norm="pre" if fields.flag("norm_first", False) else "post",
        final_norm=ends["encoder"], decoder_final_norm=None if ends["encoder"] == ends["decoder"] else ends["decoder"],
        layer_norm_eps=fields.number("layer_norm_eps", 1e-5), activation=fields.one_of("activation", ACTIVATIONS, "relu"),  # type: ignore[arg-type]
        scaled_embeddings=fields.flag("scaled_embeddings", True),
    )  # fmt: skip
    theirs = TorchModel(config, dict(source.tensors), layers, norms, own.parts, own.bias)
    return Imported(
        config,
        weights.finish(WAY_OUT),
        *about.tokenizers(config),
        *about.languages,
        "a torch.nn.Transformer",
        partial(original, theirs),
    )


def _layers(source: Source) -> dict[Stack, str]:
    """Stack → prefix of its layers' names; the decoder is the stack with cross attention."""
    kinds: dict[str, set[str]] = {}
    for name in source.tensors:
        if match := ATTENTION.match(name):
            kinds.setdefault(match[1], set()).add(match[2])
    stacks: dict[Stack, list[str]] = {
        "encoder": [prefix for prefix, kind in kinds.items() if "multihead_attn" not in kind],
        "decoder": [prefix for prefix, kind in kinds.items() if "multihead_attn" in kind],
    }
    for stack, places in stacks.items():
        if len(places) != 1:
            many = f"{len(places)} ({', '.join(place.rstrip('.') for place in places[:4])})" if places else "none"
            raise ImportFailed(
                f"{source.weights_file}: expected one {stack} of torch.nn.Transformer, found {many}; "
                f"models of one encoder and one decoder are read"
            )
    return {stack: places[0] for stack, places in stacks.items()}


def _norm(layers: str) -> str:
    """The name of the LayerNorm at the end of a stack, from the prefix of its layers."""
    return ".".join([*layers.rstrip(".").split(".")[:-1], "norm"])


def _layer(weights: Weights, theirs: str, ours: str, sizes: _Sizes, *, cross: bool) -> None:
    d, width = sizes.d, sizes.width
    _attention(weights, f"{theirs}.self_attn", f"{ours}.self_attn", d)
    if cross:
        _attention(weights, f"{theirs}.multihead_attn", f"{ours}.cross_attn", d)
    weights.linear(f"{theirs}.linear1", f"{ours}.ffn.w_1", width, d)
    weights.linear(f"{theirs}.linear2", f"{ours}.ffn.w_2", d, width)
    for number, sublayer in enumerate(["self_attn", *(["cross_attn"] if cross else []), "ffn"], start=1):
        weights.norm(f"{theirs}.norm{number}", f"{ours}.add_{sublayer}.norm", d)


def _attention(weights: Weights, theirs: str, ours: str, d: int) -> None:
    """Takes an attention, whose matrices for queries, keys and values are stacked in one."""
    matrices = weights.take(f"{theirs}.in_proj_weight", (3 * d, d)).chunk(3)
    biases = weights.bias(f"{theirs}.in_proj_bias", 3 * d).chunk(3)
    for name, matrix, bias in zip(("w_q", "w_k", "w_v"), matrices, biases, strict=True):
        weights.taken |= {f"{ours}.{name}.weight": matrix, f"{ours}.{name}.bias": bias}
    weights.linear(f"{theirs}.out_proj", f"{ours}.w_o", d, d)


@dataclass(frozen=True, eq=False)
class TorchModel:
    """The tensors of a file, with what torch's own modules need to load them.

    Attributes:
        config: for heads, depth and the other arguments of nn.Transformer.
        layers, norms: prefixes of the names of each stack's layers, and of its last norm.
        bias: name of the output bias; None if there is none.
    """

    config: ModelConfig
    tensors: dict[str, Tensor]
    layers: dict[Stack, str]
    norms: dict[Stack, str]
    parts: Parts
    bias: str | None


def original(model: TorchModel) -> Original:
    """torch.nn.Transformer with these very tensors, between an embedding and a linear map."""
    c, tensors = model.config, {name: tensor.float() for name, tensor in model.tensors.items()}
    state, ends = dict[str, Tensor](), dict[Stack, bool]()
    for stack, prefix in model.layers.items():
        norm = f"{model.norms[stack]}."
        state |= {f"{stack}.layers.{name.removeprefix(prefix)}": t for name, t in tensors.items() if name.startswith(prefix)}
        end = {f"{stack}.norm.{name.removeprefix(norm)}": t for name, t in tensors.items() if name.startswith(norm)}
        ends[stack] = bool(end)
        state |= end
    with torch.device("meta"):
        transformer = nn.Transformer(
            c.d_model, c.n_heads, c.layers("encoder"), c.layers("decoder"), c.d_ff, 0.0,
            F.silu if c.activation == "swish" else c.activation,
            layer_norm_eps=c.layer_norm_eps, batch_first=True, norm_first=c.norm == "pre",
        )  # fmt: skip
    for stack, has_end in ends.items():
        if not has_end:
            getattr(transformer, stack).norm = None
    for name, parameter in transformer.state_dict().items():
        if name.endswith("bias"):
            state.setdefault(name, torch.zeros(parameter.shape))
    transformer.load_state_dict(state, assign=True)
    transformer.eval()

    def read(name: str, side: int, ids: Tensor) -> Tensor:
        vectors = F.embedding(ids, tensors[name]) * (math.sqrt(c.d_model) if c.scaled_embeddings else 1.0)
        table = model.parts.positions[side] if model.parts.positions else None
        if table and (c.positions == "learned" or model.tensors[table].dtype.itemsize > 2):  # else the file has rounded the formula
            return vectors + rows(tensors[table])[: ids.size(1)]
        return vectors + positional_encoding(ids.size(1), c.d_model, c.positions == "halves")

    def logits(source: Tensor, target: Tensor) -> Tensor:
        later = nn.Transformer.generate_square_subsequent_mask(target.size(1))
        states = transformer(
            read(model.parts.source, 0, source), read(model.parts.target, 1, target), tgt_mask=later, tgt_is_causal=True
        )
        return F.linear(states, tensors[model.parts.generator], tensors[model.bias] if model.bias else None)

    return Original("torch.nn.Transformer", logits)
