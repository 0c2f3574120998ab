"""Embeddings and generator of a Hugging Face folder, and its other files: whatever they hold, the numbers are those of
transformers.
"""

import itertools
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file

from tests.importing.conftest import marian
from tests.importing.test_bart import SHAPE, SPECIAL, shaken
from viz_core.importing import Options, read_model
from viz_core.importing.write import as_checkpoint, compared

SHARED, SOURCE, TARGET, GENERATOR = NAMES = (
    "model.shared.weight", "model.encoder.embed_tokens.weight", "model.decoder.embed_tokens.weight", "lm_head.weight",
)  # fmt: skip
SUBSETS = [kept for count in (1, 2, 3, 4) for kept in itertools.combinations(NAMES, count)]
"""Everything that the file may hold of the four."""
KINDS = ["marian", "bart", "mbart"]
FILE = "model.safetensors"


@pytest.fixture(scope="session")
def folders(
    tmp_path_factory: pytest.TempPathFactory, new_marian_folder: Callable[[], Path], vocab: dict[str, int]
) -> dict[str, Path]:
    """Small models as `save_pretrained` leaves them, with their vocabularies."""
    import tokenizers
    from transformers import BartConfig, BartForConditionalGeneration, MBartConfig, MBartForConditionalGeneration

    root = tmp_path_factory.mktemp("tied")
    torch.manual_seed(5)
    bytes_ = tokenizers.ByteLevelBPETokenizer()
    bytes_.train_from_iterator(["a text of words"], vocab_size=300, special_tokens=SPECIAL, show_progress=False)
    bytes_.post_processor = tokenizers.processors.RobertaProcessing(("</s>", 2), ("<s>", 0))
    size = {"vocab_size": 300, "decoder_start_token_id": 2}
    models = {
        "marian": marian(vocab),
        "bart": shaken(BartForConditionalGeneration(BartConfig(**SHAPE, **size))),
        "mbart": shaken(MBartForConditionalGeneration(MBartConfig(**SHAPE, **size, scale_embedding=True))),
    }
    found = {"marian": new_marian_folder(), "bart": root / "bart", "mbart": root / "mbart"}
    for kind, model in models.items():
        model.save_pretrained(found[kind])
        if kind != "marian":
            bytes_.save(str(found[kind] / "tokenizer.json"))
    return found


@pytest.fixture
def given(folders: dict[str, Path], tmp_path: Path) -> Any:
    """A folder of a kind, its tensors changed, its config.json too."""

    def make(kind: str, changes: dict[str, torch.Tensor | None], file: str = FILE, **fields: Any) -> Path:
        folder = tmp_path / "given"
        folder.mkdir(exist_ok=True)
        for each in folders[kind].iterdir():
            if each.suffix != ".safetensors":
                (folder / each.name).write_bytes(each.read_bytes())
        config = folder / "config.json"
        config.write_text(json.dumps(json.loads(config.read_text()) | fields))
        tensors = load_file(folders[kind] / FILE)
        matrix = tensors[SHARED]
        for name, tensor in changes.items():
            tensors.pop(name, None)
            if tensor is not None:
                tensors[name] = matrix + tensor
        if file == FILE:
            save_file(tensors, folder / file, {"format": "pt"})
        else:
            torch.save(tensors, folder / file)
        return folder

    return make


def difference(folder: Path) -> tuple[float, tuple[str, ...], Any]:
    """Between the logits of transformers and ours; the notes; and what was read."""
    imported = read_model(folder, Options("en", "de"))
    said = compared(imported, as_checkpoint(imported, "made").model)
    found = re.search(r"differ by (?:up to )?(\S+?)(?: |,|$)", said)
    assert found, said
    return float(found[1]), imported.notes, imported


def zeros(*names: str) -> dict[str, torch.Tensor | None]:
    """The same matrix under these names, and no others."""
    return {name: torch.zeros(1) if name in names else None for name in NAMES}


def noise(seed: int) -> torch.Tensor:
    return torch.randn(32, generator=torch.Generator().manual_seed(seed))


@pytest.mark.parametrize("at", range(len(SUBSETS)), ids=[" ".join(name.split(".")[-2] for name in kept) for kept in SUBSETS])
def test_any_of_the_four_names_gives_the_tied_matrix(at: int, given: Any) -> None:
    kind, file = KINDS[at % 3], (FILE, "pytorch_model.bin")[at % 2]
    most, notes, imported = difference(given(kind, zeros(*SUBSETS[at]), file))
    assert most < 1e-5 and not notes
    stored = [name for name in imported.weights if name.endswith(("embedding.weight", "generator.weight"))]
    assert stored == ["source_embedding.weight"]


@pytest.mark.parametrize("odd", SUBSETS[:4] + SUBSETS[5::4], ids=lambda kept: " ".join(name.split(".")[-2] for name in kept))
def test_what_the_file_holds_with_other_numbers_stays_apart(odd: tuple[str, ...], given: Any) -> None:
    """All four are there, each of `odd` with its own numbers; then without `shared`, whose place another takes."""
    for shared in (torch.zeros(1), None):
        own = {name: noise(n) for n, name in enumerate(odd) if name != SHARED or shared is not None}
        changes = zeros(*NAMES) | {SHARED: shared} | own
        most, notes, _ = difference(given("marian", changes))
        assert most < 1e-4  # logits up to 40
        apart = {name for name in odd if name != SHARED}
        assert bool(notes) == bool(apart or (shared is not None and SHARED in odd)), notes


UNTIED: dict[str, tuple[str, dict[str, Any], dict[str, Any]]] = {
    "nothing tied, the same numbers": ("mbart", {"tie_word_embeddings": False}, zeros(*NAMES)),
    "two languages, own generator": (
        "marian",
        {"share_encoder_decoder_embeddings": False},
        {SHARED: None, SOURCE: noise(1), TARGET: noise(2), GENERATOR: noise(3)},
    ),
    "two languages, generator alone": (
        "marian",
        {"share_encoder_decoder_embeddings": False},
        {SHARED: None, SOURCE: noise(1), TARGET: None, GENERATOR: noise(3)},
    ),
}


@pytest.mark.parametrize(("kind", "fields", "changes"), UNTIED.values(), ids=UNTIED)
def test_config_decides_what_is_tied(kind: str, fields: dict[str, Any], changes: dict[str, Any], given: Any) -> None:
    assert difference(given(kind, changes, **fields))[0] < 1e-4


def test_other_positions_of_marian_are_read_and_told(given: Any) -> None:
    positions = {f"model.{stack}.embed_positions.weight": None for stack in ("encoder", "decoder")}
    for odd in ("encoder", "decoder"):
        folder = given("marian", positions)
        tensors = load_file(folder / FILE)
        tensors[f"model.{odd}.embed_positions.weight"] = torch.randn(64, 32)
        save_file(tensors, folder / FILE, {"format": "pt"})
        most, notes, imported = difference(folder)
        assert most < 1e-4 and f"model.{odd}.embed_positions.weight is not Marian's" in notes[0]
        assert imported.config.positions == "learned"


def test_weights_in_several_files_or_wrapped(given: Any) -> None:
    folder = given("bart", {})
    state, file = load_file(folder / FILE), "model-{:05}-of-00003.safetensors"
    (folder / FILE).unlink()
    places = {name: file.format(at % 3 + 1) for at, name in enumerate(state)}
    for each in set(places.values()):
        save_file({name: tensor for name, tensor in state.items() if places[name] == each}, folder / each)
    index = folder / "model.safetensors.index.json"
    index.write_text(json.dumps({"metadata": {"total_size": 1}, "weight_map": places}))
    most, notes, _ = difference(folder)
    assert most < 1e-5 and not notes
    for each in {*places.values(), index.name}:
        (folder / each).unlink()
    torch.save({"state_dict": {f"model.{name}": each for name, each in state.items()}, "lr": 0.1}, folder / "best.ckpt")
    most, notes, _ = difference(folder)
    assert most < 1e-5 and not notes
