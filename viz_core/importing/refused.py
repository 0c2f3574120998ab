"""Models that are known and not read, with the reason, and what to do instead."""

from __future__ import annotations

from viz_core.importing.source import Source

T5 = ("t5", "mt5", "umt5", "longt5", "switch_transformers")
ADVICE = "It is not read; docs/import.md says how to give its tensors the names of torch.nn.Transformer, which is read"
SENTENCES = {
    "t5": "config.json: model_type is {kind!r}: T5 adds relative biases to the scores, normalizes with RMSNorm and does not divide "
    "by √d_k, which this program cannot show yet",
    "other": "config.json: model_type is {kind!r}, which is not an encoder–decoder that is read: marian, bart or mbart",
    "joey": "{file}: a model of Joey NMT. {advice}",
    "opennmt": "{file}: a model of OpenNMT-py. {advice}",
}


def refusal(source: Source) -> str:
    """Why this folder's model is not read; empty where nothing speaks against it."""
    if source.has("config.json"):
        kind = source.fields("config.json").get("model_type")
        if kind in T5:
            return SENTENCES["t5"].format(kind=kind)
        return SENTENCES["other"].format(kind=kind) if kind not in (None, "marian", "bart", "mbart") else ""
    names = source.tensors
    if any(".src_src_att." in name or ".trg_trg_att." in name for name in names):
        return SENTENCES["joey"].format(file=source.weights_file, advice=ADVICE)
    if any("linear_keys.weight" in name for name in names):
        return SENTENCES["opennmt"].format(file=source.weights_file, advice=ADVICE)
    return ""
