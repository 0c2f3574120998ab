"""Golden numbers: what every view of every page shows of six sentences with three models, as digests."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qsl

from tests.golden.adapter import answers
from tests.golden.digest import differences, digest, read, write

HELD = Path(__file__).parent / "numbers"
MODELS = ("en-de-small", "zh-en-tiny", "en-fr")
SENTENCES = {
    "ordinary": "The cat is sleeping on the sofa.",
    "word": "Hello",
    "long": "When the old fisherman came home late in the evening, his wife had already put the children to bed, because she knew "
    "that he would be tired and hungry.",
    "hostile": "</script><b>*x*</b> $y$ `c` \x00 ⟨/s⟩ <0x41>",
    "chinese": "他昨天在图书馆借了三本书，但是忘了带回家。",
    "names": "On 3 May 2024 Dr. Anna Keller paid 1,499.50 euros to Mr. O'Neill in Berlin.",
}
PLACES = ((1, 1, 1, 1), (1, 2, 3, 1), (9, 3, 2, 7), (4, 2, 5, 3), (3, 3, 4, 2), (6, 1, 6, 5))
"""Step, layer, head and token with each sentence."""
VIEWS: dict[str, tuple[str, ...]] = {
    "overview": ("",),
    "tokens": ("", "side=target"),
    "embeddings": (
        "show=lookup", "show=scaled", "show=scaled&side=target", "show=matrix", "show=near", "show=map", "show=context",
    ),
    "positions": ("show=waves", "show=matrix", "show=product&reach=all", "show=sum&side=target"),
    "qkv": ("kind=self&role=q", "kind=masked&role=k", "kind=cross&role=v"),
    "self_attention": ("",),
    "residual": tuple(f"show={show}&stack={stack}" for show in ("stream", "norm", "ffn") for stack in ("encoder", "decoder")),
    "masked_attention": ("", "case=batch", "case=peek"),
    "cross_attention": ("",),
    "output": ("", "temperature=2"),
    "decoding": (
        "case=beam", "case=sampling&first=draws", "case=sampling&first=cut&top_k=5&temp=1.5", "case=non_autoregressive",
        "case=non_autoregressive&decoder=plain&count=known", "case=copying",
    ),
    "training": (
        "show=loss", "show=loss&first=target", "show=gradient", "show=tuning", "show=schedule", "show=shipped", "show=snapshots",
        "show=guided",
    ),
    "heads": (
        "show=roles", "show=ablation&of=sentence", "show=ablation&of=many", "show=ablation&of=bleu", "show=norm_weighted",
        "show=flow&by=rollout", "show=flow&by=max_flow", "show=flow&by=raw&kind=masked", "show=neurons", "show=head_view",
        "show=model_view",
    ),
    "what_if": ("edits=no_positions", "edits=no_positions&case=own&kind=masked"),
    "compare": tuple(
        f"{pair}&show={show}" for pair in ("pair=sentences", "pair=models", "pair=edits&edits=no_positions")
        for show in ("output", "attention", "difference")
    ),
    "why": (
        "show=logit_lens", "show=logit_attribution", "show=logit_attribution&of=logit", "show=source_words&by=erasure_by",
        "show=source_words&by=mean_by", "show=alignment", "show=rollout&kind=masked",
    ),
    "code": ("show=walk", "show=cost", "show=cost&by=by_layers&of=of_numbers", "show=variants", "show=untrained"),
}  # fmt: skip
"""Page → the parameters of its views. Not here: the live training, which is another in each second."""
HELD_TWICE = ("embeddings", "positions", "qkv", "residual", "compare")
"""Pages of which tests/web/test_views.py compares with the engine, and whose pictures are held."""
Case = tuple[str, str, str, str]
"""Page, view, model, name of the sentence."""
EVERY: list[Case] = [
    (page, view, MODELS[(at + turn + turn // 3) % 3], list(SENTENCES)[(at + turn) % 6])
    for at, (page, view) in enumerate((page, view) for page, views in VIEWS.items() for view in views)
    for turn in range(6)
]
"""Each view with each sentence and, in turn, each model."""


def in_ci() -> list[Case]:
    """What the tests look at: each view once, models and sentences in turn; of `HELD_TWICE` one view for each page."""
    first = {page: next(case for case in EVERY if case[0] == page) for page in HELD_TWICE}
    return [case for case in EVERY[::6] if first.get(case[0], case) == case]


def shown(case: Case) -> dict[str, str]:
    """The digests of what a page shows in one case."""
    page, view, model, name = case
    place = dict(zip(("step", "layer", "head", "token"), map(str, PLACES[list(SENTENCES).index(name)]), strict=True))
    lines: dict[str, str] = {}
    for key, value in answers(page, **place | dict(parse_qsl(view)) | {"model": model, "text": SENTENCES[name]}).items():
        lines |= digest(key, value)
    return lines


def title(case: Case) -> str:
    """How a case is called."""
    page, view, model, name = case
    return f"{page}?{view} {model} {name}"


def record(cases: list[Case]) -> Iterator[str]:
    """Holds what these cases show now; what was held otherwise, a line for each array."""
    for page in dict.fromkeys(case[0] for case in cases):
        path = HELD / f"{page}.gz"
        held = read(path) if path.exists() else {}
        now = {title(case): shown(case) for case in cases if case[0] == page}
        for name, lines in now.items():
            yield from (f"{name}: {line}" for line in differences(_lines(held.get(name, [])), lines))
        write(path, held | {name: [f"{key}\t{line}" for key, line in lines.items()] for name, lines in now.items()})


def check(cases: list[Case]) -> Iterator[str]:
    """What is another now, a line for each array."""
    for page in dict.fromkeys(case[0] for case in cases):
        held = read(HELD / f"{page}.gz")
        for case in cases:
            if case[0] == page:
                yield from (f"{title(case)}: {line}" for line in differences(_lines(held[title(case)]), shown(case)))


def _lines(held: list[str]) -> dict[str, str]:
    return dict(line.split("\t", 1) for line in held)
