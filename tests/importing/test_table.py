"""Each row of the table "what you have → what to type" of docs/import.md is tried, on a folder as the row describes it."""

import argparse
import json
import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file, save_model
from torch import Tensor, nn

from tests.importing.conftest import lines, marian
from tests.importing.test_bart import SHAPE, SPECIAL, shaken
from tests.importing.test_docs import DOCS
from tests.importing.test_own_models import HEADS, D
from tests.importing.test_own_variants import WORDS, own
from tests.importing.test_tied import GENERATOR, KINDS, NAMES, folders, given, noise, zeros  # noqa: F401
from viz_core.cli import main

EXACT = r"compared with .*: the logits differ by \S+ at most"


class Folder:
    """The folder of a row."""

    def __init__(self, path: Path, request: pytest.FixtureRequest) -> None:
        self.path, self._request, self.tried = path, request, 0

    def fixture(self, name: str) -> Any:
        return self._request.getfixturevalue(name)

    def own(self, content: Any, file: str = "best.pt", **said: Any) -> Path:
        """A folder of one's own model, with import.json and one vocabulary."""
        folder = self.new()
        (folder / "vocab.json").write_text(json.dumps(WORDS))
        (folder / "import.json").write_text(json.dumps({"heads": HEADS, "languages": ["de", "en"]} | said))
        (save_file if file.endswith("safetensors") else torch.save)(content, folder / file)
        return folder

    def new(self) -> Path:
        self.tried += 1
        folder = self.path / str(self.tried)
        folder.mkdir()
        return folder

    def marian(self, vocab: dict[str, int], model: Any) -> Path:
        folder = self.new()
        for name, language in (("source.spm", "en"), ("target.spm", "de")):
            (folder / name).write_bytes(self.fixture("pieces")[language])
        (folder / "vocab.json").write_text(json.dumps(vocab))
        model.save_pretrained(folder)
        return folder


Tried = tuple[Path, str, str]
"""A folder, the options that are typed, and what the command says, as a regular expression."""
Row = Callable[[Folder], list[Tried]]
CODES = "--languages en,de"


def transformers_folders(f: Folder) -> list[Tried]:
    saved = [f.fixture("folders")[kind] for kind in KINDS]
    return [(folder, CODES, EXACT) for folder in (*saved, f.fixture("given")("mbart", {}, "pytorch_model.bin"))]


def more_rows(f: Folder) -> list[Tried]:
    vocab, found = f.fixture("vocab"), []
    for pad in (None, 8):
        model = marian(vocab)
        model.resize_token_embeddings(len(vocab) + 3, pad_to_multiple_of=pad)
        found.append((f.marian(vocab, model), CODES, EXACT if pad is None else "compared"))
    (found[0][0] / "added_tokens.json").write_text(json.dumps({"<ent>": len(vocab)}))
    return [(*found[0][:2], f"tokens were added to the vocabulary \\(<ent>\\)[\\s\\S]*{EXACT}"), found[1]]


def marian_settings(f: Folder) -> list[Tried]:
    folder = f.fixture("given")("marian", {}, normalize_before=True)
    tensors = load_file(folder / "model.safetensors")
    tensors["model.encoder.embed_positions.weight"] = torch.randn(64, 32)
    save_file(tensors, folder / "model.safetensors", {"format": "pt"})
    return [(folder, CODES, f"(?=[\\s\\S]*learned positions)(?=[\\s\\S]*normalize_before is true)[\\s\\S]*{EXACT}")]


def several_languages(f: Folder) -> list[Tried]:
    vocab = f.fixture("vocab")
    folder = f.marian(vocab, marian(vocab))
    (folder / "tokenizer_config.json").write_text(json.dumps({"source_lang": "eng", "target_lang": "ROMANCE"}))
    return [(folder, more, f"{EXACT}[\\s\\S]*>>fra<<") for more in ("--languages en,fr", "")]


def mbart_languages(f: Folder) -> list[Tried]:
    from tokenizers import SentencePieceUnigramTokenizer
    from transformers import MBartConfig, MBartForConditionalGeneration, MBartTokenizer

    learned = SentencePieceUnigramTokenizer()
    learned.train_from_iterator(lines("en"), vocab_size=300, special_tokens=SPECIAL, unk_token="<unk>", show_progress=False)
    scores = dict(json.loads(learned.to_str())["model"]["vocab"])
    tokens = [(token, 0.0) for token in SPECIAL] + [(token, score) for token, score in scores.items() if token not in SPECIAL]
    tokenizer, folder = MBartTokenizer(vocab=tokens), f.new()
    tokenizer.save_pretrained(folder)
    shaken(MBartForConditionalGeneration(MBartConfig(**SHAPE, vocab_size=len(tokenizer)))).save_pretrained(folder)
    return [(folder, each, EXACT) for each in (CODES, "--languages en,fr")]


def layers_alone(f: Folder) -> list[Tried]:
    class Stacks(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            of: dict[str, Any] = {"d_model": D, "nhead": HEADS, "dim_feedforward": 48}
            self.enc = nn.TransformerEncoder(nn.TransformerEncoderLayer(**of), 2)
            self.dec = nn.TransformerDecoder(nn.TransformerDecoderLayer(**of), 2)
            self.src_emb, self.tgt_emb = nn.Embedding(len(WORDS), D), nn.Embedding(len(WORDS), D)
            self.out = nn.Linear(D, len(WORDS))

    nameless = {name.replace("src_emb", "a").replace("tgt_emb", "b"): each for name, each in Stacks().state_dict().items()}
    return [
        (f.own(own().state_dict()), "", EXACT),
        (f.own(Stacks().state_dict()), "", EXACT),
        (f.own(nameless), "", "error: .*which of them is the source embedding\\? import.json says it: 'source_embedding'"),
        (f.own(nameless, source_embedding="a", target_embedding="b"), "", EXACT),
    ]


def trainings(f: Folder) -> list[Tried]:
    model = own()
    optimizer = torch.optim.Adam(model.parameters())
    (model.generator.weight.sum() + model.transformer(torch.ones(1, 2, D), torch.ones(1, 2, D)).sum()).backward()
    optimizer.step()
    state, beside = model.state_dict(), optimizer.state_dict()
    files = [
        ({"model": state, "optimizer": beside, "args": argparse.Namespace(layers=2)}, "best.pt"),
        ({"state_dict": state}, "pytorch_model.bin"), ({"net": state}, "best.pth"), ((state, beside), "best.pt"),
        ({"state_dict": {f"model.{n}": t for n, t in state.items()}, "optimizer_states": [beside], "loops": {}}, "last.ckpt"),
    ]  # fmt: skip
    return [(f.own(*each), "", EXACT) for each in files]


def averages(f: Folder) -> list[Tried]:
    state = own().state_dict()
    other = {name: each * 2 for name, each in state.items()}
    return [
        (f.own({"model": state, name: other}), "", f"holds 2 models .*{name}[\\s\\S]*{EXACT}") for name in ("ema", "swa", "teacher")
    ]


def prefixes(f: Folder) -> list[Tried]:
    state = own().state_dict()
    return [
        (f.own({f"{prefix}{name}": each for name, each in state.items()}, file), "", EXACT)
        for prefix in ("module.", "_orig_mod.", "model.", "net.", "module._orig_mod.model.")
        for file in ("best.pt", "model.safetensors")
    ]


def several_files(f: Folder) -> list[Tried]:
    state, found = own().state_dict(), []
    for index in (True, False):
        folder = f.own({}, "model-00001-of-00002.safetensors")
        places = {name: f"model-0000{at % 2 + 1}-of-00002.safetensors" for at, name in enumerate(state)}
        for each in set(places.values()):
            save_file({name: tensor for name, tensor in state.items() if places[name] == each}, folder / each)
        if index:
            (folder / "model.safetensors.index.json").write_text(json.dumps({"weight_map": places}))
        found.append((folder, "", EXACT))
    return found


def ties(f: Folder) -> list[Tried]:
    model = own()
    model.tgt_tok_emb.weight = model.generator.weight = model.src_tok_emb.weight
    saved = f.own({}, "model.safetensors")
    save_model(model, str(saved / "model.safetensors"))
    return [(f.own(model.state_dict()), "", EXACT), (saved, "", EXACT)]


def variants(f: Folder) -> list[Tried]:
    model = own(bias=False)
    model.transformer.encoder.norm = None
    masks = {"src_mask": torch.zeros(9, 9).bool(), "tgt_mask": torch.full((9, 9), float("-inf")).triu(1), "steps": torch.tensor(3)}
    return [(f.own(model.state_dict() | masks), "", EXACT)]


def positions(f: Folder) -> list[Tried]:
    state = own().state_dict()
    table = state.pop("positional_encoding.pos_embedding")[:, 0]
    tables: list[Tensor] = [table, torch.cat([table[:, ::2], table[:, 1::2]], 1), table + 0.1, torch.randn(100, D)]
    return [(f.own(state | {"pos_enc.pe": each}), "", EXACT) for each in tables]


def without_place(f: Folder) -> list[Tried]:
    state = own().state_dict() | {"probe.weight": torch.ones(3, 4)}
    return [(f.own(state), "", 'error: .*no place in this model.*"unused"'), (f.own(state, unused=["probe.weight"]), "", EXACT)]


def other_attention(f: Folder) -> list[Tried]:
    names = ("encoder.layers.0.src_src_att.k_layer.weight", "encoder.transformer.0.self_attn.linear_keys.weight", "enc.0.wq")
    said = ["is not read; docs/import.md", "is not read; docs/import.md", "docs/import.md says how to give"]
    return [(f.own({name: torch.ones(D, D)}), "", f"error: .*{each}") for name, each in zip(names, said, strict=True)]


ROWS: dict[str, Row] = {
    "a folder of Marian, BART or mBART": transformers_folders,
    "of `lm_head`, `shared` and both": lambda f: [(f.fixture("given")("mbart", zeros(GENERATOR)), CODES, EXACT)],
    "the same, but with other numbers": lambda f: [
        (f.fixture("given")("bart", zeros(*NAMES) | {GENERATOR: noise(1)}), CODES, f"not tied, which is what[\\s\\S]*{EXACT}")
    ],
    "more rows than tokens": more_rows,
    "Marian with other positions": marian_settings,
    "several target languages (`>>fra<<`)": several_languages,
    "several target languages of mBART": mbart_languages,
    "a state dict of a model": layers_alone,
    "a training's file": trainings,
    "weights beside their average": averages,
    "names that begin with": prefixes,
    "a whole model": lambda f: [(f.own(own()), "", EXACT)],
    "weights in several files": several_files,
    "tied weights": ties,
    "`bias=False`": variants,
    "positions of the paper": positions,
    "a tensor that has no place": without_place,
    "attention of your own writing": other_attention,
}


def table() -> list[str]:
    section = DOCS.read_text("utf-8").partition("## What you have")[2].partition("\n## ")[0]
    return [row.split(" | ")[0].removeprefix("| ") for row in section.splitlines() if row.startswith("| ")][1:]


def test_all_rows_are_tried() -> None:
    left = [[name for name in ROWS if row.startswith(name)] for row in table()]
    assert [len(names) for names in left] == [1] * len(ROWS)


@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
def test_what_the_row_says(row: Row, tmp_path: Path, request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]) -> None:
    for at, (folder, more, said) in enumerate(row(Folder(tmp_path, request))):
        code = main(["import", str(folder), *shlex.split(more), "--out", str(tmp_path / f"out{at}")])
        told = capsys.readouterr().err
        assert re.search(said, told), told
        assert code == said.startswith("error") and "not compute" not in told and "Traceback" not in told
