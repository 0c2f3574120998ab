"""The data of the copying figure: how much each step copies, and from where."""

import numpy as np

from pages.decoding.copying_compute import CopiedToken, decode_with_copying
from viz_core.app import models
from viz_core.app.answers import Refused
from viz_core.app.cache import cached_aside, cached_file
from viz_core.app.markup import percent_tenths, shortened
from viz_core.browser.pack import pack
from viz_core.checkpoint import Checkpoint
from viz_core.decoding import copying
from viz_core.explain import Explanation
from viz_core.figures.base import percent
from viz_core.model.pointer import PointerGenerator
from viz_core.texts import fill, named, texts, visible

TITLE_LENGTH = 40
"""How many characters of the output the figure's title has in lecture mode."""
WRITTEN = 0.005
"""The smallest contribution that is written into its cell."""


def get_pointer(checkpoint: Checkpoint) -> PointerGenerator | None:
    """A checkpoint's copy gate, None if it has none.

    Raises:
        CheckpointError: the file is damaged, or belongs to other weights; the message says which.
    """
    folder = models.folder(checkpoint)
    return cached_file(copying.read, folder / copying.NAME, folder, checkpoint)


def copied_tokens(checkpoint: Checkpoint, explanation: Explanation) -> bytes:
    """The copied share of each output token, and the contribution of each source token to it.

    Tensors: shares (T,), the part of each token's probability that is copied, 0…1; contributions (T, S), (1 − p_gen) aᵢ.

    About: `same`, for each row, the columns with the written token; `steps`, how many of the T tokens the keys reach.
    """
    pointer = get_pointer(checkpoint)
    sentence = cached_aside(decode_with_copying, checkpoint, explanation, pointer) if pointer else None
    if sentence is None or not sentence.finite:
        raise Refused(404, "lacking", view="copied_tokens")
    words, given = texts("decoding.copied"), sentence.contributions
    written = checkpoint.tokenizer.read(sentence.ids, checkpoint.target_language).labels
    values = [
        {
            "token": visible(label), "step": step, "steps": len(written), "copy": brief(1 - token.p_gen), "gen": brief(token.p_gen),
            **shares(token),
        }
        for step, (label, token) in enumerate(zip(written, sentence.tokens, strict=True), start=1)
    ]  # fmt: skip
    about = {
        "written": [*map(visible, written)],
        "source": [*map(visible, explanation.source.labels)],
        "titles": [fill(words["copy_title"], token) for token in values],
        "hovers": [fill(words["hover"], token) for token in values],
        "same": [[i for i in token.sources if row[i] >= WRITTEN] for token, row in zip(sentence.tokens, given, strict=True)],
        "text": shortened(visible(checkpoint.tokenizer.decode(sentence.ids)), TITLE_LENGTH),
        "steps": len(explanation.steps),
        "texts": {**words, "bar": named("[[token]]", "[[share]]")},
    }
    return pack({"shares": np.array([token.share for token in sentence.tokens]), "contributions": given}, about)


def shares(token: CopiedToken) -> dict[str, str]:
    """A token's probability, the contribution of copying to it, and the quotient of the two, as text."""
    copied = (1 - token.p_gen) * token.copied
    return {"p": percent_tenths(token.probability), "came": percent_tenths(copied).removesuffix(" %"), "share": brief(token.share)}


def brief(share: float) -> str:
    """A share in whole percent, which is short enough for a cell; never 0 % or 100 % unless it is exactly that."""
    if 0 < share < WRITTEN or share in (0, 1):
        return percent(float(share))
    return ">99 %" if share >= 0.995 else f"{100 * share:.0f} %"
