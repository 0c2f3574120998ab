"""The heads of a checkpoint, measured batch by batch, so that somebody can watch and stop."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from viz_core.analysis.roles.corpus import BATCH, traced_sentences
from viz_core.analysis.roles.rule import assign
from viz_core.analysis.roles.table import SHARES, Heads, HeadTable
from viz_core.analysis.roles.tally import Tally
from viz_core.checkpoint import Checkpoint
from viz_core.errors import TextError
from viz_core.explain import MAX_CHARACTERS


class Survey:
    """A measurement under way. Iterating measures, and yields after each batch how many sentences are done, of `len`.

        survey = Survey(checkpoint, sentences(checkpoint.source_language))
        for done in survey:
            show(done / len(survey))
        table = survey.table()

    Args:
        texts: in the checkpoint's source language; blank ones are left out.
        batch: sentences in one pass.
    """

    def __init__(self, checkpoint: Checkpoint, texts: Sequence[str], batch: int = BATCH) -> None:
        self.checkpoint, self.batch = checkpoint, batch
        self.texts = [text[:MAX_CHARACTERS] for text in texts if text.strip()]
        self._shape = checkpoint.config.n_layers, checkpoint.config.n_heads
        self._tallies = {kind: Tally(kind, self._shape, checkpoint.config.max_len) for kind in SHARES}
        self._done = 0

    def __len__(self) -> int:
        return len(self.texts)

    def __iter__(self) -> Iterator[int]:
        """Measures.

        Raises:
            TextError: there is no word in the texts.
        """
        for read in traced_sentences(self.checkpoint, self.texts, self.batch):
            for reading in read:
                for kind, tally in self._tallies.items():
                    tally.add(reading.index, *reading.sides(kind), reading.weights[kind])
            self._done += len(read)
            yield self._done

    def table(self) -> HeadTable:
        """What the sentences that were read so far say.

        Raises:
            TextError: none was read.
        """
        if not self._done:
            raise TextError("No sentence was read; heads cannot be measured.")
        texts = dict(enumerate(self.texts))
        kinds = {}
        for kind, tally in self._tallies.items():
            measures = tally.measures()
            roles = assign(measures, SHARES[kind], self._shape)
            kinds[kind] = Heads(measures, roles, tally.evidence(roles, texts))
        return HeadTable(self.checkpoint.digest, self._done, kinds)
