"""Sentence pairs for fine-tuning, checked against the model, with some held out."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from viz_core.checkpoint import Checkpoint
from viz_core.errors import PairsError
from viz_core.text_lines import file_message
from viz_core.training.pair_file import Pair, PairFile, read_pairs, refuse
from viz_core.words import split_words

FOLDER = Path(__file__).parent / "sentences"
OURS = "chess"
"""Chess, with words such as bishop, rook and castle that an everyday model knows in another sense or not at all."""
LANGUAGES = ("en", "de")  # of our pairs
FEWEST, MOST = 4, 2_000  # number of pairs accepted
EVERY, MOST_HELD_OUT = 4, 24
"""Every fourth of a user's pairs is held out, up to MOST_HELD_OUT, since they are translated again and again."""


@dataclass(frozen=True)
class Material:
    """Pairs to learn from, and held-out pairs of the same kind to measure on; name: of the file or domain.

    Attributes:
        everyday: pairs like those of the model's training, to measure what it forgets; never learned.
        more: further everyday pairs, which may be mixed in.
    """

    name: str
    learn: tuple[Pair, ...]
    held_out: tuple[Pair, ...]
    everyday: tuple[Pair, ...] = ()
    more: tuple[Pair, ...] = ()

    def words_met(self, language: str) -> tuple[int, int]:
        """Number of different words in the held-out sources, without case and punctuation, and how many are in sources to learn."""
        held_out = _words(self.held_out, language)
        return len(held_out), len(held_out & _words(self.learn, language))


def ours(checkpoint: Checkpoint, everyday: Sequence[Pair] = (), more: Sequence[Pair] = ()) -> Material:
    """The forty shipped pairs, and twelve that are held out, without those too long for the model.

    Raises:
        PairsError: too few are left.
    """
    learn, held_out = (fitting(read_pairs(FOLDER / f"{name}.tsv"), checkpoint) for name in (OURS, f"{OURS}-held-out"))
    if len(learn) < FEWEST or not held_out:
        raise PairsError(file_message("ours_long", name=OURS, most=checkpoint.config.max_len - 1))
    return Material(OURS, learn, held_out, tuple(everyday), tuple(more))


def split(name: str, pairs: Sequence[Pair], everyday: Sequence[Pair] = (), more: Sequence[Pair] = ()) -> Material:
    """Holds out some of the pairs, evenly spread; pairs with the source of a held-out one are neither learned nor mixed in.

    Raises:
        PairsError: there are too few pairs.
    """
    if len(pairs) < FEWEST:
        raise PairsError(file_message("too_few" if len(pairs) != 1 else "too_few_one", name=name, count=len(pairs), fewest=FEWEST))
    step = max(EVERY, -(-len(pairs) // MOST_HELD_OUT))
    held_out = tuple(pairs[step - 1 :: step])
    sources = {source for source, _ in held_out}
    learn = tuple(pair for pair in pairs if pair[0] not in sources)
    if not learn:
        raise PairsError(file_message("one_source", name=name))
    known = {source for source, _ in learn}
    return Material(
        name,
        learn,
        held_out,
        tuple(pair for pair in everyday if pair[0] not in known),
        tuple(pair for pair in more if pair[0] not in sources),
    )


def fitting(pairs: Sequence[Pair], checkpoint: Checkpoint) -> tuple[Pair, ...]:
    """The pairs with both sides short enough for the model."""
    return tuple(pair for pair in pairs if max(_lengths(pair, checkpoint)) < checkpoint.config.max_len)


def check_lengths(file: PairFile, checkpoint: Checkpoint) -> None:
    """Raises:
    PairsError: some pairs have more tokens than the model has positions; the message names their lines.
    """
    most = checkpoint.config.max_len - 1  # ⟨s⟩ or ⟨/s⟩ takes one
    problems = []
    for index, pair in enumerate(file.pairs):
        for key, tokens in zip(("source_long", "target_long"), _lengths(pair, checkpoint), strict=True):
            if tokens > most:
                problems.append((file.line(index), file_message(key, tokens=tokens, most=most)))
                break
    refuse(file.name, problems)


def _lengths(pair: Pair, checkpoint: Checkpoint) -> tuple[int, int]:
    """Tokens of source and target, without ⟨s⟩ and ⟨/s⟩."""
    source, target = pair
    return len(checkpoint.encode(source, "source")), len(checkpoint.encode(target, "target"))


def _words(pairs: Sequence[Pair], language: str) -> set[str]:
    words = (word.text.casefold() for source, _ in pairs for word in split_words(source, language))
    return {word for word in words if any(sign.isalnum() for sign in word)}
