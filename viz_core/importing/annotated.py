"""Models of The Annotated Transformer (Rush 2018; Huang et al. 2022): the names of its classes, and `import.json`.

Its LayerNorm divides by the standard deviation, computed with d_model − 1, plus ε; there is one before each sub-layer and one at
the end of each stack.
"""

from viz_core.config import ModelConfig
from viz_core.importing.description import ACTIVATIONS, NAME, WAY_OUT, describe
from viz_core.importing.parts import take_parts
from viz_core.importing.source import Imported, Source
from viz_core.importing.weights import Weights

FIRST = "encoder.layers.0.self_attn.linears.0.weight"
DEVIATION = ("a_2", "b_2")  # the norm that it describes; many have torch's LayerNorm in its place
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
    deviation = weights.has(f"encoder.norm.{DEVIATION[0]}")
    names = DEVIATION if deviation else ("weight", "bias")
    counts = {stack: weights.count(f"{stack}.layers.") for stack in ATTENTIONS}
    for stack, attentions in ATTENTIONS.items():
        weights.norm(f"{stack}.norm", f"{stack}.norm", d, names)
        for layer in range(counts[stack]):
            prefix = f"{stack}.layers.{layer}"
            for theirs, ours in attentions.items():
                for number, name in enumerate(("w_q", "w_k", "w_v", "w_o")):
                    weights.linear(f"{prefix}.{theirs}.linears.{number}", f"{prefix}.{ours}.{name}", d, d)
            weights.linear(f"{prefix}.feed_forward.w_1", f"{prefix}.ffn.w_1", width, d)
            weights.linear(f"{prefix}.feed_forward.w_2", f"{prefix}.ffn.w_2", d, width)
            for number, name in enumerate([*attentions.values(), "ffn"]):
                weights.norm(f"{prefix}.sublayer.{number}.norm", f"{prefix}.add_{name}.norm", d, names)
    own = take_parts(about, weights, d)
    fields = about.fields
    if not fields.flag("norm_first", True):
        source.notes.append(f"{NAME}: norm_first is false, but The Annotated Transformer normalizes first, and so it is read")
    config = ModelConfig(
        **about.settings(counts["encoder"], counts["decoder"]), **own.settings, d_model=d, d_ff=width,
        activation=fields.one_of("activation", ACTIVATIONS, "relu"),  # type: ignore[arg-type]
        scaled_embeddings=fields.flag("scaled_embeddings", True),
        layer_norm="deviation" if deviation else "variance",
        layer_norm_eps=fields.number("layer_norm_eps", EPS if deviation else 1e-5),
    )  # fmt: skip
    return Imported(
        config, weights.finish(WAY_OUT), *about.tokenizers(config), *about.languages, "a model of The Annotated Transformer"
    )
