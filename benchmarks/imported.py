"""A model of opus-mt's size, opened here: the time of its explanation beside transformers' own forward, and its memory.

    python -m benchmarks.imported        about a minute

6 + 6 layers, 8 heads, d_model 512, 58,101 tokens, random weights. Whoever measures it needs 4 GB of memory and 700 MB of disk.
"""

from __future__ import annotations

import ctypes
import gc
import io
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import psutil
import sentencepiece
import torch
from transformers import MarianConfig, MarianMTModel

from benchmarks.measure import Row, side_by_side, table, threads
from viz_core.analysis.roles import sentences
from viz_core.checkpoint import Checkpoint, load
from viz_core.explain import explain
from viz_core.importing import Options, read_model
from viz_core.importing.write import save
from viz_core.words import split_words

TOKENS, ROUNDS = 58_101, 9
TEXT, TARGET = "The cat is sleeping on the sofa, because it was tired.", "Die Katze schläft auf dem Sofa, weil sie müde war."
AIM_MEMORY = 150  # MB beside the weights


def original(folder: Path) -> None:
    """A folder as opus-mt models have it."""
    own: list[str] = []
    for language, name in (("en", "source.spm"), ("de", "target.spm")):
        content = io.BytesIO()
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(sentences(language)), model_writer=content, vocab_size=500, minloglevel=2
        )
        (folder / name).write_bytes(content.getvalue())
        processor = sentencepiece.SentencePieceProcessor(model_proto=content.getvalue())
        own += [processor.id_to_piece(i) for i in range(3, processor.get_piece_size())]
    known = list(dict.fromkeys(["</s>", "<unk>", *own]))
    vocab = [*known, *(f"▁unused{i}" for i in range(TOKENS - len(known) - 1)), "<pad>"]
    (folder / "vocab.json").write_text(json.dumps({token: i for i, token in enumerate(vocab)}))
    fields: dict[str, Any] = {
        "vocab_size": TOKENS, "d_model": 512, "encoder_layers": 6, "decoder_layers": 6, "encoder_attention_heads": 8,
        "decoder_attention_heads": 8, "encoder_ffn_dim": 2048, "decoder_ffn_dim": 2048, "pad_token_id": TOKENS - 1,
        "decoder_start_token_id": TOKENS - 1, "eos_token_id": 0, "bos_token_id": 0, "max_position_embeddings": 512,
        "scale_embedding": True, "activation_function": "swish",
    }  # fmt: skip
    torch.manual_seed(0)
    MarianMTModel(MarianConfig(**fields)).save_pretrained(folder)


def speed(theirs: Path, ours: Checkpoint) -> Row:
    """`explain()` of a sentence with its target, beside transformers' forward over the same ids with all that it can give."""
    model = MarianMTModel.from_pretrained(theirs, attn_implementation="eager").eval()
    explanation = explain(ours, TEXT, TARGET)
    source, target = torch.tensor([explanation.source.ids]), torch.tensor([explanation.target.ids])

    @torch.inference_mode()
    def forward() -> None:
        model(input_ids=source, decoder_input_ids=target, output_attentions=True, output_hidden_states=True)

    name = f"explain() / MarianMT with all outputs, {len(explanation.source)} × {len(explanation.target)}"
    with threads(1):
        return Row(name, *side_by_side(lambda: explain(ours, TEXT, TARGET), forward, ROUNDS), aim=1.1, threads=1)


def measure_memory(folder: Path) -> None:
    """Prints the memory that the checkpoint takes in a separate process, in MB: while loading, and beyond its weights."""
    for language in ("en", "de"):
        split_words("a", language)
    before, start = _resident(), time.perf_counter()
    checkpoint = load(folder)
    seconds = time.perf_counter() - start
    checkpoint.encode(TEXT, "source"), checkpoint.encode(TARGET, "target")
    weights = sum(4 * parameter.numel() for parameter in checkpoint.model.parameters())
    print(json.dumps([1000 * seconds, (_resident() - before - weights) / 1e6]))


def _resident() -> float:
    gc.collect()
    if sys.platform == "linux":
        ctypes.CDLL("libc.so.6").malloc_trim(0)
    return float(psutil.Process().memory_info().rss)


def main() -> None:
    if len(sys.argv) > 1:
        measure_memory(Path(sys.argv[1]))
        return
    with tempfile.TemporaryDirectory() as name:
        theirs, ours = Path(name) / "theirs", Path(name) / "ours"
        theirs.mkdir()
        original(theirs)
        save(read_model(theirs, Options("en", "de")), ours, "here", half=False)
        said = subprocess.run([sys.executable, "-m", "benchmarks.imported", str(ours)], capture_output=True, check=True, text=True)
        milliseconds, beside = json.loads(said.stdout)
        rows = [
            speed(theirs, load(ours)),
            Row("loading its checkpoint", milliseconds),
            Row("memory beside its weights", beside, aim=AIM_MEMORY, unit="MB"),
        ]
        print(table(rows))


if __name__ == "__main__":
    main()
