"""The encoder–decoder Transformer (Vaswani et al. 2017, Figure 1).

Shape letters, used everywhere: B batch · S source length · T target length · D d_model · h heads · d_k = D/h · F d_ff ·
V vocabulary. In attention, Tq query positions (rows), Tk key positions (columns).
"""

from __future__ import annotations

import inspect

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.nn.modules import module as hooks

from viz_core.config import ModelConfig
from viz_core.errors import ConfigError
from viz_core.model.blocks import DecoderLayer, EncoderLayer, LayerNorm
from viz_core.model.cache import DecoderCache
from viz_core.model.embedding import Embedding, causal_mask, padding_mask
from viz_core.taps import OFF, Tap


class Encoder(nn.Module):
    """The stack of encoder layers, with a final LayerNorm in pre-norm and some post-norm models."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.layers = nn.ModuleList(EncoderLayer(config) for _ in range(config.layers("encoder")))
        self.norm = LayerNorm(config) if config.has_final_norm("encoder") else nn.Identity()

    def forward(self, x: Tensor, mask: Tensor, tap: Tap = OFF) -> Tensor:
        """(B, S, D) → memory, (B, S, D)"""
        for index, layer in enumerate(self.layers):
            x = layer(x, mask, tap.at(str(index)))
        return tap("memory", self.norm(x))


class Decoder(nn.Module):
    """The stack of decoder layers, with a final LayerNorm in pre-norm and some post-norm models."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.layers = nn.ModuleList(DecoderLayer(config) for _ in range(config.layers("decoder")))
        self.norm = LayerNorm(config) if config.has_final_norm("decoder") else nn.Identity()

    def forward(
        self, x: Tensor, memory: Tensor, mask: Tensor, memory_mask: Tensor, tap: Tap = OFF, cache: DecoderCache | None = None
    ) -> Tensor:
        """(B, T, D) and memory (B, S, D) → states, (B, T, D)"""
        for index, layer in enumerate(self.layers):
            caches = (None, None) if cache is None else (cache.self_attn[index], cache.cross_attn[index])
            x = layer(x, memory, mask, memory_mask, tap.at(str(index)), caches)
        return tap("states", self.norm(x))


class Generator(nn.Module):
    """One number for each token of the vocabulary, then their log-softmax (§3.4)."""

    def __init__(self, weight: nn.Parameter, has_bias: bool = False) -> None:
        super().__init__()
        self.weight = weight  # (V, D): the embedding matrix itself when the two are tied
        self.bias = nn.Parameter(torch.empty(len(weight))) if has_bias else None  # (V,)

    def forward(self, states: Tensor, tap: Tap = OFF) -> Tensor:
        """(B, T, D) → log-probabilities, (B, T, V)"""
        logits = tap("logits", self.logits(states))  # (B, T, V)
        return tap("log_probs", logits.log_softmax(-1))

    def logits(self, states: Tensor) -> Tensor:
        """(B, T, D) → (B, T, V), without the softmax: for the loss, which brings its own, and for an argmax."""
        return F.linear(states, self.weight, self.bias)


class Transformer(nn.Module):
    """Encode once, decode token by token."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.config = config
        self.source_embedding = Embedding(config, config.source_vocab)
        self.target_embedding = Embedding(config, config.target_vocab)
        self.encoder = Encoder(config)
        self.decoder = Decoder(config)
        if config.tied_embeddings:
            self.target_embedding.weight = self.source_embedding.weight
        weight = (self.target_embedding if config.generator_is_target else self.source_embedding).weight
        if not config.generator_is_tied:
            weight = nn.Parameter(torch.empty(config.target_vocab, config.d_model))
        self.generator = Generator(weight, config.output_bias)
        if config.decoder == "masked":
            self.length = nn.Linear(config.d_model, config.max_len)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Glorot & Bengio (2010) for the projections; embeddings so small that × √d_model brings them to unit size."""
        for name, parameter in self.named_parameters():
            if parameter.is_meta:  # a model on the meta device, for which drawing numbers would load torch's compiler
                continue
            if name.endswith(("embedding.weight", "generator.weight", "embedding.positions")):
                nn.init.normal_(parameter, std=self.config.d_model**-0.5)
            elif parameter.dim() > 1:
                nn.init.xavier_uniform_(parameter)
            elif name.endswith("bias"):
                nn.init.zeros_(parameter)

    def for_reading(self) -> Transformer:
        """Prepares the model for inference: no dropout, no gradients, each matrix stored column by column. Returns itself.

        A product x Wᵀ with few rows of x, as in decoding, spends almost all its time reading W. Stored this way, W is read
        sequentially, and a step takes a sixth less time.
        """
        for parameter in self.parameters():
            if parameter.dim() == 2:
                parameter.data = parameter.data.mT.contiguous().mT
        return self.eval().requires_grad_(False)

    def forward(self, source: Tensor, target: Tensor, tap: Tap = OFF) -> Tensor:
        """One teacher-forced pass.

        Args:
            source: source ids ending in ⟨/s⟩, padded with the model's pad_id, (B, S).
            target: target ids starting with ⟨s⟩, padded with it, (B, T).

        Returns:
            Log-probabilities of the token that follows each target position, (B, T, V).
        """
        return self.generator(self.states(source, target, tap), tap.at("output"))

    def states(self, source: Tensor, target: Tensor, tap: Tap = OFF) -> Tensor:
        """`forward` up to the generator's input, (B, T, D)."""
        memory, memory_mask = self.encode(source, tap)  # (B, S, D), (B, 1, 1, S)
        return self.decode(target, memory, memory_mask, tap)

    def encode(self, source: Tensor, tap: Tap = OFF) -> tuple[Tensor, Tensor]:
        """Source ids (B, S) → memory (B, S, D) and its padding mask (B, 1, 1, S)."""
        mask = padding_mask(source, self.config.pad_id)
        x = self.source_embedding(source, tap.at("source"))  # (B, S, D)
        return self.encoder(x, mask, tap.at("encoder")), mask

    def decode(self, target: Tensor, memory: Tensor, memory_mask: Tensor, tap: Tap = OFF) -> Tensor:
        """Target ids (B, T) and the results of `encode` → the generator's input, (B, T, D)."""
        mask = padding_mask(target, self.config.pad_id).expand(-1, -1, target.size(1), -1)  # (B, 1, T, T)
        if self.config.decoder == "causal":
            mask = mask & causal_mask(target.size(1), target.device)
        x = self.target_embedding(target, tap.at("target"))  # (B, T, D)
        return self.decoder(x, memory, mask, memory_mask, tap.at("decoder"))

    def lengths(self, memory: Tensor, memory_mask: Tensor) -> Tensor:
        """Length of the translation in tokens, which a masked decoder must know before it writes the first one.

        Predicted from the memory at ⟨/s⟩, in place of the token ⟨length⟩ of Ghazvininejad et al. 2019, §2.3.

        Args:
            memory, memory_mask: from `encode`, (B, S, D) and (B, 1, 1, S).

        Returns:
            Log-probabilities of 0 … max_len − 1 tokens, (B, max_len).
        """
        last = memory_mask.flatten(1).sum(1) - 1  # (B,)
        return self.length(memory[torch.arange(memory.size(0), device=memory.device), last]).log_softmax(-1)

    def decode_step(self, ids: Tensor, memory: Tensor, memory_mask: Tensor, cache: DecoderCache, tap: Tap = OFF) -> Tensor:
        """One decoding step: the newest token of each sentence in, the next one's logits out.

        Args:
            ids: the newest target ids, (B, 1).
            cache: keys and values of earlier steps; this step adds its own.

        Returns:
            Logits, (B, V).
        """
        x = self.target_embedding(ids, tap.at("target"), start=cache.length)  # (B, 1, D)
        cache.length += 1
        mask = torch.ones(1, 1, 1, cache.length, dtype=torch.bool, device=ids.device)  # all that is past may be seen
        states = self.decoder(x, memory, mask, memory_mask, tap.at("decoder"), cache)  # (B, 1, D)
        return tap("output.logits", self.generator.logits(states))[:, 0]


def changed_from_outside(model: Transformer) -> str:
    """The first hook, wrapper, or replaced method or class found on the model, and its module; empty if there is none.

    It would act beside the recorded sites, and only where a module is called, which fast decoding does not do.
    """
    if not isinstance(model, Transformer):
        return f"{type(model).__name__} around the model"
    if hooks._global_forward_hooks or hooks._global_forward_pre_hooks:
        return "a global forward hook"
    for name, module in model.named_modules():
        on = f"on {name or 'the model'}"
        if module._forward_hooks or module._forward_pre_hooks:
            return f"a forward hook {on}"
        if replaced := [key for key in vars(module) if inspect.isfunction(getattr(type(module), key, None))]:
            return f"another {replaced[0]} {on}"
        for what, code in (("forward", type(module).forward), ("class", type(module))):  # quantized layers are torch.ao's
            if not (getattr(code, "__module__", None) or "").startswith(("torch.nn.", "viz_core.")):
                return f"another {what} {on}"
    return ""


def require_reading(model: Transformer) -> None:
    """Makes sure that a model's numbers are reproducible, can be shown by NumPy as they are, and are what really runs.

    Raises:
        ConfigError: a part of it is in training mode (dropout would draw anew in each pass), in half precision or not on the CPU,
            or has forward hooks or a replaced method or class, see `changed_from_outside`.
    """
    if change := changed_from_outside(model):
        why = "may change numbers beside the recorded sites, so that the trace would not show them"
        remedy = "read values from ex.trace, and change them with explain(..., edits=Edits(...)) or traced_pass(..., edits={...})"
        raise ConfigError(f"{change} {why}: remove it; {remedy}")
    if any(module.training for module in model.modules()):
        raise ConfigError("the model is in training mode, so dropout would change every pass: call model.eval() first")
    weight = next(model.parameters())
    if weight.dtype not in (torch.float32, torch.float64) or not weight.is_cpu:
        actual = f"{str(weight.dtype).removeprefix('torch.')} on {weight.device}"
        raise ConfigError(f"the model's weights are {actual}, expected float32 on cpu: call model.float().cpu() first")
