"""Decoding with a pointer-generator: what each step generates, what it copies, and from where; and the figure's data."""

from dataclasses import dataclass

import numpy as np
import torch

from viz_core.analysis.divergence import marked, word_runs
from viz_core.analysis.next_token import vocabulary_label
from viz_core.analysis.search import GREEDY, decoder_arguments, forced_in, search, written
from viz_core.app import models
from viz_core.app.answers import Refused
from viz_core.app.cache import cached_aside, cached_file
from viz_core.browser.pack import pack
from viz_core.checkpoint import Checkpoint
from viz_core.decoding import copying
from viz_core.decoding.copying import copy_steps
from viz_core.edits import site_edits
from viz_core.explain import Explanation
from viz_core.model.pointer import PointerGenerator
from viz_core.texts import visible
from viz_core.trace import Doubles


@dataclass(frozen=True, eq=False)
class CopiedToken:
    """One output token.

    Attributes:
        id: the most probable token of the mixture, or a token that an edit forces.
        probability: P, its probability in the mixture.
        in_vocab: P_vocab, its probability under the model alone.
        alone: the token that the model alone would write here.   alone_prob: the P_vocab of that token.
        p_gen: the gate, 0…1, the sigmoid of the sum of `terms`, (4,): from context, state and input, and the bias.
        a: the copy distribution over the source, (S,).   mix: the heads' attention before `follow`, (S,).
        sources: the source positions that hold this token.
    """

    id: int
    probability: float
    in_vocab: float
    alone: int
    alone_prob: float
    p_gen: float
    terms: tuple[float, ...]
    a: Doubles
    mix: Doubles
    sources: tuple[int, ...]

    @property
    def copied(self) -> float:
        """Σ aᵢ over the source positions of this token."""
        return float(self.a[list(self.sources)].sum())

    @property
    def share(self) -> float:
        """The share of its probability that copying contributes, 0…1."""
        return (1 - self.p_gen) * self.copied / self.probability if self.probability else 0.0


@dataclass(frozen=True, eq=False)
class CopiedSentence:
    """The T output tokens, including the one that ends the sentence.

    Attributes:
        heads: the weight of each head of cross attention in the mix, (L, h); they sum to 1.
        follow: β; the source token after the one just copied counts e^β times as much.
    """

    tokens: tuple[CopiedToken, ...]
    heads: Doubles
    follow: float

    @property
    def ids(self) -> tuple[int, ...]:
        return tuple(token.id for token in self.tokens)

    @property
    def top_head(self) -> tuple[int, int]:
        """Layer and head with the largest weight, from 0."""
        layer, head = np.unravel_index(self.heads.argmax(), self.heads.shape)
        return int(layer), int(head)

    def heads_for(self, share: float) -> int:
        """How many heads, the largest weights first, make up this share of the weight."""
        return int(np.searchsorted(np.sort(self.heads.ravel())[::-1].cumsum(), share)) + 1

    @property
    def finite(self) -> bool:
        """Whether the numbers of all steps are finite; an edited model may give NaN."""
        return all(np.isfinite((token.probability, token.p_gen)).all() for token in self.tokens)


def decode_with_copying(checkpoint: Checkpoint, explanation: Explanation, pointer: PointerGenerator) -> CopiedSentence:
    """Greedy decoding with copying, with the model as trained or edited, whatever target was typed."""
    steps = copy_steps(
        **decoder_arguments(checkpoint, explanation), pointer=pointer, edits=site_edits(explanation.edits, checkpoint.config),
        whole=explanation.edits.whole, forced=forced_in(checkpoint, explanation),
    )  # fmt: skip
    tokens = []
    for step in steps:
        written, alone = int(step.ids[0]), int(step.log_vocab[0].argmax())
        log_probs, log_vocab, pointing = step.log_probs[0].double(), step.log_vocab[0].double(), step.pointing
        tokens.append(
            CopiedToken(
                id=written,
                probability=float(log_probs[written].exp()),
                in_vocab=float(log_vocab[written].exp()),
                alone=alone,
                alone_prob=float(log_vocab[alone].exp()),
                p_gen=float(pointing.p_gen[0, 0]),
                terms=tuple(pointing.terms[0, 0].tolist()),
                a=pointing.a[0, 0].double().numpy(),
                mix=pointing.mix[0, 0].double().numpy(),
                sources=tuple(i for i, token in enumerate(explanation.source.ids) if token == written),
            )
        )
    config = checkpoint.config
    with torch.inference_mode():
        heads = pointer.heads.softmax(0).view(config.layers("decoder"), config.n_heads).double().numpy()
    return CopiedSentence(tuple(tokens), heads, float(pointer.follow))


def get_pointer(checkpoint: Checkpoint) -> PointerGenerator | None:
    """A checkpoint's copy gate, None if it has none.

    Raises:
        CheckpointError: the file is damaged, or belongs to other weights; the message says which.
    """
    folder = models.folder(checkpoint)
    return cached_file(copying.read, folder / copying.NAME, folder, checkpoint)


def copied_tokens(checkpoint: Checkpoint, explanation: Explanation) -> bytes:
    """What each of the T steps generates, what it copies, and from which of the S source tokens; the output without copying, too.

    Tensors: probabilities (T, 4), of the written token in the mixture and under the model alone, p_gen, and of the token that the
    model alone would write; terms (T, 4), the summands of the gate; a and mix (T, S).

    About: `sentences`, the outputs without and with copying, from `marked`; `total`, Σ ln p of the former; `above`, whether that is
    the explained one; `lost`, its words that are lost; `tokens`, the written token of each step and the other one, if any, that the
    model alone would write, as entries of the vocabulary; `sources`, the places of the written token in the source; `follow`, β;
    `steps`, how many of the T steps the keys reach.
    """
    pointer = get_pointer(checkpoint)
    sentence = cached_aside(decode_with_copying, checkpoint, explanation, pointer) if pointer else None
    greedy = written(checkpoint, explanation) or cached_aside(search, checkpoint, explanation, GREEDY).greedy
    if sentence is None or not sentence.finite or not np.isfinite(greedy.total):
        raise Refused(404, "lacking", view="copied_tokens")
    tokenizer, steps = checkpoint.tokenizer, sentence.tokens
    plain, mixed = (tokenizer.read(ids, checkpoint.target_language) for ids in (greedy.ids, sentence.ids))
    between = word_runs([word.text for word in plain.words], [word.text for word in mixed.words])

    def label(token: int) -> str:
        return visible(vocabulary_label(tokenizer, token))

    tensors = {
        "probabilities": np.array([(token.probability, token.in_vocab, token.p_gen, token.alone_prob) for token in steps]),
        "terms": np.array([token.terms for token in steps]),
        **{name: np.stack([getattr(token, name) for token in steps]) for name in ("a", "mix")},
    }
    about = {
        "sentences": [
            [(visible(word), differs) for word, differs in marked(plain.words, one.text, one.words)] for one in (plain, mixed)
        ],
        "total": greedy.total,
        "above": greedy.ids == tuple(token.id for token in explanation.output),
        "lost": [visible(word) for run in between if not run.after for word in run.before],
        "written": [*map(visible, mixed.labels)],
        "source": [*map(visible, explanation.source.labels)],
        "tokens": [[label(token.id), label(token.alone) if token.alone != token.id else ""] for token in steps],
        "sources": [token.sources for token in steps],
        "text": visible(tokenizer.decode(sentence.ids)),
        "follow": sentence.follow,
        "steps": len(explanation.steps),
    }
    return pack(tensors, about)
