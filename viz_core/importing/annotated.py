"""Models of The Annotated Transformer (Rush 2018; Huang et al. 2022): the names of its classes, and `import.json`.

Its LayerNorm divides by the standard deviation, computed with d_model − 1, plus ε; there is one before each sub-layer and one at
the end of each stack.
"""

from viz_core.config import ModelConfig
from viz_core.importing.description import WAY_OUT, describe
from viz_core.importing.parts import take_positions
from viz_core.importing.source import Imported, Source
from viz_core.importing.weights import Weights

FIRST = "encoder.layers.0.self_attn.linears.0.weight"
NORM = ("a_2", "b_2")
EPS = 1e-6
ATTENTIONS = {"encoder": {"self_attn": "self_attn"}, "decoder": {"self_attn": "self_attn", "src_attn": "cross_attn"}}
"""Stack → their name of an attention → ours."""


def matches(source: Source) -> bool:
    return any(name.endswith(FIRST) for name in source.tensors)


def read(source: Source) -> Imported:
    about, weights = describe(source), Weights(source)
    prefix = next((name.removesuffix(FIRST) for name in source.tensors if name.endswith(FIRST)), "")
    weights.replace_prefix(prefix)
    width, d = weights.matrix("encoder.layers.0.feed_forward.w_1.weight")
    tables = [name for name in ("src_embed.1.pe", "tgt_embed.1.pe") if weights.has(name)]
    positions = take_positions(about, weights, tables if len(tables) == 2 else ())
    tied = about.embeddings(weights, "src_embed.0.lut.weight", "tgt_embed.0.lut.weight", "generator.proj.weight", d)
    config = ModelConfig(
        **about.settings(weights.count("encoder.layers."), weights.count("decoder.layers.")), **tied, **positions,
        d_model=d, d_ff=width, output_bias=True,
        layer_norm="deviation", layer_norm_eps=about.fields.number("layer_norm_eps", EPS),
    )  # fmt: skip
    about.leave_out(weights)
    weights.taken["generator.bias"] = weights.bias("generator.proj.bias", config.target_vocab)
    for stack, attentions in ATTENTIONS.items():
        weights.norm(f"{stack}.norm", f"{stack}.norm", d, NORM)
        for layer in range(config.layers(stack)):  # type: ignore[arg-type]
            prefix = f"{stack}.layers.{layer}"
            for theirs, ours in attentions.items():
                for number, name in enumerate(("w_q", "w_k", "w_v", "w_o")):
                    weights.linear(f"{prefix}.{theirs}.linears.{number}", f"{prefix}.{ours}.{name}", d, d)
            weights.linear(f"{prefix}.feed_forward.w_1", f"{prefix}.ffn.w_1", width, d)
            weights.linear(f"{prefix}.feed_forward.w_2", f"{prefix}.ffn.w_2", d, width)
            for number, name in enumerate([*attentions.values(), "ffn"]):
                weights.norm(f"{prefix}.sublayer.{number}.norm", f"{prefix}.add_{name}.norm", d, NORM)
    return Imported(
        config, weights.finish(WAY_OUT), *about.tokenizers(config), *about.languages, "a model of The Annotated Transformer"
    )
