"""Models with a `torch.nn.Transformer` inside, as the tutorials of PyTorch train them: its weights, and `import.json`.

Beside the fields of `description.py`, import.json may name the parts of the model, as in the names of the tensors, and say how
torch.nn.Transformer was made; the defaults are torch's own, and for the embedding those of the tutorial:

    {"source_embedding": "src_tok_emb.embedding", "target_embedding": "tgt_tok_emb.embedding", "generator": "generator",
     "norm_first": false, "activation": "relu", "layer_norm_eps": 1e-5, "scaled_embeddings": true}

Positions are those of the paper, computed; a buffer of them in the file is compared with the formula.
"""

from __future__ import annotations

import re

from viz_core.config import ModelConfig, Stack
from viz_core.errors import ImportFailed
from viz_core.importing.description import describe
from viz_core.importing.source import Imported, Source
from viz_core.importing.weights import Weights

OWN = re.compile(r"(.*?)encoder\.layers\.0\.self_attn\.in_proj_weight$")
ACTIVATIONS = {"relu": "relu", "gelu": "gelu"}
BUFFERS = ("pos_embedding", "pe", "positional_encoding", "pos_encoding")
STACKS: tuple[Stack, ...] = ("encoder", "decoder")
PARTS = {
    "source_embedding": ("src_tok_emb.embedding", "src_embedding", "src_embed", "encoder_embedding", "source_embedding"),
    "target_embedding": ("tgt_tok_emb.embedding", "tgt_embedding", "tgt_embed", "decoder_embedding", "target_embedding"),
    "generator": ("generator", "fc_out", "fc", "out", "linear", "head"),
}
"""The names that tutorials give them."""


def matches(source: Source) -> bool:
    return any(OWN.match(name) for name in source.tensors)


def read(source: Source) -> Imported:
    about, weights = describe(source), Weights(source)
    prefix = next((found[1] for name in source.tensors if (found := OWN.match(name))), None)
    if prefix is None:
        raise ImportFailed(f"{source.weights_file}: no torch.nn.Transformer in it; its tensors are {source.some_names()}")
    weights.take_away(prefix)
    fields = about.fields
    parts = {part: fields.text(part, _usual(weights, names)) for part, names in PARTS.items()}
    width, d = weights.matrix("encoder.layers.0.linear1.weight")
    generator = parts["generator"]
    config = ModelConfig(
        **about.settings(weights), d_model=d, d_ff=width, max_len=source.options.max_len,
        norm="pre" if fields.flag("norm_first", False) else "post", final_norm=weights.has("encoder.norm.weight"),
        layer_norm_eps=fields.number("layer_norm_eps", 1e-5), output_bias=weights.has(f"{generator}.bias"),
        activation=fields.one_of("activation", ACTIVATIONS, "relu"),  # type: ignore[arg-type]
        scaled_embeddings=fields.flag("scaled_embeddings", True),
    )  # fmt: skip
    about.take(weights, f"{parts['source_embedding']}.weight", about.source, d, "source_embedding.weight")
    about.take(weights, f"{parts['target_embedding']}.weight", about.target, d, "target_embedding.weight")
    about.take(weights, f"{generator}.weight", about.target, d, "generator.weight")
    if config.output_bias:
        weights.take(f"{generator}.bias", (config.target_vocab,), "generator.bias")
    for stack in STACKS:
        if config.has_final_norm(stack):
            weights.norm(f"{stack}.norm", f"{stack}.norm", d)
        for layer in range(config.layers(stack)):  # type: ignore[arg-type]
            _layer(weights, f"{stack}.layers.{layer}", config, cross=stack == "decoder")
    for name in weights.buffers(BUFFERS):
        weights.compare_positions(name, config.max_len, d)
    return Imported(config, weights.finish(), *about.tokenizers(config), *about.languages, "a torch.nn.Transformer")


def _usual(weights: Weights, names: tuple[str, ...]) -> str:
    """The first of these names that is there; if none is, the first, whose absence is then told."""
    return next((each for each in names if weights.has(f"{each}.weight")), names[0])


def _layer(weights: Weights, at: str, config: ModelConfig, *, cross: bool) -> None:
    d = config.d_model
    _attention(weights, f"{at}.self_attn", f"{at}.self_attn", d)
    if cross:
        _attention(weights, f"{at}.multihead_attn", f"{at}.cross_attn", d)
    weights.linear(f"{at}.linear1", f"{at}.ffn.w_1", config.d_ff, d)
    weights.linear(f"{at}.linear2", f"{at}.ffn.w_2", d, config.d_ff)
    for number, sublayer in enumerate(["self_attn", *(["cross_attn"] if cross else []), "ffn"], start=1):
        weights.norm(f"{at}.norm{number}", f"{at}.add_{sublayer}.norm", d)


def _attention(weights: Weights, theirs: str, ours: str, d: int) -> None:
    """One matrix for queries, keys and values, one above the other."""
    matrices = weights.take(f"{theirs}.in_proj_weight", (3 * d, d)).chunk(3)
    biases = weights.take(f"{theirs}.in_proj_bias", (3 * d,)).chunk(3)
    for name, matrix, bias in zip(("w_q", "w_k", "w_v"), matrices, biases, strict=True):
        weights.taken |= {f"{ours}.{name}.weight": matrix, f"{ours}.{name}.bias": bias}
    weights.linear(f"{theirs}.out_proj", f"{ours}.w_o", d, d)
