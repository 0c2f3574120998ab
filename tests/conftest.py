"""Small things that many tests need: a few sentences, their vocabulary, a model of two layers, a saved checkpoint."""

import gc
import os
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import torch
from streamlit.components.v2 import manifest_scanner
from streamlit.runtime.scriptrunner import script_cache
from streamlit.testing.v1 import app_test, local_script_runner

from viz_core import checkpoint as checkpoints
from viz_core.app import drawing, plot
from viz_core.checkpoint import Checkpoint
from viz_core.config import ModelConfig
from viz_core.figures.figure import Figure
from viz_core.model import Transformer
from viz_core.model.embedding import pad
from viz_core.taps import Recorder
from viz_core.tokenizer import Tokenizer
from viz_core.trace import Trace
from viz_core.training.pairs import learn_tokenizer

torch.set_num_threads(1)
gc.disable()  # until all is imported, see `pytest_collection_finish`
os.environ.setdefault("VIZ_CALCULATOR", "off")  # it would know nothing of what a test replaces
# Each AppTest asks all installed packages for components, which takes ten times as long as a page; and each of its runs mocks the
# server and compiles the pages, which takes a third of it. They stay the same meanwhile.
manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)  # type: ignore[assignment]
app_test.MagicMock = cache(app_test.MagicMock)  # type: ignore[misc,assignment,attr-defined]
app_test.ScriptCache = local_script_runner.ScriptCache = cache(script_cache.ScriptCache)  # type: ignore[misc,assignment,attr-defined]
plot_payload = plot.plot_payload


def _plot_payload(figure: Figure, **about: Any) -> bytes:
    figure.plotly()
    return plot_payload(figure, **about)


drawing.plot_payload = _plot_payload  # type: ignore[attr-defined]  # each figure that a page shows in any test is one that plotly accepts


FIRST = "/serving/", "training/test_d", "test_notebook", "test_benchmarks", "test_every_page", "e2e/test_golden", "/e2e/"
"""Tests that take longest, in this order."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """No process that tests is left alone with a long one in the end."""
    items.sort(key=lambda item: next((at for at, name in enumerate(FIRST) if name in item.nodeid), len(FIRST)))


def pytest_collection_finish() -> None:
    """What is imported stays; to look through it for garbage again and again takes seconds."""
    gc.freeze()
    gc.enable()


WHO = {"the otter": "der Otter", "a baker": "ein Bäcker", "my aunt": "meine Tante", "the tall nurse": "die große Pflegerin"}
DOES = {"paints": "bemalt", "carries": "trägt", "hides": "versteckt"}
WHAT = {"a green kettle": "einen grünen Kessel", "two umbrellas": "zwei Regenschirme", "the well-worn map": "die alte Karte"}
ODD = [
    ("Don't hurry, it's only half past 9!", "Keine Eile, es ist erst halb 10!"),
    ("“Really?” she whispered.", "„Wirklich?“, flüsterte sie."),
    ("A lighthouse keeper's lamp-oil shortage…", "Der Lampenölmangel eines Leuchtturmwärters …"),
]

TRACED_IDS = ([300, 301, 302, 2], [1, 330, 331, 332, 333])

MakeModel = Callable[..., Transformer]
Batch = tuple[torch.Tensor, torch.Tensor]
Traced = tuple[Transformer, Trace]


@pytest.fixture(scope="session")
def pairs() -> list[tuple[str, str]]:
    """A few dozen sentence pairs."""
    made = [
        (f"{who} {does} {what}.".capitalize(), f"{wer[0].upper()}{wer[1:]} {tut} {was}.")
        for who, wer in WHO.items()
        for does, tut in DOES.items()
        for what, was in WHAT.items()
    ]
    return [*made, *ODD]


@pytest.fixture(scope="session")
def tokenizer(pairs: Sequence[tuple[str, str]]) -> Tokenizer:
    """About two hundred tokens learnt from the pairs, after the special ones, the bytes and the alphabet."""
    return learn_tokenizer(pairs, "en", "de", vocab_size=560)


@pytest.fixture(scope="session")
def make_model(tokenizer: Tokenizer) -> MakeModel:
    """Builds a model of two small layers with the same random weights each time; fields of ModelConfig may differ."""

    def make(**fields: object) -> Transformer:
        settings: dict[str, object] = {
            "source_vocab": len(tokenizer), "target_vocab": len(tokenizer), "d_model": 32, "n_heads": 4, "n_layers": 2, "d_ff": 48,
            "max_len": 40,
        }  # fmt: skip
        with torch.random.fork_rng():
            torch.manual_seed(7)
            model = Transformer(ModelConfig(**settings | fields))  # type: ignore[arg-type]
            for name, parameter in model.named_parameters():
                if parameter.dim() == 1:  # biases of 0 and gains of 1 would hide that one of them is left out
                    torch.nn.init.normal_(parameter, mean=float(name.endswith("gamma")), std=0.2)
        return model.eval().requires_grad_(False)

    return make


@pytest.fixture(scope="session")
def model(make_model: MakeModel) -> Transformer:
    """The small model, ready to be used; tests must not change it."""
    return make_model()


@pytest.fixture(scope="session", params=[("pre", True), ("pre", False), ("post", True), ("post", False)], ids=str)
def traced(request: pytest.FixtureRequest, make_model: MakeModel) -> Traced:
    """A small model of each kind (place of LayerNorm, tied or not) with the trace of one pass over 4 source and 5 target tokens."""
    norm, tied = request.param
    model, recorder = make_model(norm=norm, tied_embeddings=tied), Recorder()
    with torch.inference_mode():
        model(*(torch.tensor([ids]) for ids in TRACED_IDS), recorder)
    return model, Trace(model.config, recorder.tensors)


@pytest.fixture(scope="session")
def batch() -> Batch:
    """Source and target ids of three sentences of different length, padded, (3, 7) and (3, 6)."""
    source = pad([[300, 301, 302, 303, 304, 305, 2], [310, 311, 2], [320, 321, 322, 323, 2]])
    target = pad([[1, 330, 331], [1, 340, 341, 342, 343, 344], [1, 350, 351, 352]])
    return source, target


def made(model: Transformer, tokenizer: Tokenizer) -> Checkpoint:
    """An English–German checkpoint with this model."""
    return Checkpoint("made", model, tokenizer, "en", "de", digest="")


@pytest.fixture(scope="session")
def checkpoint_folder(model: Transformer, tokenizer: Tokenizer, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small model as a checkpoint on disk; tests that change it make a copy."""
    folder = tmp_path_factory.mktemp("checkpoints") / "tiny"
    checkpoints.save(folder, made(model, tokenizer))
    return folder


@pytest.fixture(scope="session")
def shipped() -> Checkpoint:
    """The checkpoint that comes with the program."""
    return checkpoints.load(Path(__file__).parents[1] / "checkpoints" / "en-de")


@pytest.fixture(scope="session")
def shipped_tiny() -> Checkpoint:
    """The smallest of those that come with the program, for what any trained model shows."""
    return checkpoints.load(Path(__file__).parents[1] / "checkpoints" / "en-de-tiny")


@pytest.fixture(scope="session")
def checkpoint(checkpoint_folder: Path) -> Checkpoint:
    """The small checkpoint, loaded."""
    return checkpoints.load(checkpoint_folder)


@pytest.fixture
def bar(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What the top bar of a page was given last."""
    given: dict[str, Any] = {}
    monkeypatch.setattr("viz_core.app.top_bar.connect", lambda _, data, *__: given.update(data))
    return given
