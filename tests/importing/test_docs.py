"""The script of docs/import.md gives models of other programs the names that are read."""

import json
import re
import runpy
import sys
from pathlib import Path
from typing import Any

import pytest
import torch

from tests.importing.test_own_models import HEADS, Seq2Seq, vocabulary
from viz_core.importing import Options, read_model

DOCS = Path(__file__).parents[2] / "docs" / "import.md"
JOEY = {
    "src_tok_emb.embedding": "src_embed.lut", "tgt_tok_emb.embedding": "trg_embed.lut", "generator": "decoder.output_layer",
    "encoder.norm": "encoder.layer_norm", "decoder.norm": "decoder.layer_norm",
    "encoder.self_attn": "src_src_att", "decoder.self_attn": "trg_trg_att", "decoder.multihead_attn": "src_trg_att",
    "in_proj": ("q_layer", "k_layer", "v_layer"), "out_proj": "output_layer",
    "linear1": "feed_forward.pwff_layer.0", "linear2": "feed_forward.pwff_layer.3",
    "encoder.norm1": "layer_norm", "encoder.norm2": "feed_forward.layer_norm",
    "decoder.norm1": "x_layer_norm", "decoder.norm2": "dec_layer_norm", "decoder.norm3": "feed_forward.layer_norm",
}  # fmt: skip
OPENNMT = {
    "src_tok_emb.embedding": "encoder.embeddings.make_embedding.emb_luts.0.0", "generator": "0",
    "tgt_tok_emb.embedding": "decoder.embeddings.make_embedding.emb_luts.0.0",
    "encoder.norm": "encoder.layer_norm", "decoder.norm": "decoder.layer_norm",
    "encoder.layers": "encoder.transformer", "decoder.layers": "decoder.transformer_layers",
    "encoder.self_attn": "self_attn", "decoder.self_attn": "self_attn", "decoder.multihead_attn": "context_attn",
    "in_proj": ("linear_query", "linear_keys", "linear_values"), "out_proj": "final_linear",
    "linear1": "feed_forward.w_1", "linear2": "feed_forward.w_2",
    "encoder.norm1": "layer_norm", "encoder.norm2": "feed_forward.layer_norm",
    "decoder.norm1": "layer_norm_1", "decoder.norm2": "layer_norm_2", "decoder.norm3": "feed_forward.layer_norm",
}  # fmt: skip


def renamed(state: dict[str, torch.Tensor], names: dict[str, Any]) -> dict[str, torch.Tensor]:
    """The tensors as the other program names them."""
    found = {}
    for name, tensor in state.items():
        module, _, leaf = name.removeprefix("transformer.").rpartition(".")
        at = re.fullmatch(r"(encoder|decoder)\.layers\.(\d+)\.(?:(self_attn|multihead_attn)\b\.?)?(\w*)", module)
        if not at:
            found[f"{names[module]}.{leaf}"] = tensor
            continue
        stack, layer, attention, part = at.groups()
        where = f"{names.get(f'{stack}.layers', f'{stack}.layers')}.{layer}"
        if not attention:
            found[f"{where}.{names.get(part) or names[f'{stack}.{part}']}.{leaf}"] = tensor
        elif part:
            found[f"{where}.{names[f'{stack}.{attention}']}.{names[part]}.{leaf}"] = tensor
        else:
            for own, third in zip(names["in_proj"], tensor.chunk(3), strict=True):
                found[f"{where}.{names[f'{stack}.{attention}']}.{own}.{leaf.removeprefix('in_proj_')}"] = third.clone()
    return found


@pytest.mark.parametrize("tool", ["joey", "opennmt"])
def test_the_script_gives_names_that_are_read(tool: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    torch.manual_seed(3)
    theirs = Seq2Seq(len(vocabulary("de")), len(vocabulary("en")), bias=tool == "opennmt", norm_first=True, layer_norm_eps=1e-6)
    state = {name: tensor for name, tensor in theirs.state_dict().items() if not name.startswith("positional")}
    if tool == "joey":
        saved = {"steps": 7, "model_state": renamed(state, JOEY) | {"encoder.pe.pe": torch.zeros(1, 9, 32)}}
    else:
        generator = {name: state.pop(name) for name in list(state) if name.startswith("generator")}
        saved = {"model": renamed(state, OPENNMT), "generator": renamed(generator, OPENNMT), "opt": 0}
    torch.save(saved, tmp_path / "model.ckpt")
    script = next(block for block in re.findall(r"```python\n(.*?)```", DOCS.read_text("utf-8"), re.DOTALL) if "NAMES" in block)
    (tmp_path / "convert.py").write_text(script)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["convert.py", "model.ckpt"])
    runpy.run_path("convert.py")
    (tmp_path / "model.ckpt").unlink()
    for side, language in (("source", "de"), ("target", "en")):
        (tmp_path / f"{side}_vocab.json").write_text(json.dumps(vocabulary(language)))
    said = {"heads": HEADS, "languages": ["de", "en"], "norm_first": True, "layer_norm_eps": 1e-6, "source_starts_with_bos": False}
    (tmp_path / "import.json").write_text(json.dumps(said))
    found = read_model(tmp_path, Options())
    decoder: Any = theirs.transformer.decoder
    assert torch.equal(
        found.weights["decoder.layers.1.cross_attn.w_k.weight"], decoder.layers[1].multihead_attn.in_proj_weight[32:64]
    )
    assert torch.equal(found.weights["decoder.layers.1.add_ffn.norm.gamma"], decoder.layers[1].norm3.weight)
    assert torch.equal(found.weights["generator.weight"], theirs.generator.weight)
    assert len(found.weights) == len(theirs.state_dict()) - 1 + 2 * 2 * (3 + 2 * 2)  # no positions; in_proj in three
