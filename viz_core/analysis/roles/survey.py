"""Measures the heads of a checkpoint over many sentences, batch by batch, as sums for all heads of an attention at once.

Line i of `viz_core/analysis/sentences/<language>.txt` is the same sentence in every language. No model was trained on them.

With A the weights, K(i) the keys that a measure counts for query i, and n(i) the number of keys that query i may look at:

    share               mean over i of Σ_{j ∈ K(i)} A_ij              by equal weights: mean of |K(i)| / n(i)
    entropy             mean of −Σ_j A_ij log₂ A_ij, in bits          by equal weights: mean of log₂ n(i)
    normalised entropy  mean of the same ÷ log₂ n(i)                  by equal weights: 1
    distance            mean of Σ_j A_ij |i − j|, in tokens           by equal weights: mean of |i − j|

The mean is over all queries of all sentences that have a choice (n(i) > 1) and, for a share, something to count (K(i) not empty).
Entropy: Clark et al. 2019, §3.3. Distance: Vig & Belinkov 2019. Shares: `keys.py`. For a share by distance alone, each cell of K(i)
gets the mean weight that this head gives to a key at this distance.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from viz_core.analysis.roles.keys import Booleans, allowed, consensus, key_sets
from viz_core.analysis.roles.rule import assign
from viz_core.analysis.roles.table import BESIDE_DISTANCE, NONE, SHARES, Evidence, Heads, HeadTable, Measure
from viz_core.checkpoint import Checkpoint
from viz_core.composed import is_blank
from viz_core.decoding import greedy, max_steps
from viz_core.errors import TextError
from viz_core.explain import MAX_CHARACTERS, decoder_reads, framed, traced_pass
from viz_core.model.embedding import pad
from viz_core.progress import Progress
from viz_core.trace import Array, Doubles, Kind, Trace, heads_shape
from viz_core.words import TokenizedText


class _Sum:
    """One measure of H heads: the sum of its values, the sum for equal weights, and the count."""

    def __init__(self, heads: int) -> None:
        self.values, self.uniform, self.count = np.zeros(heads), np.zeros(heads), 0

    def add(self, values: npt.NDArray[Any], uniform: npt.NDArray[Any] | float, count: int) -> None:
        self.values += values
        self.uniform += uniform
        self.count += count


class _Best:
    """The clearest sentence and cell of one share for each of H heads."""

    def __init__(self, heads: int) -> None:
        self.score, self.weight = np.full(heads, -np.inf), np.zeros(heads)
        self.sentence, self.query, self.key = (np.zeros(heads, dtype=np.int64) for _ in range(3))

    def see(self, sentence: int, score: Doubles, counted: Doubles) -> None:
        """Keeps the largest counted weight, of (H, Tq, Tk), for each head whose score in this sentence is the best so far."""
        query, key = np.unravel_index(counted.reshape(len(score), -1).argmax(-1), counted.shape[1:])
        better = score > self.score
        self.score[better], self.sentence[better] = score[better], sentence
        self.query[better], self.key[better] = query[better], key[better]
        self.weight[better] = counted.max((1, 2))[better]


class Tally:
    """One attention of all layers and heads, over sentences of at most `longest` positions; language: of its keys."""

    def __init__(self, kind: Kind, shape: tuple[int, int], longest: int, language: str) -> None:
        self.kind, self.shape, self.longest, self.language = kind, shape, longest, language
        self._heads = shape[0] * shape[1]
        self._sums: dict[str, _Sum] = {}
        self._best: dict[str, _Best] = {}
        # By distance key − query, from −longest to longest: sums of weights, number of cells, and the cells that a share counts.
        self._weights, self._cells = np.zeros((self._heads, 2 * longest + 1)), np.zeros(2 * longest + 1)
        self._counted = {name: np.zeros((self._heads, 2 * longest + 1)) for name in BESIDE_DISTANCE if name in SHARES[kind]}

    def add(self, sentence: int, queries: TokenizedText, keys: TokenizedText, weights: Array) -> None:
        """Counts one more sentence; weights: of real tokens alone, (L, h, Tq, Tk)."""
        a = weights.reshape(self._heads, len(queries), len(keys)).astype(np.float64)
        may = allowed(self.kind, len(queries), len(keys))
        n = may.sum(-1)  # (Tq,)
        choice = n > 1
        if not choice.any():
            return
        self._spread(a[:, choice], may[choice], n[choice], np.flatnonzero(choice))
        self._profile(a, may & choice[:, None])
        for name, counted in key_sets(self.kind, queries, keys, self.language).items():
            self._share(name, sentence, a, counted & choice[:, None], n)
        if self.kind == "cross" and (aligned := consensus(weights.reshape(a.shape), queries, keys)):
            self._share("alignment", sentence, a, aligned.counted, n)
            words = aligned.aligned.shape[1]
            self._sum("agreement").add((aligned.picked == aligned.aligned).sum(-1), words / aligned.choices, words)
            in_order, pairs = aligned.in_order()
            self._sum("monotonicity").add(in_order, pairs / 2, pairs)

    def measures(self) -> dict[str, Measure]:
        """The measures so far, without those that no sentence could show."""
        return {name: self._measure(name, total) for name, total in self._sums.items() if total.count}

    def evidence(self, roles: tuple[tuple[str, ...], ...], texts: Mapping[int, str]) -> tuple[tuple[Evidence | None, ...], ...]:
        """For each head, the sentence where its role exceeds equal weights most, and the strongest cell there."""
        heads = self.shape[1]
        return tuple(
            tuple(None if role == NONE else self._evidence(role, layer * heads + head, texts) for head, role in enumerate(row))
            for layer, row in enumerate(roles)
        )

    def _evidence(self, role: str, head: int, texts: Mapping[int, str]) -> Evidence:
        best = self._best[role]
        return Evidence(texts[int(best.sentence[head])], int(best.query[head]), int(best.key[head]), float(best.weight[head]))

    def _measure(self, name: str, total: _Sum) -> Measure:
        by_distance = None
        if name in self._counted:
            profile = self._weights / np.maximum(self._cells, 1)  # (H, distances)
            by_distance = ((profile * self._counted[name]).sum(-1) / total.count).reshape(self.shape)
        values = (total.values / total.count).reshape(self.shape)
        return Measure(values, float(total.uniform.mean() / total.count), total.count, by_distance)

    def _share(self, name: str, sentence: int, a: Doubles, counted: Booleans, n: npt.NDArray[np.int64]) -> None:
        """Adds one share; counted: (Tq, Tk), or (H, Tq, Tk) where keys, but not queries, differ by head."""
        rows = counted.any(-1).reshape(-1, len(n))[0]
        if not rows.any():
            return
        taken = np.where(counted, a, 0.0)
        values, uniform = taken.sum((1, 2)), (counted.sum(-1) / n).sum(-1)
        self._sum(name).add(values, uniform, int(rows.sum()))
        if name in self._counted:
            heads, queries, keys = np.nonzero(np.broadcast_to(counted, a.shape))
            np.add.at(self._counted[name], (heads, keys - queries + self.longest), 1)
        self._best.setdefault(name, _Best(self._heads)).see(sentence, (values - uniform) / rows.sum(), taken)

    def _spread(self, a: Doubles, may: Booleans, n: npt.NDArray[np.int64], places: npt.NDArray[np.int64]) -> None:
        bits, most = -(a * np.log2(np.where(a > 0, a, 1.0))).sum(-1), np.log2(n)
        far = abs(places[:, None] - np.arange(may.shape[1]))  # (Tq, Tk)
        self._sum("entropy").add(bits.sum(-1), most.sum(), len(n))
        self._sum("normalised_entropy").add((bits / most).sum(-1), len(n), len(n))
        self._sum("distance").add((a * far).sum((1, 2)), (np.where(may, far, 0).sum(-1) / n).sum(), len(n))

    def _profile(self, a: Doubles, cells: Booleans) -> None:
        query, key = np.nonzero(cells)
        distance = key - query + self.longest
        np.add.at(self._weights.T, distance, a[:, cells].T)
        np.add.at(self._cells, distance, 1)

    def _sum(self, name: str) -> _Sum:
        return self._sums.setdefault(name, _Sum(self._heads))


FOLDER = Path(__file__).parents[1] / "sentences"
BATCH = 32  # sentences in one pass


@dataclass(frozen=True, eq=False)
class TracedSentence:
    """One sentence, without padding, with its own greedy translation.

    Attributes:
        sides: queries and keys of each attention. A query of cross attention is labelled with the token that its row predicts.
        weights: of all layers and heads, (L, h, Tq, Tk).
    """

    index: int
    sides: Mapping[Kind, tuple[TokenizedText, TokenizedText]]
    weights: Mapping[Kind, Array]


def sentences(language: str) -> list[str]:
    """The built-in sentences in a language; empty if there are none."""
    path = FOLDER / f"{language}.txt"
    return path.read_text("utf-8").splitlines() if path.is_file() else []


def traced_sentences(checkpoint: Checkpoint, texts: Sequence[str]) -> Iterator[list[TracedSentence]]:
    """Translates and traces the texts, a batch at a time, short ones first; blank ones are left out, long ones cut.

    Raises:
        TextError: none of the texts contains a word.
    """
    limit = checkpoint.config.longest_source
    encoded = [checkpoint.encode(text, "source") for text in texts]
    order = sorted((i for i, tokenized in enumerate(encoded) if tokenized.tokens), key=lambda i: len(encoded[i]))
    if not order:
        raise TextError("There is no word in these sentences; heads cannot be measured on them.")
    for start in range(0, len(order), BATCH):
        rows = order[start : start + BATCH]
        sources = [framed(checkpoint, replace(encoded[i], tokens=encoded[i].tokens[:limit])) for i in rows]
        outputs = _written(checkpoint, sources)
        targets = [decoder_reads(checkpoint, output) for output in outputs]
        trace = traced_pass(checkpoint, [tokenized.ids for tokenized in sources], [target.ids for target in targets])
        yield [_reading(i, row, sources[row], targets[row], outputs[row], trace) for row, i in enumerate(rows)]


def _written(checkpoint: Checkpoint, sources: Sequence[TokenizedText]) -> list[TokenizedText]:
    """The model's output for each source, ending in ⟨/s⟩ unless cut off."""
    most = [max_steps(checkpoint.config, len(tokenized)) for tokenized in sources]
    config = checkpoint.config
    answers = greedy(checkpoint.model, pad([tokenized.ids for tokenized in sources], config.pad_id), max(most))
    whole = [[*answer, config.eos_id][:steps] for answer, steps in zip(answers, most, strict=True)]
    return [checkpoint.tokenizer.read(ids, checkpoint.target_language) for ids in whole]


def _reading(
    index: int, row: int, source: TokenizedText, target: TokenizedText, output: TokenizedText, trace: Trace
) -> TracedSentence:
    sides: dict[Kind, tuple[TokenizedText, TokenizedText]] = {
        "self": (source, source),
        "masked": (target, target),
        "cross": (output, source),
    }
    weights = {
        kind: np.stack([block.weights[:, : len(queries), : len(keys)] for block in trace.attentions(kind, row)])
        for kind, (queries, keys) in sides.items()
    }
    return TracedSentence(index, sides, weights)


def measured(checkpoint: Checkpoint, texts: Sequence[str], progress: Progress | None = None) -> HeadTable:
    """Every head, measured on these texts in the checkpoint's source language; blank ones are left out.

    Raises:
        TextError: none of the texts contains a word.
    """
    filled = [text[:MAX_CHARACTERS] for text in texts if not is_blank(text)]
    languages = {"masked": checkpoint.target_language}
    tallies = {
        kind: Tally(
            kind, heads_shape(checkpoint.config, kind), checkpoint.config.max_len, languages.get(kind, checkpoint.source_language)
        )
        for kind in SHARES
    }
    done = 0
    for read in traced_sentences(checkpoint, filled):
        for reading in read:
            for kind, tally in tallies.items():
                tally.add(reading.index, *reading.sides[kind], reading.weights[kind])
        done += len(read)
        if progress:
            progress(done, len(filled))
    kinds = {}
    for kind, tally in tallies.items():
        measures = tally.measures()
        roles = assign(measures, SHARES[kind], tally.shape)
        kinds[kind] = Heads(measures, roles, tally.evidence(roles, dict(enumerate(filled))))
    return HeadTable(checkpoint.digest, done, kinds)
