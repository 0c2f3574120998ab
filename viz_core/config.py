"""The shape of a Transformer, in the field names of the paper (Vaswani et al. 2017, Table 3)."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from viz_core.errors import ConfigError, require

PAD_ID, BOS_ID, EOS_ID, UNK_ID = range(4)  # the first four ids of our own vocabularies: padding, start, end, unknown
MASK_ID = UNK_ID
"""Read by a masked decoder at a position it has to fill. With bytes, nothing is unknown, so no text ever needs this token."""

DecoderKind = Literal["causal", "masked"]
Stack = Literal["encoder", "decoder"]
CHOICES = {
    "norm": ("pre", "post"),
    "decoder": ("causal", "masked"),
    "activation": ("relu", "gelu", "swish"),
    "positions": ("interleaved", "halves", "learned"),
    "layer_norm": ("variance", "deviation"),
}


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
    # Variants found in other people's models. The defaults are the paper's, and ours.
    n_decoder_layers: int | None = None  # n_layers is then the encoder's alone
    activation: Literal["relu", "gelu", "swish"] = "relu"  # of the feed-forward network
    positions: Literal["interleaved", "halves", "learned"] = "interleaved"
    """interleaved: sine and cosine in turn (§3.5). halves: all sines, then all cosines, as in Marian. learned: a matrix (BART)."""
    scaled_embeddings: bool = True  # × √d_model (§3.4)
    embedding_norm: bool = False  # a LayerNorm after the sum of embedding and position
    final_norm: bool | None = None  # a LayerNorm at the end of each stack; None: with pre-norm, which needs it
    decoder_final_norm: bool | None = None  # final_norm is then the encoder's alone
    layer_norm: Literal["variance", "deviation"] = "variance"
    """variance: γ (x − μ) / √(σ² + ε) + β. deviation: γ (x − μ) / (s + ε) + β, s with d_model − 1 (The Annotated Transformer)."""
    tied_generator: bool | Literal["source"] | None = None  # with the target embedding, or the source's; None: as tied_embeddings
    output_bias: bool = False  # added to the logits
    pad_id: int = PAD_ID
    bos_id: int = BOS_ID  # what the decoder reads first
    eos_id: int = EOS_ID
    unk_id: int | None = UNK_ID
    source_start: tuple[int, ...] = ()  # what the encoder reads before the sentence
    source_end: tuple[int, ...] = ()  # and after its end token
    first_id: int | None = None  # what every target starts with, after bos_id
    never_ids: tuple[int, ...] = ()  # what decoding never chooses
    decoder: DecoderKind = "causal"
    """causal: each target position sees itself and those before it, and predicts the next token. masked: each sees all, and the
    masked tokens are predicted, all at once (Ghazvininejad et al. 2019)."""

    def __post_init__(self) -> None:
        for name in ("source_vocab", "target_vocab", "d_model", "n_heads", "n_layers", "d_ff", "max_len"):
            value = getattr(self, name)
            require(self, **{name: (type(value) is int and value >= 1, "a whole number of at least 1")})
        decoder = self.n_decoder_layers
        require(self, n_decoder_layers=(decoder is None or (type(decoder) is int and decoder >= 1), "a whole number of at least 1"))
        if self.d_model % self.n_heads:
            raise ConfigError(
                f"d_model {self.d_model} is not divisible by n_heads {self.n_heads}: "
                f"each head needs the same whole number of dimensions"
            )
        require(
            self,
            d_model=(
                self.positions == "learned" or self.d_model % 2 == 0,
                "an even number: positions come in sine and cosine pairs",
            ),
            dropout=(0.0 <= self.dropout < 1.0, "at least 0 and less than 1"),
            layer_norm_eps=(0.0 < self.layer_norm_eps < 1.0, "more than 0 and less than 1"),
        )
        for name, choices in CHOICES.items():
            require(self, **{name: (getattr(self, name) in choices, " or ".join(map(repr, choices)))})
        for name in ("tied_embeddings", "scaled_embeddings", "embedding_norm", "output_bias"):
            require(self, **{name: (isinstance(getattr(self, name), bool), "true or false")})
        for name in ("final_norm", "decoder_final_norm"):
            require(self, **{name: (isinstance(getattr(self, name), bool | None), "true, false or null")})
        known = self.tied_generator == "source" or isinstance(self.tied_generator, bool | None)
        require(self, tied_generator=(known, 'true, false, "source" or null'))
        if (self.tied_embeddings or self.tied_generator == "source") and self.source_vocab != self.target_vocab:
            raise ConfigError(
                f"source_vocab {self.source_vocab} and target_vocab {self.target_vocab} differ: "
                f"tied embeddings need one joint vocabulary"
            )
        self._require_ids()

    def _require_ids(self) -> None:
        for name in ("source_start", "source_end", "never_ids"):
            object.__setattr__(self, name, tuple(getattr(self, name)))  # JSON has lists
        smallest = min(self.source_vocab, self.target_vocab)
        expected = f"ids of the {smallest:,} tokens of its vocabulary"

        def inside(token_id: object) -> bool:
            return type(token_id) is int and 0 <= token_id < smallest

        for name in ("pad_id", "bos_id", "eos_id"):
            require(self, **{name: (inside(getattr(self, name)), expected)})
        for name in ("unk_id", "first_id"):
            require(self, **{name: (getattr(self, name) is None or inside(getattr(self, name)), expected)})
        for name in ("source_start", "source_end", "never_ids"):
            require(self, **{name: (all(map(inside, getattr(self, name))), expected)})
        require(self, never_ids=(len(set(self.never_ids)) < self.target_vocab, "fewer ids than there are tokens"))

    @property
    def d_k(self) -> int:
        """Dimensions of one head's queries, keys and values: d_model / n_heads (§3.2.2)."""
        return self.d_model // self.n_heads

    @property
    def ends(self) -> tuple[int, int]:
        """The tokens that end a sentence. A model that writes padding has stopped, too."""
        return self.eos_id, self.pad_id

    @property
    def special_ids(self) -> list[int]:
        """The ids of all tokens that stand for no text."""
        named = (self.pad_id, self.bos_id, self.eos_id, self.unk_id, self.first_id)
        ids = [i for i in named if i is not None]
        return list(dict.fromkeys([*ids, *self.source_start, *self.source_end, *self.never_ids]))

    @property
    def longest_source(self) -> int:
        """Tokens of the longest sentence that the encoder can read, without special ones."""
        return self.max_len - 1 - len(self.source_start) - len(self.source_end)

    def framed(self, ids: Sequence[int]) -> list[int]:
        """The encoder's input: the tokens of a sentence between the special ones."""
        return [*self.source_start, *ids, self.eos_id, *self.source_end]

    @property
    def generator_is_tied(self) -> bool:
        """True if the output matrix is one of the embeddings."""
        return self.tied_embeddings if self.tied_generator is None else bool(self.tied_generator)

    @property
    def generator_is_target(self) -> bool:
        """True if the output matrix is the target embedding, so that it recognizes the token just read."""
        return self.generator_is_tied and (self.tied_embeddings or self.tied_generator != "source")

    def has_final_norm(self, stack: Stack) -> bool:
        """True if a LayerNorm ends this stack."""
        own = self.decoder_final_norm if stack == "decoder" else None
        both = self.norm == "pre" if self.final_norm is None else self.final_norm
        return both if own is None else own

    @property
    def common_layers(self) -> int:
        """Number of layers that both stacks have, and that a page can show side by side."""
        return min(self.n_layers, self.layers("decoder"))

    def layers(self, stack: Stack) -> int:
        return self.n_decoder_layers or self.n_layers if stack == "decoder" else self.n_layers

    def to_json(self) -> dict[str, Any]:
        """The settings for JSON, with lists in place of tuples."""
        return {name: list(value) if isinstance(value, tuple) else value for name, value in dataclasses.asdict(self).items()}

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
