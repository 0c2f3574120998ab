"""The shape of a Transformer, in the field names of the paper (Vaswani et al. 2017, Table 3)."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, Literal

from viz_core.errors import ConfigError, require

PAD_ID, BOS_ID, EOS_ID, UNK_ID = range(4)  # the first four ids of every vocabulary: padding, start, end, unknown
MASK_ID = UNK_ID
"""What a masked decoder reads at a position it has to fill. With bytes, nothing is unknown, so no text ever needs this token."""

DecoderKind = Literal["causal", "masked"]


@dataclass(frozen=True, kw_only=True)
class ModelConfig:
    """Everything needed to build the model before its weights are known.

    Raises:
        ConfigError: a value is out of range or two values do not fit; the message quotes them.
    """

    source_vocab: int
    target_vocab: int
    d_model: int = 256
    n_heads: int = 8
    n_layers: int = 4
    d_ff: int = 1024
    dropout: float = 0.1
    max_len: int = 128  # tokens of the longest source, and of the longest target
    norm: Literal["pre", "post"] = "pre"  # LayerNorm before each sub-layer, or after the residual sum as in the paper
    tied_embeddings: bool = True  # one matrix for source embedding, target embedding and generator (§3.4)
    layer_norm_eps: float = 1e-5
    decoder: DecoderKind = "causal"
    """causal: each target position sees itself and those before it, and predicts the next token. masked: each sees all, and the
    masked tokens are predicted, all at once (Ghazvininejad et al. 2019)."""

    def __post_init__(self) -> None:
        for name in ("source_vocab", "target_vocab", "d_model", "n_heads", "n_layers", "d_ff", "max_len"):
            value = getattr(self, name)
            require(self, **{name: (type(value) is int and value >= 1, "a whole number of at least 1")})
        if self.d_model % self.n_heads:
            raise ConfigError(
                f"d_model {self.d_model} is not divisible by n_heads {self.n_heads}: "
                f"each head needs the same whole number of dimensions"
            )
        require(
            self,
            d_model=(self.d_model % 2 == 0, "an even number: positions come in sine and cosine pairs"),
            dropout=(0.0 <= self.dropout < 1.0, "at least 0 and less than 1"),
            layer_norm_eps=(0.0 < self.layer_norm_eps < 1.0, "more than 0 and less than 1"),
            norm=(self.norm in ("pre", "post"), "'pre' or 'post'"),
            decoder=(self.decoder in ("causal", "masked"), "'causal' or 'masked'"),
            tied_embeddings=(isinstance(self.tied_embeddings, bool), "true or false"),
        )
        if self.tied_embeddings and self.source_vocab != self.target_vocab:
            raise ConfigError(
                f"source_vocab {self.source_vocab} and target_vocab {self.target_vocab} differ: "
                f"tied embeddings need one joint vocabulary"
            )

    @property
    def d_k(self) -> int:
        """Dimensions of one head's queries, keys and values: d_model / n_heads (§3.2.2)."""
        return self.d_model // self.n_heads

    def to_json(self) -> dict[str, Any]:
        return dataclasses.asdict(self)

    @classmethod
    def from_json(cls, fields: dict[str, Any]) -> ModelConfig:
        """The inverse of to_json; an unknown or missing field raises ConfigError by name."""
        known = {field.name for field in dataclasses.fields(cls)}
        required = {f.name for f in dataclasses.fields(cls) if f.default is dataclasses.MISSING}
        if unknown := sorted(fields.keys() - known):
            raise ConfigError(f"unknown model settings: {', '.join(map(str, unknown))}")
        if missing := sorted(required - fields.keys()):
            raise ConfigError(f"missing model settings: {', '.join(missing)}")
        try:
            return cls(**fields)
        except TypeError as error:
            raise ConfigError(f"model settings of the wrong kind: {error}") from error
