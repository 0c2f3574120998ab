"""A word in many sentences: the encoder's vector of each token after each layer, and how similar two of them are.

A token has one embedding for all sentences; what the encoder makes of it differs with what stands around it (Ethayarajh 2019, "How
Contextual are Contextualized Word Representations?").
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from viz_core.analysis.residual_stream import layer_output
from viz_core.checkpoint import Checkpoint
from viz_core.config import ModelConfig
from viz_core.edits import NONE, Edits, site_edits
from viz_core.model.embedding import pad
from viz_core.progress import Progress, counted
from viz_core.taps import Editor, Recorder
from viz_core.trace import Array, Floats, Trace
from viz_core.words import TokenizedText

BATCH = 64  # sentences in one pass


@dataclass(frozen=True, eq=False)
class Contexts:
    """The tokens of many sentences, with the direction of each one's vector at each place of the encoder.

    Attributes:
        sentences: in the order of the tokens.
        tokens: of each token, (index of its sentence, index in it), N of them; ⟨/s⟩ and bytes are left out.
        ids: of each token, (N,).
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
        sentence, at = self.tokens[index]
        return self.sentences[sentence].tokens[at].label

    def text(self, index: int) -> str:
        """The sentence that contains a token."""
        return self.sentences[self.tokens[index][0]].text


def encoder_places(config: ModelConfig) -> list[str]:
    """The sites of the encoder's stream before the first layer and after each layer, L + 1 of them."""
    return ["source.input", *(layer_output(config, "encoder", layer) for layer in range(config.layers("encoder")))]


def contexts(checkpoint: Checkpoint, texts: Sequence[str], edits: Edits = NONE, progress: Progress | None = None) -> Contexts:
    """The vectors of all tokens of these texts; blank ones are left out, long ones are cut.

    Args:
        edits: what is changed in the model; what they change in one sentence does not apply.
    """
    config, tokenizer = checkpoint.config, checkpoint.source_tokenizer
    limit, before = config.longest_source, len(config.source_start)
    read = [checkpoint.encode(text, "source") for text in dict.fromkeys(texts)]
    sentences = [TokenizedText(each.text, each.words, each.tokens[:limit]) for each in read if each.tokens]
    places, found = encoder_places(config), []
    for start in counted(range(0, len(sentences), BATCH), progress):
        chunk = sentences[start : start + BATCH]
        batch = [config.framed(each.ids) for each in chunk]
        states = _states(checkpoint, batch, places, edits)  # (places, B, S, D)
        found += [states[:, row, before : before + len(each)] for row, each in enumerate(chunk)]
    tokens = [(i, at) for i, each in enumerate(sentences) for at in range(len(each))]
    ids = np.array([sentences[i].tokens[at].id for i, at in tokens], dtype=np.int64)
    whole = np.array([_is_whole(sentences[i], at) for i, at in tokens], dtype=np.bool_)
    spoken = np.flatnonzero(tokenizer.texts[ids])
    vectors = np.concatenate([*found, np.zeros((len(places), 0, config.d_model), np.float32)], axis=1)[:, spoken]
    unit = _unit(vectors)
    mean = unit.mean(axis=1) if len(spoken) else np.zeros_like(vectors, shape=(len(places), config.d_model))
    return Contexts(sentences, [tokens[i] for i in spoken], ids[spoken], whole[spoken], unit, mean)


def _is_whole(sentence: TokenizedText, at: int) -> bool:
    token = sentence.tokens[at]
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


def token_vectors(trace: Trace, at: int) -> Array:
    """The vector of one source token of a traced sentence at each place, (L + 1, D), as recorded."""
    return np.stack([trace.array(place)[at] for place in encoder_places(trace.config)])


def similarity(pool: Contexts, vectors: Array) -> Floats:
    """cos(a, b) = a·b / (|a| |b|) of a token's vector at each place with that of every token of the pool there; derived.

    Args:
        vectors: (places, D).

    Returns:
        (places, N).
    """
    return np.einsum("pnd,pd->pn", pool.unit, _unit(vectors))


def average_similarity(pool: Contexts, vectors: Array) -> Floats:
    """The mean cosine with all tokens of the pool at each place, (places,): what two tokens have in common anyway; derived."""
    return np.einsum("pd,pd->p", pool.mean, _unit(vectors))


def _unit(vectors: Array) -> Array:
    length = np.linalg.norm(vectors.astype(np.float64), axis=-1, keepdims=True)
    return (vectors / np.maximum(length, 1e-12)).astype(np.float32)
