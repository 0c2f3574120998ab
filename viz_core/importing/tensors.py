"""The tensors of a file: in safetensors with all their names; and each in memory of its own."""

from __future__ import annotations

import json
from collections.abc import Mapping

import safetensors.torch
import torch
from torch import Tensor

from viz_core.errors import ImportFailed, lacks_memory

MOST_COPIES = 8  # times the size of the file


def read_safetensors(name: str, content: bytes) -> dict[str, Tensor]:
    """The tensors of a file by name; one that was saved under several names has them all.

    `safetensors.torch.save_model` keeps one name of a shared tensor, and the others in the metadata: name left out → name kept.
    """
    try:
        found = safetensors.torch.load(content)
        metadata = json.loads(content[8 : 8 + int.from_bytes(content[:8], "little")]).get("__metadata__") or {}
    except Exception as error:  # of a damaged file, or of numbers that torch does not have
        if lacks_memory(error):
            raise
        raise ImportFailed(f"{name}: not readable ({str(error) or type(error).__name__})") from error
    return found | {left: found[kept] for left, kept in metadata.items() if kept in found and left not in found}


def plain(tensors: Mapping[str, Tensor], file: str, size: int) -> dict[str, Tensor]:
    """The same tensors; those that share a part of their memory with others are copied, those that are the same stay the same.

    Args:
        size: of the file in bytes.

    Raises:
        ImportFailed: one is no plain tensor, or is said to be larger than the file.
    """
    found: dict[str, Tensor] = {}
    copies: dict[object, Tensor] = {}
    copied = 0
    for name, tensor in tensors.items():
        if tensor.is_meta or tensor.is_nested or tensor.is_quantized or tensor.layout != torch.strided:
            raise ImportFailed(f"{file}: {name} is not a plain tensor of numbers")
        if tensor.numel() > size:  # one number, said to be repeated a billion times
            raise ImportFailed(f"{file}: {name} is {tuple(tensor.shape)}, more than the {size:,} bytes of the file hold")
        found[name] = tensor.detach()
        if tensor.untyped_storage().nbytes() != tensor.nbytes:
            key = (tensor.data_ptr(), tensor.shape, tensor.stride(), tensor.dtype)
            if key not in copies:
                copied += tensor.nbytes
                if copied > MOST_COPIES * size:
                    raise ImportFailed(f"{file}: its tensors are larger than the {size:,} bytes of the file")
                copies[key] = tensor.detach().clone()
            found[name] = copies[key]
    return found
