"""Models with a `torch.nn.Transformer` inside, as the tutorials of PyTorch train them: its weights, and `import.json`.

Beside the fields of `description.py`, import.json may name the parts of the model, as in the names of the tensors:

    {"transformer": "transformer", "source_embedding": "src_tok_emb.embedding", "target_embedding": "tgt_tok_emb.embedding",
     "generator": "generator", "norm_first": false, "activation": "relu", "layer_norm_eps": 1e-5, "scaled_embeddings": true}

Positions are those of the paper, computed; a buffer of them in the file is compared with the formula.
"""

from __future__ import annotations

import re

import torch

from viz_core.config import ModelConfig
from viz_core.errors import ImportFailed
from viz_core.importing.description import describe
from viz_core.importing.source import Imported, Source, Weights
from viz_core.model.embedding import positional_encoding

OWN = re.compile(r"(.*?)encoder\.layers\.0\.self_attn\.in_proj_weight$")
ACTIVATIONS = {"relu": "relu", "gelu": "gelu"}
EMBEDDINGS = {
    "source_embedding": ("src_tok_emb.embedding", "src_embedding", "src_embed", "encoder_embedding", "source_embedding"),
    "target_embedding": ("tgt_tok_emb.embedding", "tgt_embedding", "tgt_embed", "decoder_embedding", "target_embedding"),
    "generator": ("generator", "fc_out", "fc", "out", "linear", "head"),
}
"""The names that tutorials give them."""


def matches(source: Source) -> bool:
    return any(OWN.match(name) for name in source.tensors)


def read(source: Source) -> Imported:
    about, weights = describe(source), Weights(source)
    fields = about.fields
    prefix = next((found[1] for name in source.tensors if (found := OWN.match(name))), None)
    if prefix is None:
        raise ImportFailed(f"{source.weights_file}: no torch.nn.Transformer in it; its tensors are {source.some_names()}")
    names = {
        part: fields.text(part, next((each for each in usual if weights.has(f"{each}.weight")), usual[0]))
        for part, usual in EMBEDDINGS.items()
    }
    width, d = weights.shape(f"{prefix}encoder.layers.0.linear1.weight")
    depth = [weights.count(f"{prefix}{stack}.layers.") for stack in ("encoder", "decoder")]
    has_bias = weights.has(f"{names['generator']}.bias")
    config = ModelConfig(
        source_vocab=len(about.source), target_vocab=len(about.target), d_model=d, n_heads=fields.whole("heads", 8),
        n_layers=depth[0], n_decoder_layers=None if depth[0] == depth[1] else depth[1], d_ff=width, max_len=source.options.max_len,
        norm="pre" if fields.flag("norm_first", False) else "post", final_norm=weights.has(f"{prefix}encoder.norm.weight"),
        layer_norm_eps=fields.number("layer_norm_eps", 1e-5), tied_embeddings=False, output_bias=has_bias,
        activation=fields.one_of("activation", ACTIVATIONS, "relu"),  # type: ignore[arg-type]
        scaled_embeddings=fields.flag("scaled_embeddings", True), **about.special_ids(),
    )  # fmt: skip
    weights.take(f"{names['source_embedding']}.weight", (config.source_vocab, d), "source_embedding.weight")
    weights.take(f"{names['target_embedding']}.weight", (config.target_vocab, d), "target_embedding.weight")
    weights.take(f"{names['generator']}.weight", (config.target_vocab, d), "generator.weight")
    if has_bias:
        weights.take(f"{names['generator']}.bias", (config.target_vocab,), "generator.bias")
    for stack in ("encoder", "decoder"):
        if config.has_final_norm:
            weights.norm(f"{prefix}{stack}.norm", f"{stack}.norm", d)
        for layer in range(config.layers(stack)):  # type: ignore[arg-type]
            _layer(weights, f"{prefix}{stack}.layers.{layer}", f"{stack}.layers.{layer}", config, cross=stack == "decoder")
    _compare_positions(weights, config)
    return Imported(config, weights.finish(), *about.tokenizers(config), *about.languages, "a torch.nn.Transformer")


def _layer(weights: Weights, theirs: str, ours: str, config: ModelConfig, *, cross: bool) -> None:
    d = config.d_model
    sublayers = ["self_attn", *(["cross_attn"] if cross else []), "ffn"]
    _attention(weights, f"{theirs}.self_attn", f"{ours}.self_attn", d)
    if cross:
        _attention(weights, f"{theirs}.multihead_attn", f"{ours}.cross_attn", d)
    weights.linear(f"{theirs}.linear1", f"{ours}.ffn.w_1", config.d_ff, d)
    weights.linear(f"{theirs}.linear2", f"{ours}.ffn.w_2", d, config.d_ff)
    for number, sublayer in enumerate(sublayers, start=1):
        weights.norm(f"{theirs}.norm{number}", f"{ours}.add_{sublayer}.norm", d)


def _attention(weights: Weights, theirs: str, ours: str, d: int) -> None:
    """One matrix for queries, keys and values, one above the other."""
    matrices = weights.take(f"{theirs}.in_proj_weight", (3 * d, d)).chunk(3)
    biases = weights.take(f"{theirs}.in_proj_bias", (3 * d,)).chunk(3)
    for name, matrix, bias in zip(("w_q", "w_k", "w_v"), matrices, biases, strict=True):
        weights.taken |= {f"{ours}.{name}.weight": matrix.clone(), f"{ours}.{name}.bias": bias.clone()}
    weights.linear(f"{theirs}.out_proj", f"{ours}.w_o", d, d)


def _compare_positions(weights: Weights, config: ModelConfig) -> None:
    """Buffers of positions are of the formula, or the model is another than ours."""
    for name in weights.buffers(("pos_embedding", "pe", "positional_encoding", "pos_encoding")):
        found = weights.take(name, weights.shape(name)).squeeze()[: config.max_len]
        formula = positional_encoding(len(found), config.d_model)
        if found.shape != formula.shape or not torch.allclose(found.float(), formula, atol=1e-4):
            raise ImportFailed(f"{name}: not the sines and cosines of the paper; learned positions are read from BART only")
