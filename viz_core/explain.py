"""Text → Explanation: the one call the pages make.

Encode once, decode token by token on a key/value cache, then one traced, teacher-forced pass over what came out. The decoder is
causal, so row t of each decoder tensor is what step t computed. Edits act in every step of the decoding and in the traced pass.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch

from viz_core.checkpoint import Checkpoint, Side
from viz_core.composed import is_blank
from viz_core.config import ModelConfig
from viz_core.decoding import greedy_steps, max_steps
from viz_core.edits import NONE, PADDING, Edits, site_edits
from viz_core.edits.table import forced_ids, forced_token, swapped
from viz_core.errors import TextError
from viz_core.model.embedding import pad
from viz_core.model.transformer import require_reading
from viz_core.sites import require_sites
from viz_core.taps import OFF, Edit, Editor, Recorder
from viz_core.texts import visible
from viz_core.tokenizer import Tokenizer, base
from viz_core.trace import Array, Kind, Trace
from viz_core.words import Token, TokenizedText

MAX_CHARACTERS = 10_000  # of a typed text; far beyond what the positions reach, and still tokenized at once


@dataclass(frozen=True)
class Notice:
    """Something the reader should know; `code` names its text in viz_core/app/en.toml."""

    code: str
    values: Mapping[str, Any]


@dataclass(frozen=True, eq=False)
class ExplainedStep:
    """One decoding step: the decoder has read `read` (⟨s⟩ at step 0) and everything before it, and predicts the next token.

    Attributes:
        chosen: the most probable token.
        expected: the next token of the shown target; it differs from `chosen` only with a typed target, a forced
            token, or no causal mask.
        log_probs: natural logarithm of the probability of each token of the vocabulary, (V,).
    """

    index: int
    read: Token
    chosen: Token
    expected: Token
    log_probs: Array
    _tokenizer: Tokenizer

    def probability(self, token_id: int) -> float:
        return float(np.exp(np.float64(self.log_probs[token_id])))

    def rank(self, token_id: int) -> int:
        """1 for the most probable token."""
        return 1 + int((self.log_probs > self.log_probs[token_id]).sum())

    def top(self, k: int = 5) -> list[tuple[str, float]]:
        """The k most probable tokens as (text, probability), most probable first."""
        return [(self._tokenizer.token_text(i), self.probability(i)) for i in self.top_ids(k)]

    def top_ids(self, k: int = 5) -> list[int]:
        """The ids of the k most probable tokens, most probable first; equal ones in the order of their ids."""
        among = np.arange(len(self.log_probs))
        if k < len(among):  # sorting all takes twenty times as long
            largest = np.flatnonzero(self.log_probs >= np.partition(self.log_probs, -k)[-k])
            among = largest if len(largest) >= k else among  # fewer where some are NaN
        return [int(i) for i in among[np.argsort(-self.log_probs[among], kind="stable")[:k]]]


@dataclass(frozen=True, eq=False, repr=False)
class Explanation:
    """A sentence, its translation, and everything that happened in between.

    It can be copied and pickled bit for bit, even that of an edited or fine-tuned model: it holds numbers and a vocabulary, and no
    model. So can a Checkpoint, with its weights.

    Without the causal mask, the steps are still rows of the traced pass, which saw the whole finished target.

    Attributes:
        source: what the encoder read, ⟨/s⟩ at its end, S tokens; then the padding that an edit may add. Some models read special
            tokens before the sentence, or after ⟨/s⟩, too.
        target: what the decoder read, ⟨s⟩ at its start, T tokens: the rows of every decoder tensor.
        output: the token after each target position, T tokens: the target shifted by one, with ⟨/s⟩ at its end.
        text: the translation, or the typed target.   given_target: whether it was typed.
        trace: the tensors of the pass, with B = 1.
        notices: what was cut, did not end, or could not be edited as asked.
    """

    source: TokenizedText
    target: TokenizedText
    output: tuple[Token, ...]
    text: str
    steps: tuple[ExplainedStep, ...]
    trace: Trace
    given_target: bool
    notices: tuple[Notice, ...]
    edits: Edits = NONE

    def sides(self, kind: Kind) -> tuple[TokenizedText, TokenizedText]:
        """The tokens of an attention's queries (rows) and keys (columns)."""
        return self.source if kind == "self" else self.target, self.target if kind == "masked" else self.source

    def __repr__(self) -> str:
        lines = [
            f"Explanation of {self.source.text!r}",
            f"  {'target typed' if self.given_target else 'translation'}: {self.text!r}",
            f"  {len(self.source)} source tokens, {len(self.steps)} steps, {len(self.trace)} sites in .trace",
        ]
        lines += [f"  edits: {self.edits.link()}"] if self.edits else []
        lines += [f"  notice {notice.code}: {dict(notice.values)}" for notice in self.notices]
        return "\n".join(lines)


def explain(
    checkpoint: Checkpoint, text: str, target: str | None = None, edits: Edits = NONE, *, skip_missing: bool = False
) -> Explanation:
    """Translates a text greedily and records the pass; with a target, gives its tokens' probabilities instead.

    Args:
        text: in the checkpoint's source language. Cut, with a notice, where the model's positions end.
        target: in its target language; None or blank lets the model decide.
        edits: changes to the model and the sentence; those of missing words and steps are left out, with a notice.
        skip_missing: leaves out edits of heads and layers that this model lacks, with a notice, instead of raising an error.

    Raises:
        TextError: the text is blank, or not a text.
        ConfigError: an edit names a head or layer that this model lacks; or the model is not ready: in training mode, in half
            precision, not on the CPU, or with forward hooks or a replaced `forward`, whose effect no trace would show.
    """
    for name, given in {"text": text, "target": target or ""}.items():
        if not isinstance(given, str):
            raise TextError(f"{name} is a {type(given).__name__}, expected one text (str); explain several one by one")
    require_reading(checkpoint.model)
    if not skip_missing:
        edits.require(checkpoint.config)
    notices: list[Notice] = []
    edits, lacking = edits.fit(checkpoint.config)
    if lacking:
        notices.append(Notice("edit_lacking", {"edits": lacking.link()}))
    config = checkpoint.config
    source = _source(checkpoint, text, edits, notices)
    given_target = bool(target and not is_blank(target))
    if target and given_target:
        first = [] if config.first_id is None else [config.first_id]
        written = _encode(checkpoint, target, config.max_len - 1 - len(first), "target", notices)
        output = [*first, *written.ids, config.eos_id]
        notices += [Notice("not_forced", {})] * bool(edits.force)
    else:
        edits = _writable(checkpoint, edits, notices)
        output = _decode(checkpoint, source, edits, notices)
    spelled = checkpoint.tokenizer.read(output, checkpoint.target_language)
    read = decoder_reads(checkpoint, spelled)
    trace = traced_pass(checkpoint, [source.ids], [read.ids], site_edits(edits, checkpoint.config))
    log_probs = trace.array("output.log_probs")  # (T, V)
    if edits and np.isnan(log_probs).any():
        notices.append(Notice("not_finite", {}))
    steps = tuple(_step(checkpoint, t, read.tokens[t], spelled.tokens[t], log_probs[t]) for t in range(len(read.tokens)))
    return Explanation(source, read, spelled.tokens, spelled.text, steps, trace, given_target, tuple(notices), edits)


@torch.inference_mode()
def traced_pass(
    checkpoint: Checkpoint,
    sources: Sequence[Sequence[int]],
    targets: Sequence[Sequence[int]],
    edits: Mapping[str, Edit] | None = None,
) -> Trace:
    """One teacher-forced pass with every site recorded; with edits, an intervention at each named site.

    Args:
        sources, targets: ids ending in ⟨/s⟩, and ids starting with ⟨s⟩, one row per sentence; padded here.
        edits: full site name → function of the passing tensor.

    Raises:
        TapError: an edit names a site that this model lacks.
        ConfigError: the model is not ready, see `require_reading`.
    """
    require_reading(checkpoint.model)
    require_sites(edits or (), checkpoint.config)
    recorder = Recorder()
    padding = checkpoint.config.pad_id
    checkpoint.model(pad(sources, padding), pad(targets, padding), Editor(edits, recorder) if edits else recorder)
    return Trace(checkpoint.config, recorder.tensors)


def decoder_reads(checkpoint: Checkpoint, output: TokenizedText) -> TokenizedText:
    """The decoder's input for this output: ⟨s⟩, then all tokens but the last."""
    start = checkpoint.tokenizer.special(checkpoint.config.bos_id, 0)
    return TokenizedText(output.text, output.words, (start, *output.tokens[:-1]))


def framed(checkpoint: Checkpoint, tokenized: TokenizedText, padding: int = 0) -> TokenizedText:
    """The encoder's input for these tokens: the special ones around them, ⟨/s⟩ at the end, and padding after it."""
    config, special = checkpoint.config, checkpoint.source_tokenizer.special
    end = tokenized.tokens[-1].end
    before = [special(i, 0) for i in config.source_start]
    after = [special(i, end) for i in (config.eos_id, *config.source_end, *[config.pad_id] * padding)]
    return TokenizedText(tokenized.text, tokenized.words, (*before, *tokenized.tokens, *after))


def _source(checkpoint: Checkpoint, text: str, edits: Edits, notices: list[Notice]) -> TokenizedText:
    if edits.swap:
        head = text[:MAX_CHARACTERS]
        words = checkpoint.source_tokenizer.words(head, checkpoint.source_language)
        head, missing = swapped(head, edits.swap, words)
        text = head + text[MAX_CHARACTERS:]
        notices += [Notice("no_word", {"index": index + 1, "word": edits.swap[index]}) for index in missing]
    if wrong := base.problem(checkpoint.source_tokenizer.target_codes, text):
        notices.append(Notice(*wrong))
    padding = PADDING if edits.no_padding_mask else 0
    tokenized = _encode(checkpoint, text, checkpoint.config.longest_source - padding, "source", notices)
    if is_blank(text) or not tokenized.tokens:
        raise TextError("There is no word in this text. Type a sentence to translate.")
    return framed(checkpoint, tokenized, padding)


def _encode(checkpoint: Checkpoint, text: str, limit: int, side: Side, notices: list[Notice]) -> TokenizedText:
    tokenized = checkpoint.encode(text[:MAX_CHARACTERS], side)
    if len(tokenized) <= limit and len(text) <= MAX_CHARACTERS:
        return tokenized
    tokens = tokenized.tokens[:limit]
    cut = text[: tokens[-1].end] if tokens else ""
    words = tuple(word for word in tokenized.words if word.start < len(cut))
    notices.append(Notice(f"{side}_cut", {"limit": limit, "characters": len(text), "kept": len(cut), "end": cut[-40:]}))
    return TokenizedText(cut, words, tokens)


def _decode(checkpoint: Checkpoint, source: TokenizedText, edits: Edits, notices: list[Notice]) -> list[int]:
    config = checkpoint.config
    interventions = site_edits(edits, config)
    steps = greedy_steps(
        checkpoint.model,
        torch.tensor([source.ids]),
        max_steps(config, sum(i != config.pad_id for i in source.ids)),
        Editor(interventions) if interventions else OFF,
        forced=forced_ids(edits.force, checkpoint.tokenizer),
        whole=edits.whole,
    )
    output = [int(step.ids[0]) for step in steps]
    notices += [Notice("unreached", {"index": i + 1, "typed": edits.force[i]}) for i in edits.force if i >= len(output)]
    if output[-1] == config.pad_id:
        notices.append(Notice("padding", {"steps": len(output)}))
    elif output[-1] != config.eos_id:
        notices.append(Notice("unfinished", {"steps": len(output)}))
    return output


def _writable(checkpoint: Checkpoint, edits: Edits, notices: list[Notice]) -> Edits:
    """The edits, with each forced text that is not a token replaced by the token that is written instead."""
    force = dict(edits.force)
    for index, typed in edits.force.items():
        token = forced_token(typed, checkpoint.tokenizer)
        written = checkpoint.tokenizer.token_text(token.id)
        if not token.exact and written != visible(typed):  # a control character is shown as its byte is
            notices.append(Notice("no_token", {"index": index + 1, "typed": typed, "shown": written}))
            force[index] = written
    return replace(edits, force=force)


def _step(checkpoint: Checkpoint, index: int, read: Token, expected: Token, log_probs: Array) -> ExplainedStep:
    tokenizer = checkpoint.tokenizer
    best = _best(checkpoint.config, log_probs)
    chosen = expected if expected.id == best else Token(best, tokenizer.token_text(best), None, 0, 0)  # stands in no text
    return ExplainedStep(index, read, chosen, expected, log_probs, tokenizer)


def _best(config: ModelConfig, log_probs: Array) -> int:
    """The most probable of the tokens that may be chosen."""
    best = int(log_probs.argmax())
    if best not in config.never_ids:
        return best
    return next(i for i in np.argsort(-log_probs, kind="stable").tolist() if i not in config.never_ids)
