"""Models with a torch.nn.Transformer as people build them give the numbers that torch gives, and each matrix is stored once."""

import json
import re
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


@pytest.fixture
def importing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Import:
    return Import(tmp_path, capsys)


TIES: list[tuple[list[tuple[str, str]], tuple[bool, bool], Callable[[nn.Module, Path], object]]] = [
    ([("generator", "tgt_tok_emb")], (False, True), lambda model, folder: torch.save(model.state_dict(), folder / "best.pt")),
    ([("generator", "src_tok_emb")], (False, True), lambda model, folder: save_model(model, str(folder / "model.safetensors"))),
    (
        [("tgt_tok_emb", "src_tok_emb"), ("generator", "src_tok_emb")],
        (True, True),
        lambda model, folder: torch.save(model, folder / "best.pt"),
    ),
]


@pytest.mark.parametrize(("ties", "expected", "save"), TIES, ids=["target", "source", "all three"])
def test_shared_weights_are_tied_and_stored_once(ties: Any, expected: tuple[bool, bool], save: Any, importing: Import) -> None:
    model = own()
    for one, other in ties:
        getattr(model, one).weight = getattr(model, other).weight
    save(model, importing.folder)
    config = importing.same()
    assert (config.tied_embeddings, config.generator_is_tied) == expected
    size: int = (importing.folder / "out" / "model.safetensors").stat().st_size
    assert 0 < size // 4 - sum(parameter.numel() for parameter in model.parameters()) < 3000  # the header


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


LATER = torch.ones(9, 9).triu(1)
MASKS = {
     "tgt_mask": LATER.masked_fill(LATER == 1, float("-inf")),
     "transformer.low": LATER * -1e9, "soft": LATER * -100, "position_ids": torch.arange(9)[None],
     "pos.div_term": 10_000 ** (-torch.arange(0, D, 2) / D),
    "steps": torch.tensor(7),
}  # fmt: skip
READ: dict[str, Callable[[], dict[str, Tensor]]] = {
    "norms without biases": lambda: {n: each for n, each in own().state_dict().items() if not re.search(r"norm\d?\.bias$", n)},
    "no biases": lambda: own(bias=False).state_dict(),
    "layers that share their weights": shared_layers,
    "one embedding for both languages": one_embedding,
    "masks and counters": lambda: own().state_dict() | MASKS,
    "parts by language": lambda: own({"source": "emb_de", "target": "emb_en", "generator": "toVocab"}).state_dict(),
}


@pytest.mark.parametrize("state", READ.values(), ids=READ)
def test_it_is_read_exactly(state: Any, importing: Import) -> None:
    config = importing.same(state())
    assert config.output_bias is (state is not READ["no biases"]) and config.tied_embeddings is (state is one_embedding)


POSITIONS: dict[str, Callable[[Tensor], dict[str, Tensor]]] = {
    "interleaved": lambda pe: {"pos_enc.pe": pe[None]},
    "halves": lambda pe: {"positions": torch.cat([pe[:, ::2], pe[:, 1::2]], 1)},
    "learned": lambda pe: {"pos_embedding.weight": pe + 0.1},
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


def test_half_precision_is_compared_as_it_is_stored(importing: Import) -> None:
    torch.save(own().state_dict(), importing.folder / "best.pt")
    found = re.search(r"tokens, rounded to float16: the logits differ by up to (\S+)\n", importing.run(0, "--half"))
    assert found and 1e-4 < float(found[1]) < 1e-1


MADE: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "heads": ({}, {"heads": None}),
    "pre-norm": ({"norm_first": True}, {}),
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


LINES = "".join(f"{word}\t7\r\n" for word in WORDS).encode("utf-16")
VOCABULARIES = {
    "lines": LINES,
    "ids with their words": json.dumps({str(i): word for i, word in enumerate(WORDS)}).encode(),
    "byte order mark": b"\xef\xbb\xbf" + json.dumps(WORDS, ensure_ascii=False).encode(),
}


@pytest.mark.parametrize("content", VOCABULARIES.values(), ids=VOCABULARIES)
def test_a_vocabulary_in_other_forms(content: bytes, importing: Import) -> None:
    for side in ("source", "target"):
        (importing.folder / f"{side}_vocab.json").unlink()
        (importing.folder / f"{side}_vocab.{'txt' if content is LINES else 'json'}").write_bytes(content)
    importing.same(own().state_dict())
    assert load(importing.folder / "out").tokenizer.vocab == WORDS


@pytest.mark.parametrize(("dtype", "told"), {torch.bfloat16: True, torch.float16: True, torch.float64: False}.items(), ids=str)
def test_other_floats_are_read_and_rounded_positions_told(dtype: torch.dtype, told: bool, importing: Import) -> None:
    state = {name: each.to(dtype) for name, each in own().state_dict().items()}
    assert importing.same(state).positions == "interleaved"
    card = (importing.folder / "out" / "CARD.md").read_text("utf-8")
    assert ("differs by up to 0.00" in card and "the import computes these, in float32" in card) is told


def weight_norm() -> dict[str, Tensor]:
    model = own()
    nn.utils.parametrizations.weight_norm(model.generator)
    return dict(model.state_dict())


def without(name: str) -> dict[str, Tensor]:
    return {each: tensor for each, tensor in own().state_dict().items() if each != name}


REFUSED: dict[str, tuple[Callable[[], Any], str]] = {
    "weight_norm": (weight_norm, "some weights are computed from others, as by weight_norm"),
    "LoRA": (lambda: {"base.q.lora_A.weight": torch.ones(4, D), "base.q.lora_B.weight": torch.ones(D, 4)}, "an adapter (LoRA)"),
    "one bias missing": (lambda: without("transformer.decoder.layers.1.linear2.bias"), "layers.1.linear2.bias is missing"),
    "whole numbers": (
        lambda: {name: tensor.to(torch.int8) for name, tensor in own().state_dict().items()},
        "holds int8, expected floating-point numbers; quantized models are not read",
    ),
    "a matrix across": (
        lambda: without("generator.weight") | {"out": own().generator.weight.detach().T.clone()},
        "best.pt: out is (32, 60), expected (60, 32), as torch.nn.Linear has it; save its .T",
    ),
    # torch's own copies of a decoder layer forget a module
    "two kinds of layers": (lambda: own(activation=nn.GELU()), "best.pt: the model's layers differ in activation (gelu, relu)"),
}


@pytest.mark.parametrize(("content", "said"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_read_is_refused_with_the_way_out(content: Any, said: str, importing: Import) -> None:
    torch.save(content(), importing.folder / "best.pt")
    assert said in importing.run(1)
