"""Models of The Annotated Transformer (Rush 2018; Huang et al. 2022): its own classes' names, and `import.json`.

Its LayerNorm divides by the standard deviation, with d_model − 1 in its denominator, plus ε; LayerNorm comes before each sub-layer
and once more at the end of each stack.
"""

from __future__ import annotations

from viz_core.config import ModelConfig
from viz_core.importing.description import describe
from viz_core.importing.source import Imported, Source, Weights

FIRST = "encoder.layers.0.self_attn.linears.0.weight"
NORM = ("a_2", "b_2")
EPS = 1e-6


def matches(source: Source) -> bool:
    return FIRST in source.tensors


def read(source: Source) -> Imported:
    about, weights = describe(source), Weights(source)
    width, d = weights.shape("encoder.layers.0.feed_forward.w_1.weight")
    depth = [weights.count(f"{stack}.layers.") for stack in ("encoder", "decoder")]
    config = ModelConfig(
        source_vocab=len(about.source), target_vocab=len(about.target), d_model=d, n_heads=about.fields.whole("heads", 8),
        n_layers=depth[0], n_decoder_layers=None if depth[0] == depth[1] else depth[1], d_ff=width, max_len=source.options.max_len,
        layer_norm="deviation", layer_norm_eps=about.fields.number("layer_norm_eps", EPS), tied_embeddings=False, output_bias=True,
        **about.special_ids(),
    )  # fmt: skip
    weights.take("src_embed.0.lut.weight", (config.source_vocab, d), "source_embedding.weight")
    weights.take("tgt_embed.0.lut.weight", (config.target_vocab, d), "target_embedding.weight")
    weights.linear("generator.proj", "generator", config.target_vocab, d)
    weights.drop("src_embed.1.pe", "tgt_embed.1.pe")  # computed by the formula of the paper, as ours
    for stack, attentions in (("encoder", ("self_attn",)), ("decoder", ("self_attn", "src_attn"))):
        weights.norm(f"{stack}.norm", f"{stack}.norm", d, NORM)
        for layer in range(config.layers(stack)):  # type: ignore[arg-type]
            at = f"{stack}.layers.{layer}"
            names = ["self_attn", "cross_attn"][: len(attentions)]
            for theirs, ours in zip(attentions, names, strict=True):
                for number, name in enumerate(("w_q", "w_k", "w_v", "w_o")):
                    weights.linear(f"{at}.{theirs}.linears.{number}", f"{at}.{ours}.{name}", d, d)
            weights.linear(f"{at}.feed_forward.w_1", f"{at}.ffn.w_1", width, d)
            weights.linear(f"{at}.feed_forward.w_2", f"{at}.ffn.w_2", d, width)
            for number, name in enumerate([*names, "ffn"]):
                weights.norm(f"{at}.sublayer.{number}.norm", f"{at}.add_{name}.norm", d, NORM)
    return Imported(
        config, weights.finish(), *about.tokenizers(config), *about.languages, "a model of The Annotated Transformer"
    )  # fmt: skip
