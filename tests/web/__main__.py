"""python -m tests.web [--sentences 50] [--texts 2000] [model …]: compares the browser's engine with PyTorch.

Writes the tables of docs/engine.md, a column when a model is done; for some models only, it prints theirs.
"""

from __future__ import annotations

import argparse
import os
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from pathlib import Path

import torch
from torch import Tensor

from tests.importing.conftest import lines
from tests.web import test_engine_texts as vocabularies
from tests.web.conftest import ROOT, Engine, rules, worst
from tests.web.test_engine import TOLERANCE, VARIANTS, random_model
from tests.web.test_engine_decoding import tree_off
from viz_core.catalog import find
from viz_core.checkpoint import Checkpoint, load, save
from viz_core.composed import is_blank
from viz_core.config import MASK_ID, ModelConfig
from viz_core.decoding.beam import BeamSettings
from viz_core.decoding.non_autoregressive import likely_lengths, mask_predict_steps
from viz_core.decoding.translate import max_steps
from viz_core.explain import explain
from viz_core.taps import Recorder

PAGE = ROOT / "docs" / "engine.md"
MODELS = ("en-de", "en-fr", "en-zh", "zh-en", "en-de-small", "en-de-tiny", "zh-en-tiny", "en-de-masked")
KINDS = {
    "ours": vocabularies.mbart_50,
    "ours, in bfloat16": vocabularies.pairs_after_a_blank,
    "marian": vocabularies.unigram,
    "bart": vocabularies.pairs,
    "mbart": vocabularies.mbart,
}  # the vocabulary of each kind; the others have one of words
HOSTILE = 4  # every fourth text is hostile
LONGEST = 40  # sentence of such a model, whose random weights seldom end one
PASSES = 10  # of mask-predict, at most
TIES = "trees that part at a tie"
BEAM = ("from double precision", "from single precision", TIES)  # how far its log-probabilities and scores are off, see `tree_off`
SIZES = ((9, 8), (22, 26))  # tokens of source and target
TWELVE = "The old man with the white beard sells fresh bread every morning."


def compare(checkpoint: Checkpoint, folder: Path, engine: Engine, count: int) -> Iterator[tuple[str, float]]:
    """How far each site is off, layers as one, and the scores of a beam of 5, in sentences whose tokens are all the same."""
    exact = deepcopy(checkpoint.model).double()
    for text in sentences(checkpoint, count):
        if checkpoint.config.decoder == "masked":
            passes = filled(checkpoint, folder, engine, text)
        else:
            theirs = explain(checkpoint, text)
            ours = engine.ask("explain", folder, texts=[text, "", ""], **rules(checkpoint))
            assert [token[0] for token in ours["output"]] == [token.id for token in theirs.output], text
            passes = iter([theirs.trace.tensors])
        for expected in passes:
            for site, off in worst(expected, engine.tensors()).items():
                yield re.sub(r"(.*?)(\.\d+)?(\..*)", r"`\1\3`", site), off
        if checkpoint.config.decoder == "causal":
            source = theirs.source.ids
            settings = BeamSettings(5, max_steps(checkpoint.config, len(source)), 0.6)
            (exactly, _), (singly, is_same) = tree_off(engine, folder, source, settings, exact, checkpoint.model)
            yield from zip(BEAM, (exactly, singly, not is_same), strict=True)


def sentences(checkpoint: Checkpoint, count: int) -> list[str]:
    hostile = [text for text in vocabularies.texts(60) if not is_blank(text) and checkpoint.encode(text, "source").tokens]
    return [*lines(checkpoint.source_language)[: count - count // HOSTILE], *hostile[: count // HOSTILE]]


@torch.inference_mode()
def filled(checkpoint: Checkpoint, folder: Path, engine: Engine, text: str) -> Iterator[Mapping[str, Tensor]]:
    """The sites of each pass of mask-predict, for the most probable length."""
    model, config = checkpoint.model, checkpoint.config
    source = config.framed(checkpoint.encode(text, "source").ids[: config.longest_source])
    encoded = model.encode(torch.tensor([source]))
    length = int(likely_lengths(model, *encoded, 1)[0])
    ours = engine.ask("fill", folder, source=source, passes=PASSES)
    ids = torch.full((1, length), MASK_ID)
    for found, theirs in zip(ours, mask_predict_steps(model, *encoded, [length], PASSES), strict=True):
        assert (found["hidden"], found["ids"]) == (theirs.hidden[0].tolist(), theirs.ids[0].tolist()), text
        recorder, read = Recorder(), ids.masked_fill(theirs.hidden, MASK_ID)
        model(torch.tensor([source]), read, recorder)
        engine.ask("pass", folder, source=source, target=read[0].tolist())
        yield recorder.tensors
        ids = theirs.ids


def tables(names: list[str], engine: Engine, count: int, strings: int) -> Iterator[str]:
    """The parity of sites, beams and vocabularies of models, after each model."""
    columns: dict[str, dict[str, float]] = {}
    for name in names:
        checkpoint, folder = load(name, None), find(name)
        columns[name] = column(checkpoint, folder, engine, count)
        for language in (checkpoint.source_language, checkpoint.target_language):
            vocabularies.assert_same(engine, folder, checkpoint.tokenizer, language, checkpoint.config.eos_id, strings)
        counts = f"{count} sentences of each model; {strings:,} hostile texts of each vocabulary and language."
        sites = [site for site in columns[names[0]] if site not in BEAM]
        yield "\n\n".join([counts, table("site", sites, columns), table("beam of 5", BEAM, columns)])


def column(checkpoint: Checkpoint, folder: Path, engine: Engine, count: int) -> dict[str, float]:
    """The worst difference at each site and of each `BEAM`; none that is limited is above the tolerance."""
    result: dict[str, float] = {}
    for site, off in compare(checkpoint, folder, engine, count):
        result[site] = result.get(site, 0.0) + off if site == TIES else max(off, result.get(site, 0.0))
        assert off <= TOLERANCE or site in BEAM[1:], f"{checkpoint.name}, {site}: {off:.1e}"
    return result


def kinds(engine: Engine, count: int, strings: int) -> Iterator[str]:
    """The same of small models of every kind, with random weights."""
    yield from (f"| kind | vocabulary | worst | at | beam of 5 {' | '.join(BEAM)} |", f"|---{'|---' * 6}|")
    for kind in VARIANTS:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            checkpoint = small(kind, folder)
            off = column(checkpoint, folder, engine, count)
            vocabularies.assert_same(engine, folder, checkpoint.tokenizer, "en", checkpoint.config.eos_id, strings)
            site = max((site for site in off if site not in BEAM), key=off.__getitem__)
            vocabulary = KINDS.get(kind, vocabularies.words).__name__.replace("_", " ")
            beam = " | ".join(written(off.get(name, 0.0)) for name in BEAM)
            yield f"| {kind} | {vocabulary} | {written(off[site])} | {site} | {beam} |"


def small(kind: str, folder: Path) -> Checkpoint:
    """A model of this kind with its vocabulary. As in Marian, ⟨s⟩ may be padding, though with the ids of ours."""
    make = KINDS.get(kind, vocabularies.words)
    size, fields = len(make(ModelConfig(source_vocab=400, target_vocab=400))), dict(VARIANTS[kind])
    if kind == "marian":
        fields |= {"pad_id": 0, "bos_id": 0, "eos_id": 2, "unk_id": 3, "never_ids": [0]}
    model = random_model(folder, **fields | {"source_vocab": size, "target_vocab": size, "max_len": LONGEST})
    checkpoint = Checkpoint(kind, model, make(model.config), "en", "de", "")
    save(folder, checkpoint, fields.get("dtype", torch.float32))
    return checkpoint


def table(name: str, rows: Sequence[str], columns: dict[str, dict[str, float]]) -> str:
    cells = [" | ".join(written(each.get(row, 0.0)) for each in columns.values()) for row in rows]
    lines = [f"| {row} | {of} |" for row, of in zip(rows, cells, strict=True)]
    return "\n".join([f"| {' | '.join([name, *columns])} |", f"|---{'|---' * len(columns)}|", *lines])


def written(off: float) -> str:
    return f"{off:.0f}" if off >= 1 else f"{off:.1e}".replace("e-0", "e−") if off else "–"


def speed(engine: Engine) -> Iterator[str]:
    """The least time of seven, for en-de."""
    folder, checkpoint = find("en-de"), load("en-de")
    yield from ("| en-de | ms |", "|---|---|")
    for rows, columns in SIZES:
        ids = {"source": [*range(300, 299 + rows), 2], "target": [1, *range(400, 399 + columns)]}
        yield f"| a pass of {rows} × {columns} tokens | {min(engine.ask('pass', folder, **ids)['ms'] for _ in range(7)):.0f} |"
    words = engine.ask("explain", folder, texts=[TWELVE, "", ""], **rules(checkpoint))
    source = [token[0] for token in words["source"]]
    steps = f"{len(checkpoint.encode(TWELVE, 'source').words) - 1} words, {len(words['output'])} steps"
    least = min(engine.ask("greedy", folder, source=source)["ms"] for _ in range(7))
    yield f"| greedy decoding of a sentence of {steps}, with its trace | {least:.0f} |"
    least = min(engine.ask("explain", folder, texts=[TWELVE, "", ""], **rules(checkpoint))["ms"] for _ in range(7))
    yield f"| the same from the typed text | {least:.0f} |"


def machine() -> str:
    name = re.search(r"^model name\s*: (.*)$", Path("/proc/cpuinfo").read_text("utf-8"), re.MULTILINE)
    return f"Time of one core ({name[1] if name else '?'}, {os.cpu_count()} cores), in Node.js."


def write(part: str, text: str) -> None:
    pattern = re.compile(rf"(?<=<!-- {part} -->\n).*?(?=\n<!-- /{part} -->)", re.DOTALL)
    PAGE.write_text(pattern.sub(lambda _: text, PAGE.read_text("utf-8")), "utf-8")


def main() -> None:
    """Runs the command."""
    parser = argparse.ArgumentParser(prog="python -m tests.web", description=__doc__)
    parser.add_argument("--sentences", type=int, default=50)
    parser.add_argument("--texts", type=int, default=2000)
    parser.add_argument("names", nargs="*", metavar="model", default=MODELS)
    options = parser.parse_args()
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as folder:
        engine = Engine(Path(folder))
        if options.names != MODELS:
            *_, last = tables(options.names, engine, options.sentences, options.texts)
            print(last)
        else:
            write("speed", "\n".join([machine(), "", *speed(engine)]))
            write("kinds", "\n".join(kinds(engine, options.sentences, options.texts)))
            for text in tables(options.names, engine, options.sentences, options.texts):
                write("sites", text)
        engine.close()


if __name__ == "__main__":
    main()
