"""Known kinds of models that are not read, with the reason, and what to do instead."""

import re

from viz_core.importing.source import Source

READ = ("marian", "bart", "mbart")
T5 = ("t5", "mt5", "umt5", "longt5", "switch_transformers")
OTHER = f"which is not read; read are {', '.join(READ)}"
BIASES = (
    "which is not read: T5 adds relative biases to the scores, normalizes with RMSNorm and does not divide by √d_k, "
    "and this program has no pictures for these"
)
ADVICE = "is not read; docs/import.md says how to give its tensors the names of torch.nn.Transformer, which is read"
PARTS = {
    ".parametrizations.": "some weights are computed from others, as by weight_norm: torch's remove_parametrizations merges them",
    ".weight_v": "some weights are computed from others: torch.nn.utils.remove_weight_norm merges them",
    ".lora_A.": "an adapter (LoRA): merge_and_unload() of peft adds it to the model's own weights; save those",
}
QUANTIZED = re.compile(r"\.(_packed_params|qweight|qzeros|SCB|absmax|quant_map|zero_point)(\.|$)")
TOOLS = {".src_src_att.": "Joey NMT", ".linear_keys.": "OpenNMT-py"}
"""Part of a tensor's name → the tool that writes it."""


def refusal(source: Source) -> str:
    """The reason why this folder's model is not read; empty if there is none."""
    if source.has("config.json"):
        kind = source.fields("config.json").get("model_type")
        if kind is not None and kind not in READ:
            return f"config.json: model_type is {kind!r}, {BIASES if kind in T5 else OTHER}"
    elif any(".encoder_attn.k_proj." in name for name in source.tensors):
        names = f"{source.weights_file} has names as in the transformers library or fairseq"
        return f"config.json: missing in {source.folder}; {names}, and models of the first are read, with this file"
    for part, reason in PARTS.items():
        if any(part in f".{name}" for name in source.tensors):
            return f"{source.weights_file}: {reason}"
    if odd := next(filter(QUANTIZED.search, source.tensors), None):
        return f"{source.weights_file}: quantized ({odd}), which is not read: save the model as it was before it was quantized"
    for part, tool in TOOLS.items():
        if any(part in name for name in source.tensors):
            return f"{source.weights_file}: a model of {tool} {ADVICE}"
    return ""
