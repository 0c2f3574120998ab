"""What a talk shows before the class is asked: no view may show the answer of a later question about the same sentence.

`hide = "word"` asks for the token that a step writes. Before it, this token stands in no title and no caption, nor in a target row:
on stage a page shows the target up to its own step, a page of WHOLE the whole of it (but for the cases in SOURCE_ONLY). Nor is it
among the predictions of an earlier step, where a page lists them. A test in the browser looks at the text that is really there.
`hide = "source"` asks for the source token with the largest weight. It stands neither in the view's own title and caption nor in
those of the view before, and no earlier view shows this row of this head.
`hide = "right"` asks what the right one of two sides shows, `hide = "figure"` what the whole figure shows. No earlier view shows
the same, and what the note says of it stands neither in the view's own title and caption nor in those of the view before.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from tests.app.talks.talk_claims import explained, percentages
from viz_core.app.talks import TalkView
from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation
from viz_core.trace import Array

WHOLE = ("training", "what_if", "compare", "why", "decoding", "heads", "code")
"""Pages that show the whole target whatever the step."""
SOURCE_ONLY = ({"show": "difference", "kind": "self"}, {"show": "shipped"}, {"show": "live"})
"""Parameters with which they show no target."""
PLACES = ("layer", "head", "cell", "token")
"""Parameters with which such a figure shows the same."""
LISTED = {"overview": 5, "output": 10}
"""Pages that list the most probable tokens of their step, and how many."""


def told(checkpoint: Checkpoint, views: Sequence[TalkView]) -> list[str]:
    """The questions of a talk that an earlier view answers, or their own title: each with what shows the answer."""
    return [
        f"{number} «{view.title}» asks for {answer}: {place}"
        for number, view in enumerate(views, 1)
        if view.hide
        for answer, place in _told(checkpoint, views[: number - 1], view)
    ]


def _told(checkpoint: Checkpoint, before: Sequence[TalkView], asked: TalkView) -> list[tuple[str, str]]:
    if asked.hide in ("right", "figure"):
        said = [
            (answer, one) for one in (asked, *before[-1:]) for answer in revealed(asked) if answer in f"{one.title} {one.caption}"
        ]
        shown = [f"{number} «{view.title}» shows it" for number, view in enumerate(before, 1) if _figure(view) == _figure(asked)]
        return [*((answer, f"in «{one.title}»") for answer, one in said), *((f"the {asked.hide}", place) for place in shown)]
    ex, step = explained(checkpoint, asked), int(asked.parameters.get("step", 1))
    if asked.hide == "source":
        answer = ex.source.labels[int(_row(ex, asked).argmax())]
        spoken = [asked, *before[-1:]]
        seen = [f"{number} shows the row" for number, view in enumerate(before, 1) if _shows_row(view, asked)]
    else:
        answer = ex.output[step - 1].label
        spoken = [asked, *before]
        same = [(number, view) for number, view in enumerate(before, 1) if asked.parameters["text"] == view.parameters["text"]]
        seen = [f"{number} «{view.title}» shows it" for number, view in same if answer in _target(checkpoint, view)]
    words = [f"in «{one.title}»" for one in spoken if answer.lower() in re.findall(r"\w+|\S", f"{one.title} {one.caption}".lower())]
    return [(answer, place) for place in [*words, *seen]]


def revealed(view: TalkView) -> set[str]:
    """The percentages that the note says of what the view hides: of the right side, or of the figure."""
    of_right = tuple(claim for claim in view.claims if claim.get("edited") == "yes" and "text" not in claim)
    of_left = percentages(replace(view, claims=tuple(claim for claim in view.claims if claim.get("edited") != "yes")))
    return percentages(replace(view, claims=of_right)) - of_left if view.hide == "right" else percentages(view)


def _figure(view: TalkView) -> tuple[str, dict[str, str]]:
    """What the figure of a view is of. Two sides, and a search, show their whole output at every step."""
    places = (*PLACES, "step") if view.page in ("what_if", "compare", "decoding") else PLACES
    return view.page, {name: value for name, value in view.parameters.items() if name not in places}


def _target(checkpoint: Checkpoint, view: TalkView) -> list[str]:
    """The target tokens that a view shows on stage, those it hides among them: a key reveals them."""
    ex = explained(checkpoint, view)
    step = int(view.parameters.get("step", 1))
    if view.page in WHOLE and not any(one.items() <= view.parameters.items() for one in SOURCE_ONLY):
        return [token.label for token in ex.output]
    listed = [text for text, _ in ex.steps[step - 1].top(LISTED.get(view.page, 1))]
    return [*(token.label for token in ex.output[:step]), *listed]


def _row(ex: Explanation, view: TalkView) -> Array:
    layer, head, step = (int(view.parameters.get(name, 1)) - 1 for name in ("layer", "head", "step"))
    row: Array = ex.trace.attention("cross", layer).weights[head, step]
    return row


def _shows_row(view: TalkView, asked: TalkView) -> bool:
    """Whether a view shows the weights that another one asks for: of the same head and sentence, at this step or a later one."""
    named = [{name: one.parameters.get(name, "") for name in ("text", "model", "snapshot", "layer")} for one in (view, asked)]
    heads = view.parameters.get("show", "one") != "one" or view.parameters.get("head") == asked.parameters.get("head")
    later = int(view.parameters.get("step", 1)) >= int(asked.parameters.get("step", 1))
    return view.page == asked.page and named[0] == named[1] and heads and later
