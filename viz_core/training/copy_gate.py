"""Training of a pointer-generator (See et al. 2017) on a model with fixed weights, on pairs with made-up names."""

import random
import re
from collections.abc import Collection, Iterator, Sequence

import torch
from torch import Tensor, nn

from viz_core.checkpoint import Checkpoint
from viz_core.decoding.copying import Latest
from viz_core.errors import Diverged, PairsError
from viz_core.model import Transformer
from viz_core.model.pointer import PointerGenerator
from viz_core.training.copy_settings import CopySettings
from viz_core.training.pair_file import Pair
from viz_core.training.pairs import Batch, encode_pairs, fitting_pairs, make_batch, plan_epoch
from viz_core.training.run import not_finite


def pairs_to_copy(pairs: Sequence[Pair], settings: CopySettings, avoid: Collection[str] = ()) -> list[Pair]:
    """Pairs with made-up names, and unchanged ones; as many as the settings say, or as there are.

    Args:
        avoid: names in small letters that the gate will be measured on.

    Raises:
        PairsError: no pair has a name in both languages.
    """
    draw = random.Random(settings.seed)
    named = pairs_with_names(pairs)
    if not named:
        raise PairsError("no pair has a name in both languages, so there is nothing to learn copying from")
    chosen = draw.sample(named, min(settings.named, len(named)))
    plain = draw.sample(list(pairs), min(settings.plain, len(pairs)))
    return [with_name_swapped(pair, name, made_up_name(draw, avoid)) for pair, name in chosen] + plain


class CopyTrainer:
    """One training run on pairs from `pairs_to_copy`; iterating yields the mean loss of each batch in nats per token."""

    def __init__(self, checkpoint: Checkpoint, pairs: Sequence[Pair], settings: CopySettings) -> None:
        self.pointer = PointerGenerator(checkpoint.config)
        self._model, self._settings = checkpoint.model, settings
        self._pairs = fitting_pairs(encode_pairs(checkpoint, pairs), checkpoint.config, "the pairs", "train on shorter sentences")
        self.skipped = len(pairs) - len(self._pairs)
        lengths = [(len(source), len(target)) for source, target in self._pairs]
        self._plans = [plan_epoch(lengths, settings.tokens, settings.seed + epoch) for epoch in range(settings.epochs)]

    def __len__(self) -> int:
        return sum(map(len, self._plans))

    def __iter__(self) -> Iterator[float]:
        adam = torch.optim.Adam(self.pointer.parameters(), self._settings.learning_rate)
        schedule = torch.optim.lr_scheduler.LinearLR(adam, 1.0, 0.0, total_iters=len(self))
        for step, rows in enumerate((rows for plan in self._plans for rows in plan), start=1):
            loss = copy_loss(self._model, self.pointer, make_batch([self._pairs[i] for i in rows], self._model.config))
            adam.zero_grad()
            loss.backward()
            norm = nn.utils.get_total_norm([p.grad for p in self.pointer.parameters() if p.grad is not None])
            if what := not_finite(loss, norm):
                raise Diverged(f"batch {step:,}: {what}; nothing is saved; try a smaller --learning-rate")
            adam.step()
            schedule.step()
            yield float(loss.detach())
        with torch.no_grad():
            self.pointer.bias.add_(self._settings.caution)


def copy_loss(model: Transformer, pointer: PointerGenerator, batch: Batch) -> Tensor:
    """−ln P of the token that should follow, mean over all real positions; gradients reach the pointer only."""
    latest = Latest()
    with torch.no_grad():
        states = model.states(batch.source, batch.read, latest)  # (B, T, D)
        log_vocab = model.generator(states).gather(-1, batch.predict[..., None])[..., 0]  # (B, T)
    pointing = pointer(latest.pointer_inputs(batch.source, batch.read))
    log_probs = pointing.log_prob(log_vocab, batch.source, batch.predict)
    real = batch.predict != model.config.pad_id
    return -log_probs[real].mean()


WORD = re.compile(r"[^\W\d_]+")
SHORTEST = 3  # letters of a name
STARTS = "|||b|bl|br|c|ch|d|dr|f|fl|fr|g|gl|gr|h|j|k|kl|kr|l|m|n|p|pr|qu|r|s|sch|sh|sl|st|t|th|tr|tv|v|w|x|y|z|zh"
MIDDLES = "b|br|d|dr|f|g|gr|gu|h|j|k|l|ll|m|n|nn|p|r|rr|s|ss|sh|st|t|th|tr|v|w|x|z|zh|nd|rt|lk|mb"
VOWELS = "a|e|i|o|u|a|e|i|o|u|a|e|i|o|a|e|ai|au|ei|ia|ie|io|ou|oa|y|á|é|ó|ø|ä|ö"
ENDS = "||||l|n|r|s|m|k|t|x|th|nd|rs|ck|ng|v|sch|tz"  # parts of names; repeated ones are drawn more often


def made_up_name(draw: random.Random, avoid: Collection[str] = ()) -> str:
    """A pronounceable name of one to four syllables, such as Zorvana; avoid: names to exclude, in small letters."""
    while True:
        count = draw.choice((1, 2, 2, 2, 3, 3, 4))
        parts = [STARTS, VOWELS, *[MIDDLES, VOWELS] * (count - 1), ENDS]
        name = "".join(draw.choice(part.split("|")) for part in parts).capitalize()
        if len(name) >= SHORTEST and name.lower() not in avoid:
            return name


def pairs_with_names(pairs: Sequence[Pair]) -> list[tuple[Pair, str]]:
    """The pairs that contain a name exactly once in both languages, with that name.

    A name is capitalized wherever it occurs, which rules out words common to both languages, such as "In" and "Winter".
    """
    small = {word for pair in pairs for text in pair for word in WORD.findall(text) if word[0].islower()}
    return [(pair, name) for pair in pairs for name in _names(pair, small)]


def _names(pair: Pair, small: Collection[str]) -> Iterator[str]:
    source, target = (WORD.findall(text) for text in pair)
    for word in dict.fromkeys(source):
        if len(word) >= SHORTEST and word.istitle() and word.lower() not in small and source.count(word) == target.count(word) == 1:
            yield word


def with_name_swapped(pair: Pair, name: str, other: str) -> Pair:
    source, target = (re.sub(rf"(?<!\w){name}(?!\w)", other, text) for text in pair)
    return source, target
