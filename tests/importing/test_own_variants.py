"""Models with a torch.nn.Transformer as people build them give the numbers that torch gives, and each matrix is stored once."""

import json
import os
import re
import resource
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from safetensors.torch import save_model
from torch import Tensor, nn

from tests.importing.test_own_models import HEADS, WIDTH, D, Positions, vocabulary
from viz_core.checkpoint import load
from viz_core.cli import main
from viz_core.config import ModelConfig

WORDS = vocabulary("de")[:60]
NAMES = {"source": "src_tok_emb", "target": "tgt_tok_emb", "generator": "generator", "positions": "positional_encoding"}


class Own(nn.Module):
    """A torch.nn.Transformer between an embedding and a linear map, under any names."""

    def __init__(self, names: dict[str, str], **how: Any) -> None:
        super().__init__()
        self.transformer = nn.Transformer(D, HEADS, 2, 2, WIDTH, batch_first=True, **how)
        self.generator_name = names["generator"]
        self.add_module(names["source"], nn.Embedding(len(WORDS), D))
        self.add_module(names["target"], nn.Embedding(len(WORDS), D))
        self.add_module(names["generator"], nn.Linear(D, len(WORDS), bias=how.get("bias", True)))
        self.add_module(names["positions"], Positions())


def own(names: dict[str, str] | None = None, **how: Any) -> Any:
    """Its embeddings are as small as trained ones, and no norm is left at 1 and 0."""
    torch.manual_seed(3)
    model = Own(NAMES | (names or {}), **how)
    for name, parameter in model.named_parameters():
        if parameter.dim() == 1:
            parameter.data += 0.2 * torch.randn_like(parameter)
        elif "transformer" not in name:
            parameter.data *= D**-0.5
    return model


class Import:
    """The command, on a folder with these weights: what it says, and the checkpoint that it makes."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder, self.capsys = folder, capsys
        for side in ("source", "target"):
            (folder / f"{side}_vocab.json").write_text(json.dumps(WORDS))

    def run(self, code: int, *more: str, **said: Any) -> str:
        (self.folder / "import.json").write_text(json.dumps({"heads": HEADS, "languages": ["de", "en"]} | said))
        assert main(["import", str(self.folder), "--out", str(self.folder / "out"), *more]) == code
        return self.capsys.readouterr().err

    def same(self, state: dict[str, Tensor] | None = None, **said: Any) -> ModelConfig:
        """Torch computes the same, and the command says so."""
        if state is not None:
            torch.save(state, self.folder / "best.pt")
        told = self.run(0, **said)
        found = re.search(
            r"compared with torch.nn.Transformer on \d+ source and \d+ target tokens: .* differ by (\S+) at most", told
        )
        assert found and float(found[1]) < 1e-5, told
        return load(self.folder / "out").config

    def stored(self) -> int:
        """Numbers in the file of weights."""
        size: int = (self.folder / "out" / "model.safetensors").stat().st_size
        return size // 4


@pytest.fixture
def importing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Import:
    return Import(tmp_path, capsys)


TIES = {
    "generator and target": ([("generator", "tgt_tok_emb")], (False, True)),
    "both embeddings": ([("tgt_tok_emb", "src_tok_emb")], (True, False)),
    "generator and source": ([("generator", "src_tok_emb")], (False, True)),
    "all three": ([("tgt_tok_emb", "src_tok_emb"), ("generator", "src_tok_emb")], (True, True)),
}
FORMS: dict[str, Callable[[nn.Module, Path], object]] = {
    "pt": lambda model, folder: torch.save(model.state_dict(), folder / "best.pt"),
    "bin": lambda model, folder: torch.save(model.state_dict(), folder / "pytorch_model.bin"),
    "save_model": lambda model, folder: save_model(model, str(folder / "model.safetensors")),
    "whole model": lambda model, folder: torch.save(model, folder / "best.pt"),
}


@pytest.mark.parametrize("at", range(len(TIES)), ids=[f"{ties}, {form}" for ties, form in zip(TIES, FORMS, strict=True)])
def test_shared_weights_are_tied_and_stored_once(at: int, importing: Import) -> None:
    (ties, expected), form = [*TIES.values()][at], [*FORMS.values()][at]
    model = own()
    for one, other in ties:
        getattr(model, one).weight = getattr(model, other).weight
    form(model, importing.folder)
    config = importing.same()
    assert (config.tied_embeddings, config.generator_is_tied) == expected
    assert 0 < importing.stored() - sum(parameter.numel() for parameter in model.parameters()) < 3000  # the header


def test_matrices_that_overlap_in_other_ways_are_copied(importing: Import) -> None:
    state = own().state_dict()
    buffer = torch.randn(len(WORDS) + 20, D) * 0.1
    at = "transformer.encoder.layers.0.self_attn"
    one = state[f"{at}.in_proj_weight"]
    config = importing.same(
        state
        | {"src_tok_emb.weight": buffer[:-20], "tgt_tok_emb.weight": buffer[20:], "generator.weight": buffer[10:-10]}
        | {f"{at}.out_proj.weight": one[16 : 16 + D], "transformer.encoder.layers.1.linear1.weight": one[:WIDTH]}
    )
    assert not config.tied_embeddings and not config.generator_is_tied


@pytest.mark.parametrize("stack", ["encoder", "decoder"])
def test_each_stack_has_its_own_final_norm(stack: str, importing: Import) -> None:
    model = own()
    getattr(model.transformer, stack).norm = None
    config = importing.same(model.state_dict())
    assert config.has_final_norm("encoder") is (stack == "decoder") and config.has_final_norm("decoder") is (stack == "encoder")


def shared_layers() -> dict[str, Tensor]:
    model = own()
    for stack in (model.transformer.encoder, model.transformer.decoder):
        stack.layers[1] = stack.layers[0]
    return dict(model.state_dict())


def one_embedding() -> dict[str, Tensor]:
    state = {name: tensor for name, tensor in own().state_dict().items() if not name.startswith("tgt_tok_emb")}
    state["shared.weight"] = state.pop("src_tok_emb.weight")
    return state


def renamed_stacks() -> dict[str, Tensor]:
    state = own().state_dict()
    new = {"transformer.encoder.layers": "enc_blocks", "transformer.encoder.norm": "norm", "transformer.decoder": "dec"}
    del state["transformer.encoder.norm.weight"], state["transformer.encoder.norm.bias"]
    for theirs, other in new.items():
        state = {name.replace(theirs, other): tensor for name, tensor in state.items()}
    return state


LATER = torch.ones(9, 9).triu(1)
MASKS = {
    "src_mask": torch.zeros(9, 9, dtype=torch.bool), "tgt_mask": LATER.masked_fill(LATER == 1, float("-inf")),
    "memory_mask": torch.zeros(7, 9), "empty": torch.zeros(0),
    "causal": LATER[None, None], "transformer.low": LATER * -1e9, "soft": LATER * -100, "position_ids": torch.arange(9)[None],
    "pos.position": torch.arange(9.0)[:, None], "pos.div_term": 10_000 ** (-torch.arange(0, D, 2) / D),
    "steps": torch.tensor(7), "extra.num_batches_tracked": torch.tensor(7),
}  # fmt: skip
READ: dict[str, Callable[[], dict[str, Tensor]]] = {
    "norms without biases": lambda: {n: each for n, each in own().state_dict().items() if not re.search(r"norm\d?\.bias$", n)},
    "no biases": lambda: own(bias=False).state_dict(),
    "layers that share their weights": shared_layers,
    "one embedding for both languages": one_embedding,
    "masks and counters": lambda: own().state_dict() | MASKS,
    "stacks of other names": renamed_stacks,
    "src_emb, linear": lambda: own(
        {"source": "src_emb", "target": "tgt_emb", "generator": "linear", "positions": "pos_enc"}
    ).state_dict(),
    "encoder_embedding, fc": lambda: own(
        {"source": "encoder_embedding", "target": "decoder_embedding", "generator": "fc"}
    ).state_dict(),
    "parts by language": lambda: own({"source": "emb_de", "target": "emb_en", "generator": "toVocab"}).state_dict(),
    "parts in one word": lambda: own(
        {"source": "srcEmbed", "target": "tgtembedding", "generator": "out", "positions": "sinusoids"}
    ).state_dict(),
}


@pytest.mark.parametrize("state", READ.values(), ids=READ)
def test_it_is_read_exactly(state: Any, importing: Import) -> None:
    config = importing.same(state())
    assert config.output_bias is (state is not READ["no biases"]) and config.tied_embeddings is (state is one_embedding)


POSITIONS: dict[str, Callable[[Tensor], dict[str, Tensor]]] = {
    "interleaved": lambda pe: {"pos_enc.pe": pe[None]},
    "halves": lambda pe: {"positions": torch.cat([pe[:, ::2], pe[:, 1::2]], 1)},
    "learned": lambda pe: {"pos_embedding.weight": pe + 0.1},
    "learned, one for each": lambda pe: {"src_pos.weight": pe + 0.1, "tgt_pos.weight": pe - 0.1},
}


@pytest.mark.parametrize(("kind", "made"), POSITIONS.items(), ids=POSITIONS)
def test_positions_are_those_of_the_file(kind: str, made: Any, importing: Import) -> None:
    state = own().state_dict()
    table = state.pop("positional_encoding.pos_embedding")[:, 0]
    config = importing.same(state | made(table))
    assert config.positions == kind.partition(",")[0] and config.max_len == 100


def test_where_names_do_not_say_it_import_json_does(importing: Import) -> None:
    state = own({"source": "a", "target": "b"}).state_dict()
    torch.save({f"model.{name}": tensor for name, tensor in state.items()}, importing.folder / "best.pt")
    assert "which of them is the source embedding? import.json says it: 'source_embedding'" in importing.run(1)
    assert "source_embedding is 'c', which best.pt does not hold; it holds " in importing.run(1, source_embedding="c")
    importing.same(source_embedding="model.a", target_embedding="b.weight")


def test_what_the_model_does_not_use_can_be_left_out(importing: Import) -> None:
    torch.save(own().state_dict() | {"probe.weight": torch.ones(3, 4), "probe.bias": torch.ones(3)}, importing.folder / "best.pt")
    said = importing.run(1)
    assert "2 tensors have no place in this model, such as probe.bias" in said and '"unused"' in said
    importing.same(unused=["probe"])


def test_half_precision_is_compared_as_it_is_stored(importing: Import) -> None:
    torch.save(own().state_dict(), importing.folder / "best.pt")
    found = re.search(r"tokens, rounded to float16: the logits differ by up to (\S+)\n", importing.run(0, "--half"))
    assert found and 1e-4 < float(found[1]) < 1e-1


MADE: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "heads": ({}, {"heads": None}),
    "pre-norm": ({"norm_first": True}, {}),
    "eps": ({"layer_norm_eps": 1e-2}, {}),
    "gelu": ({"activation": "gelu"}, {}),
    "silu, said": ({"activation": F.silu, "norm_first": True}, {"activation": "swish", "norm_first": True}),
}


@pytest.mark.parametrize(("how", "said"), MADE.values(), ids=MADE)
def test_a_whole_model_says_how_it_was_made(how: dict[str, Any], said: Any, importing: Import) -> None:
    """Its own forward is the judge, not the settings that were read off."""
    model = own(**how).eval()
    torch.save({"model": nn.DataParallel(model)}, importing.folder / "best.pt")
    importing.same(**said)
    source, target = torch.tensor([[2, 7, 9, 3]]), torch.tensor([[2, 11, 5]])
    ours = load(importing.folder / "out").model
    with torch.inference_mode():
        x, y = (
            part(ids) * D**0.5 + model.positional_encoding.pos_embedding[: ids.size(1), 0]
            for part, ids in ((model.src_tok_emb, source), (model.tgt_tok_emb, target))
        )
        later = nn.Transformer.generate_square_subsequent_mask(3)
        theirs = model.generator(model.transformer(x, y, tgt_mask=later))
        assert torch.allclose(ours.generator.logits(ours.states(source, target)), theirs, rtol=0, atol=1e-5)


def test_a_whole_model_that_contradicts_import_json_is_told(importing: Import) -> None:
    torch.save(own(norm_first=True), importing.folder / "best.pt")
    assert "import.json: norm_first is False, but the model in best.pt has True" in importing.run(1, norm_first=False)
    assert "import.json: heads is 2, but the model in best.pt has 4" in importing.run(1, heads=2)


def test_what_the_weights_do_not_say_is_told(importing: Import) -> None:
    torch.save(own().state_dict(), importing.folder / "best.pt")
    said = importing.run(0, activation="relu")
    assert "import.json does not say how the model was made; assumed: norm_first false, layer_norm_eps 1e-05, scaled_emb" in said
    assert "assumed: norm_first false" in (importing.folder / "out" / "CARD.md").read_text("utf-8")


LINES = "".join(f"{word}\t7\r\n" for word in WORDS).encode("utf-16")
VOCABULARIES = {
    "lines": LINES,
    "ids with their words": json.dumps({str(i): word for i, word in enumerate(WORDS)}).encode(),
    "CRLF": json.dumps(WORDS, indent=1).replace("\n", "\r\n").encode(),
    "byte order mark": b"\xef\xbb\xbf" + json.dumps(WORDS, ensure_ascii=False).encode(),
    "UTF-16": json.dumps(WORDS, ensure_ascii=False).encode("utf-16"),
}


@pytest.mark.parametrize("content", VOCABULARIES.values(), ids=VOCABULARIES)
def test_a_vocabulary_in_other_forms(content: bytes, importing: Import) -> None:
    for side in ("source", "target"):
        (importing.folder / f"{side}_vocab.json").unlink()
        (importing.folder / f"{side}_vocab.{'txt' if content is LINES else 'json'}").write_bytes(content)
    importing.same(own().state_dict())
    assert load(importing.folder / "out").tokenizer.vocab == WORDS


def test_rows_without_a_word_are_unused(importing: Import) -> None:
    """As padding to a multiple of 8 leaves them."""
    state = own().state_dict()
    config = importing.same(
        {name: torch.cat([each, each[:4]]) if len(each) == len(WORDS) else each for name, each in state.items()}
    )
    assert config.source_vocab == config.target_vocab == 64
    assert load(importing.folder / "out").tokenizer.vocab == [*WORDS, *(f"<unused {i}>" for i in range(60, 64))]


TWICE = {
    "a name twice": (
        f'{{"{WORDS[10]}": 59, {json.dumps({word: i for i, word in enumerate(WORDS)})[1:]}',
        1,
        "is there twice, and the later",
    ),
    "an id twice": (json.dumps({word: min(i, 58) for i, word in enumerate(WORDS)}), 1, "have the same id, 58"),
    "a word twice": (json.dumps([*WORDS[:-1], WORDS[10]]), 0, "has two ids, 10 and 59: typed text gets the last"),
}


@pytest.mark.parametrize(("content", "code", "said"), TWICE.values(), ids=TWICE)
def test_words_and_ids_that_contradict_each_other_are_told_by_name(content: str, code: int, said: str, importing: Import) -> None:
    (importing.folder / "source_vocab.json").write_text(content)
    torch.save(own().state_dict(), importing.folder / "best.pt")
    told = importing.run(code)
    assert f"source_vocab.json: {WORDS[10]!r}" in told or f"source_vocab.json: {WORDS[58]!r}" in told
    assert said in told


def test_biases_that_one_stack_lacks_are_zeros_and_told(importing: Import) -> None:
    state = own().state_dict()
    importing.same({name: each for name, each in state.items() if not name.endswith("in_proj_bias") or "encoder" in name})
    card = (importing.folder / "out" / "CARD.md").read_text("utf-8")
    assert "no transformer.decoder.layers.*.self_attn.in_proj_bias, no transformer.decoder.layers.*.multihead_attn.in_pro" in card
    assert "these biases are read as 0" in card


@pytest.mark.parametrize(("dtype", "told"), {torch.bfloat16: True, torch.float16: True, torch.float64: False}.items(), ids=str)
def test_other_floats_are_read_and_rounded_positions_told(dtype: torch.dtype, told: bool, importing: Import) -> None:
    state = {name: each.to(dtype) for name, each in own().state_dict().items()}
    assert importing.same(state).positions == "interleaved"
    card = (importing.folder / "out" / "CARD.md").read_text("utf-8")
    assert ("differs by up to 0.00" in card and "the import computes these, in float32" in card) is told


def test_the_content_says_the_format_whatever_the_file_is_called(importing: Import) -> None:
    save_model(own(), str(importing.folder / "model.safetensors"))
    (importing.folder / "model.safetensors").rename(importing.folder / "best.pt")
    importing.same()
    (importing.folder / "best.pt").write_text("<!DOCTYPE html><title>Not found</title>")
    shutil.rmtree(importing.folder / "out")
    assert "best.pt: not a whole file of weights (a web page" in importing.run(1)


def test_too_little_memory_is_told_with_what_it_takes(importing: Import) -> None:
    """A file of 7 GB, most of it a hole, where 6 GB are allowed."""
    torch.save(own().state_dict(), importing.folder / "best.pt")
    os.truncate(importing.folder / "best.pt", 7_000_000_000)
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (6_000_000_000, before[1]))
    try:
        told = importing.run(1)
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)
    assert "there is not enough memory to read it; its files have 7,000," in told


def weight_norm() -> dict[str, Tensor]:
    model = own()
    nn.utils.parametrizations.weight_norm(model.generator)
    return dict(model.state_dict())


def without(name: str) -> dict[str, Tensor]:
    return {each: tensor for each, tensor in own().state_dict().items() if each != name}


def with_generator(matrix: Tensor) -> dict[str, Tensor]:
    return own().state_dict() | {"generator.weight": matrix}


REFUSED: dict[str, tuple[Callable[[], Any], str]] = {
    "weight_norm": (weight_norm, "some weights are computed from others, as by weight_norm"),
    "old weight_norm": (lambda: own().state_dict() | {"generator.weight_v": torch.ones(3)}, "remove_weight_norm"),
    "int8 of torch": (
        lambda: own().state_dict() | {"generator.zero_point": torch.tensor(0)},
        "zero_point), which is not read: save the model as it was before it was quantized",
    ),
    "4 bits": (lambda: own().state_dict() | {"generator.weight.absmax": torch.ones(3)}, "quantized (generator.weight.absmax)"),
    "LoRA": (lambda: {"base.q.lora_A.weight": torch.ones(4, D), "base.q.lora_B.weight": torch.ones(D, 4)}, "an adapter (LoRA)"),
    "one bias missing": (lambda: without("transformer.decoder.layers.1.linear2.bias"), "layers.1.linear2.bias is missing"),
    "whole numbers": (
        lambda: {name: tensor.to(torch.int8) for name, tensor in own().state_dict().items()},
        "holds int8, expected floating-point numbers; quantized models are not read",
    ),
    "a quantized matrix": (lambda: with_generator(torch.zeros(60, D, dtype=torch.int8)), "best.pt: generator.weight "),
    "a complex matrix": (lambda: with_generator(torch.zeros(60, D, dtype=torch.complex64)), "best.pt: generator.weight "),
    "a matrix across": (
        lambda: without("generator.weight") | {"out": own().generator.weight.detach().T.clone()},
        "best.pt: out is (32, 60), expected (60, 32), as torch.nn.Linear has it; save its .T",
    ),
    "an empty matrix": (lambda: with_generator(torch.zeros(0, D)), "best.pt: generator.weight "),
    # torch's own copies of a decoder layer forget a module
    "two kinds of layers": (lambda: own(activation=nn.GELU()), "best.pt: the model's layers differ in activation (gelu, relu)"),
}


@pytest.mark.parametrize(("content", "said"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_read_is_refused_with_the_way_out(content: Any, said: str, importing: Import) -> None:
    torch.save(content(), importing.folder / "best.pt")
    assert said in importing.run(1)


def test_a_pointer_of_git_lfs_is_told(importing: Import) -> None:
    (importing.folder / "model.safetensors").write_text("version https://git-lfs.github.com/spec/v1\noid sha256:ab\nsize 12\n")
    assert "model.safetensors: only a pointer of Git LFS to the file: `git lfs pull` in " in importing.run(1)
