"""docs/import.md: a test proves each row of its table, and its script gives other programs' models the names that are read."""

import json
import re
import runpy
import sys
from pathlib import Path
from typing import Any

import pytest
import torch

from tests.importing import test_bart, test_own_variants, test_refused, test_rows, test_target_codes, test_tied, test_wrapped
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


PROOFS: dict[str, tuple[Any, ...]] = {
    "a folder of Marian, BART or mBART": (test_tied.test_any_of_the_four_names_gives_the_tied_matrix,),
    "only some of `lm_head`, `shared` and both": (test_tied.test_any_of_the_four_names_gives_the_tied_matrix,),
    "all of them, with different numbers": (test_tied.test_another_generator_is_told,),
    "more rows than tokens": (
        test_rows.test_rows_without_a_token_are_unused,
        test_rows.test_added_tokens_of_marian_keep_their_names,
        test_own_variants.test_rows_without_a_word_are_unused,
    ),
    "Marian with other positions": (
        test_tied.test_other_positions_of_marian_are_read_and_told,
        test_tied.test_a_setting_that_transformers_ignores_is_told,
    ),
    "several target languages (`>>fra<<`": (test_target_codes.test_card_list_and_translation_name_the_codes,),
    "several target languages of mBART": (test_bart.test_mbart_gives_the_same_numbers_and_translations,),
    "a state dict of a model": (
        test_own_variants.test_it_is_read_exactly,
        test_own_variants.test_where_names_do_not_say_it_import_json_does,
    ),
    "a training checkpoint": (test_wrapped.test_what_holds_the_tensors_is_found,),
    "weights beside their average": (test_wrapped.test_of_two_models_one_is_read_and_that_is_told,),
    "names that begin with": (test_wrapped.test_what_all_names_share_is_stripped,),
    "a whole model": (test_own_variants.test_a_whole_model_says_how_it_was_made,),
    "weights in several files": (test_wrapped.test_weights_in_several_files,),
    "a file with another ending": (test_wrapped.test_a_file_with_another_ending_is_known_by_its_content,),
    "quantized weights; an output matrix": (
        test_own_variants.test_what_cannot_be_read_is_refused_with_the_way_out,
        test_own_variants.test_an_output_matrix_that_lies_across_is_told,
    ),
    "tied weights": (test_own_variants.test_shared_weights_are_tied_and_stored_once,),
    "`bias=False`": (
        test_own_variants.test_a_model_without_biases,
        test_own_variants.test_it_is_read_exactly,
        test_own_variants.test_each_stack_has_its_own_final_norm,
    ),
    "positions of the paper": (
        test_own_variants.test_positions_are_those_of_the_file,
        test_own_variants.test_other_floats_are_read_and_rounded_positions_told,
    ),
    "an unknown tensor": (test_own_variants.test_what_the_model_does_not_use_can_be_left_out,),
    "your own attention code": (test_refused.test_it_is_refused_in_one_sentence_and_nothing_is_written,),
}
"""How each row begins, and the tests that try what it says."""


def test_every_row_of_the_table_is_proved() -> None:
    section = DOCS.read_text("utf-8").partition("## What you have")[2].partition("\n## ")[0]
    rows = [row.removeprefix("| ") for row in section.splitlines() if row.startswith("| ")][1:]
    assert [[name for name in PROOFS if row.startswith(name)] for row in rows] == [[name] for name in PROOFS]
