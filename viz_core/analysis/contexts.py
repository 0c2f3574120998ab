"""A word in many sentences: the encoder's vector of each token after each layer, and how similar two of them are.

A token has one embedding in all sentences, but the encoder's vector depends on its context (Ethayarajh 2019, "How Contextual are
Contextualized Word Representations?").
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from viz_core.analysis.residual_stream import layer_output
from viz_core.analysis.roles.survey import sentences
from viz_core.checkpoint import Checkpoint
from viz_core.config import ModelConfig
from viz_core.edits import NONE, Edits, site_edits
from viz_core.model.embedding import pad
from viz_core.progress import Progress, counted
from viz_core.taps import Editor, Recorder
from viz_core.trace import Array, Floats, Trace
from viz_core.words import TokenizedText

SENSES = Path(__file__).parent / "sentences"
"""Sentences of our own with words of several senses, by language; the 384 of the heads' roles are added to them."""
BATCH = 64  # sentences in one pass


@dataclass(frozen=True, eq=False)
class Contexts:
    """The tokens of many sentences, with the direction of each one's vector at each place of the encoder.

    Attributes:
        sentences: in the order of the tokens.
        tokens: (sentence, place in it) of each of the N tokens; ⟨/s⟩ and bytes are left out.
        ids: of the tokens, (N,).
        whole: whether each token is a whole word, (N,).
        unit: the vectors at unit length, (places, N, D); the places are those of `encoder_places`.
        mean: the mean of the N unit vectors at each place, (places, D).
    """

    sentences: Sequence[TokenizedText]
    tokens: Sequence[tuple[int, int]]
    ids: npt.NDArray[np.int64]
    whole: npt.NDArray[np.bool_]
    unit: Array
    mean: Array

    def label(self, index: int) -> str:
        sentence, place = self.tokens[index]
        return self.sentences[sentence].tokens[place].label

    def text(self, index: int) -> str:
        """The sentence that contains a token."""
        return self.sentences[self.tokens[index][0]].text


def pool_sentences(language: str) -> list[str]:
    """Our own sentences in a language."""
    file = SENSES / f"senses_{language}.txt"
    return [*(file.read_text("utf-8").splitlines() if file.is_file() else []), *sentences(language)]


def encoder_places(config: ModelConfig) -> list[str]:
    """The sites of the encoder's stream before the first layer and after each layer, L + 1 of them."""
    return ["source.input", *(layer_output(config, "encoder", layer) for layer in range(config.layers("encoder")))]


def contexts(checkpoint: Checkpoint, texts: Sequence[str], edits: Edits = NONE, progress: Progress | None = None) -> Contexts:
    """The vectors of all tokens of these texts; blank ones are left out, long ones are cut.

    Args:
        edits: only those of the model apply, not those of a sentence.
    """
    config, tokenizer = checkpoint.config, checkpoint.source_tokenizer
    limit, before = config.longest_source, len(config.source_start)
    read = [checkpoint.encode(text, "source") for text in dict.fromkeys(texts)]
    sentences = [TokenizedText(text.text, text.words, text.tokens[:limit]) for text in read if text.tokens]
    places, vectors_of = encoder_places(config), []
    for start in counted(range(0, len(sentences), BATCH), progress):
        chunk = sentences[start : start + BATCH]
        batch = [config.framed(sentence.ids) for sentence in chunk]
        states = _states(checkpoint, batch, places, edits)  # (places, B, S, D)
        vectors_of += [states[:, row, before : before + len(sentence)] for row, sentence in enumerate(chunk)]
    tokens = [(i, place) for i, sentence in enumerate(sentences) for place in range(len(sentence))]
    ids = np.array([sentences[i].tokens[place].id for i, place in tokens], dtype=np.int64)
    whole = np.array([_is_whole(sentences[i], place) for i, place in tokens], dtype=np.bool_)
    spoken = np.flatnonzero(tokenizer.texts[ids])
    vectors = np.concatenate([*vectors_of, np.zeros((len(places), 0, config.d_model), np.float32)], axis=1)[:, spoken]
    unit = _unit(vectors)
    mean = unit.mean(axis=1) if len(spoken) else np.zeros_like(vectors, shape=(len(places), config.d_model))
    return Contexts(sentences, [tokens[i] for i in spoken], ids[spoken], whole[spoken], unit, mean)


def _is_whole(sentence: TokenizedText, place: int) -> bool:
    token = sentence.tokens[place]
    word = None if token.word is None else sentence.words[token.word]
    return word is not None and (token.start, token.end) == (word.start, word.end)


@torch.inference_mode()
def _states(checkpoint: Checkpoint, ids: Sequence[Sequence[int]], places: Sequence[str], edits: Edits) -> Array:
    """The encoder's stream of a batch at these sites, (places, B, S, D)."""
    recorder = Recorder()
    changed = {
        site: edit for site, edit in site_edits(edits, checkpoint.config).items() if site.startswith(("source.", "encoder."))
    }
    tap: Any = Editor(changed, recorder) if changed else recorder
    checkpoint.model.encode(pad(ids, checkpoint.config.pad_id), tap)
    return torch.stack([recorder.tensors[place] for place in places]).numpy()


def token_vectors(trace: Trace, token: int) -> Array:
    """The vector of one source token of a traced sentence at each place, (L + 1, D), as recorded."""
    return np.stack([trace.array(place)[token] for place in encoder_places(trace.config)])


def similarity(pool: Contexts, vectors: Array) -> Floats:
    """cos(a, b) = a·b / (|a| |b|) between a token's vector at each place and those of all tokens of the pool; derived.

    Args:
        vectors: (places, D).

    Returns:
        (places, N).
    """
    return np.einsum("pnd,pd->pn", pool.unit, _unit(vectors))


def average_similarity(pool: Contexts, vectors: Array) -> Floats:
    """The mean cosine with all tokens of the pool at each place, (places,): the baseline for two unrelated tokens; derived."""
    return np.einsum("pd,pd->p", pool.mean, _unit(vectors))


def _unit(vectors: Array) -> Array:
    length = np.linalg.norm(vectors.astype(np.float64), axis=-1, keepdims=True)
    return (vectors / np.maximum(length, 1e-12)).astype(np.float32)
