"""Cost of a Transformer: parameters, memory and multiply-adds of each part, from its configuration alone.

Multiply-adds are those of matrix products (two floating-point operations each). Softmax, LayerNorm, biases and sums are left out:
they grow with T D, h Tq Tk or T F, not with T D².
"""

from dataclasses import dataclass

from viz_core.config import ModelConfig

BASE = ModelConfig(source_vocab=37_000, target_vocab=37_000, d_model=512, n_heads=8, n_layers=6, d_ff=2048, norm="post")
BIG = ModelConfig(source_vocab=37_000, target_vocab=37_000, d_model=1024, n_heads=16, n_layers=6, d_ff=4096, norm="post")
"""Models and parameters of Vaswani et al. (2017), Table 3, with the joint vocabulary of §5.1."""
PUBLISHED = {BASE: 65_000_000, BIG: 213_000_000}


@dataclass(frozen=True)
class PartCost:
    """One part of the model, such as `encoder.self_attn`, all its layers together.

    Attributes:
        parameters: learned parameters.
        projected: multiply-adds with weights, which grow with the length.
        paired: multiply-adds of positions with positions (Q Kᵀ and A V), which grow with the product of two lengths.
    """

    name: str
    parameters: int
    projected: int = 0
    paired: int = 0

    @property
    def products(self) -> int:
        """All multiply-adds."""
        return self.projected + self.paired


def part_costs(config: ModelConfig, source: int, target: int) -> list[PartCost]:
    """Every part of one teacher-forced pass over `source` and `target` tokens."""
    d, f, own, deep = config.d_model, config.d_ff, config.layers("encoder"), config.layers("decoder")
    square, norm = d * d + d, 2 * d  # a projection with its bias; γ and β
    bias = config.target_vocab if config.output_bias else 0
    both = source + target
    return [
        *_embeddings(config),
        PartCost("encoder.self_attn", own * 4 * square, own * 4 * source * d * d, own * 2 * source * source * d),
        PartCost("encoder.ffn", own * (2 * d * f + f + d), own * 2 * source * d * f),
        PartCost("encoder.norms", (own * 2 + config.has_final_norm("encoder")) * norm),
        PartCost("decoder.self_attn", deep * 4 * square, deep * 4 * target * d * d, deep * 2 * target * target * d),
        PartCost("decoder.cross_attn", deep * 4 * square, deep * 2 * both * d * d, deep * 2 * target * source * d),
        PartCost("decoder.ffn", deep * (2 * d * f + f + d), deep * 2 * target * d * f),
        PartCost("decoder.norms", (deep * 3 + config.has_final_norm("decoder")) * norm),
        PartCost(
            "generator", bias + (0 if config.generator_is_tied else config.target_vocab * d), target * d * config.target_vocab
        ),
    ]


def _embeddings(config: ModelConfig) -> list[PartCost]:
    beside = config.max_len * config.d_model if config.positions == "learned" else 0
    beside += 2 * config.d_model if config.embedding_norm else 0
    source, target = config.source_vocab * config.d_model + beside, config.target_vocab * config.d_model + beside
    if config.tied_embeddings:
        return [PartCost("embedding", source + beside)]
    return [PartCost("embedding.source", source), PartCost("embedding.target", target)]


def parameters(config: ModelConfig) -> int:
    """Number of learned parameters."""
    return sum(part.parameters for part in part_costs(config, 1, 1))


def products(config: ModelConfig, source: int, target: int) -> int:
    """All multiply-adds of one teacher-forced pass."""
    return sum(part.products for part in part_costs(config, source, target))


def step_products(config: ModelConfig, source: int, position: int) -> int:
    """Multiply-adds of the decoding step that reads the `position`th token, from 1, on a key/value cache."""
    d = config.d_model
    own, cross = 4 * d * d + 2 * position * d, 2 * d * d + 2 * source * d
    return config.layers("decoder") * (own + cross + 2 * d * config.d_ff) + d * config.target_vocab


def vocabulary_for(config: ModelConfig, total: int) -> float:
    """Size of a shared vocabulary at which the model would have this many parameters in total."""
    embedding = sum(part.parameters for part in _embeddings(config))
    return (total - parameters(config) + embedding) / config.d_model
