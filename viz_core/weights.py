"""The weights of a model as the bytes of a safetensors file, verified before a model is built from them."""

import safetensors.torch
import torch
from safetensors import SafetensorError
from torch import Tensor

from viz_core.config import ModelConfig, Stack
from viz_core.errors import CheckpointError
from viz_core.model import Transformer

MAX_POSITIONS = 65_536  # more would only fill the memory: the positions are computed, not read


def pack(model: Transformer, dtype: torch.dtype = torch.float16) -> bytes:
    """The weights of a model by name, shared ones once.

    Raises:
        CheckpointError: a weight is not finite in this type, so the file could not be read back.
    """
    # named_parameters names a shared matrix once, so the tied embedding is stored once.
    tensors = {name: p.detach().to("cpu", dtype).contiguous() for name, p in model.named_parameters()}
    if odd := next((name for name, tensor in tensors.items() if not tensor.isfinite().all()), None):
        kind = str(dtype).removeprefix("torch.")
        raise CheckpointError(f"{odd} holds something that is not a finite number in {kind}, so the model is not saved")
    return safetensors.torch.save(tensors)


def unpack(config: ModelConfig, content: bytes, name: str = "model.safetensors") -> Transformer:
    """The model with these weights, ready for use; arguments and errors as for `verified`."""
    tensors = verified(config, content, name)
    model = Transformer(config)
    model.load_state_dict({key: tensor.float() for key, tensor in tensors.items()}, strict=False)
    return model.for_reading()


def verified(config: ModelConfig, content: bytes, name: str = "model.safetensors") -> dict[str, Tensor]:
    """The stored weights by name: exactly those of a model of this shape. name: the file's, for error messages.

    Raises:
        CheckpointError: they are damaged, or of another shape.
    """
    try:
        tensors = safetensors.torch.load(content)
    except (SafetensorError, ValueError, KeyError) as error:
        raise CheckpointError(f"{name}: not readable ({error})") from error
    # Before a model of the claimed size is built: a forged config must not be able to fill the memory.
    if config.max_len > MAX_POSITIONS:
        raise CheckpointError(f"config.json: max_len is {config.max_len:,}, expected at most {MAX_POSITIONS:,}")
    stacks: tuple[Stack, ...] = ("encoder", "decoder")
    for stack in stacks:
        layers = sum(name.startswith(f"{stack}.layers.") and name.endswith(".ffn.w_1.weight") for name in tensors)
        if layers != config.layers(stack):
            raise CheckpointError(f"{name}: {layers} {stack} layers, expected {config.layers(stack)} as config.json says")
    sizes = {
        "source_embedding.weight": (config.source_vocab, config.d_model),
        **({} if config.tied_embeddings else {"target_embedding.weight": (config.target_vocab, config.d_model)}),
        "encoder.layers.0.ffn.w_1.weight": (config.d_ff, config.d_model),
    }
    for key, size in sizes.items():
        shape = tuple(tensors[key].shape) if key in tensors else "missing"
        if shape != size:
            raise CheckpointError(f"{name}: {key} is {shape}, expected {size}")
    with torch.device("meta"):
        expected = {name: p.shape for name, p in Transformer(config).named_parameters()}
    if expected.keys() != tensors.keys():
        odd = sorted(expected.keys() ^ tensors.keys())[0]
        raise CheckpointError(f"{name}: expected {len(expected)} tensors, found {len(tensors)}; the first to differ is {odd!r}")
    for key, tensor in tensors.items():
        if tensor.shape != expected[key]:
            raise CheckpointError(f"{name}: {key} is {tuple(tensor.shape)}, expected {tuple(expected[key])}")
        if not tensor.is_floating_point() or not tensor.float().isfinite().all():
            raise CheckpointError(f"{name}: {key} holds something that is not a finite number")
    return tensors
