"""The parameters of an address, each declared once: its name, its kind, its values, and the pages it affects.

Those of every page and of the figures are here, a page's own in `pages/<page>/controls.py`. Links, talks, “try this”, controls,
messages about wrong values and the list in docs/links.md come from these declarations. The bundle's copy of the table is printed
by `python -m viz_core.params` (see `viz_core/web/modules.mjs`), so this file imports only the standard library.

Reading never raises: a value out of range becomes the nearest one, a meaningless text becomes None.
"""

import json
import math
import re
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Generic, Literal, TypeVar, cast

Value = TypeVar("Value")
Option = TypeVar("Option", int, str)


@dataclass(frozen=True)
class Param(Generic[Value]):
    """Base class. name: in addresses, talks and “try this”."""

    name: str

    @property
    def usual(self) -> Any:
        """The initial value."""
        return vars(self).get("default")

    def read(self, text: str) -> Any:
        """The value of a text in an address, or the nearest valid one; None if the text is meaningless."""
        return text

    def write(self, value: Any) -> str:
        """A value in the form of an address; empty for none."""
        return str(value)

    def has(self, text: str) -> bool:
        """True if the text's value is valid exactly as written."""
        value = self.read(text)
        return value is not None and (not isinstance(value, float) or value == finite(text))

    def draw(self, p: Any, *given: Any, **named: Any) -> Value:
        """Draws the control on a page and returns its value, see `viz_core/app/controls`."""
        return cast(Value, p.pick(self, *given, **named))


@dataclass(frozen=True)
class Text(Param[Any]):
    """Any text, or a name that only the running app knows, such as a model's."""

    such: str = "text"
    width: int | Literal["stretch"] = "stretch"


@dataclass(frozen=True)
class Suggestion(Text):
    """One of a list, or any typed text; None if empty."""

    width: int | Literal["stretch"] = 220


@dataclass(frozen=True)
class OneOf(Param[Option]):
    """One of a few values, initially the first or `default`; a number is read as the nearest option.

    `read` takes options that are not known in advance.
    """

    options: tuple[Option, ...] = ()
    default: Option | None = None
    width: int = 150

    def __post_init__(self) -> None:
        if self.default is None and self.options:
            object.__setattr__(self, "default", self.options[0])

    def read(self, text: str, options: Iterable[Option] = ()) -> Option | None:
        offered = tuple(options) or self.options
        number = whole(text) if offered and isinstance(offered[0], int) else None
        if number is None:
            return next((value for value in offered if text == str(value)), None)
        return min(offered, key=lambda value: abs(int(value) - number))


@dataclass(frozen=True)
class Stops(OneOf[int]):
    """One of a few values, on a slider that stops at each. labelled: False if the label is for screen readers only."""

    labelled: bool = True


@dataclass(frozen=True)
class Choice(OneOf[Any]):
    """One of a few values, in a row of buttons.

    Attributes:
        labelled: False if the options speak for themselves: the label is then for screen readers only.
        walks: the options with which ← and → walk along the source tokens, because steps change nothing.
    """

    labelled: bool = True
    walks: tuple[str, ...] = ()


@dataclass(frozen=True)
class Number(Param[Any]):
    """A number in a range, on a slider or typed; `step` is an int for whole numbers, None for any."""

    low: float
    high: float
    default: float
    step: float | None = 1
    typed: bool = False
    width: int = 170

    def read(self, text: str) -> float | None:
        return None if (number := finite(text)) is None else self.nearest(number)

    def write(self, value: float) -> str:
        return f"{value:g}"

    def nearest(self, value: float) -> float:
        """The nearest valid number."""
        inside = min(max(value, self.low), self.high)
        if self.step is None:
            return inside
        return round(round(inside / self.step) * self.step, 6) if isinstance(self.step, float) else round(inside)


@dataclass(frozen=True)
class Item(Param[int]):
    """A place in a list, from 0 in code, from `first` in an address; None if none is picked."""

    first: int = 1
    default: int | None = 0
    width: int = 220

    def read(self, text: str, last: int | None = None) -> int | None:
        """last: places beyond it become the nearest one."""
        if last is not None:
            return None if (number := between(self.first, last + self.first, text)) is None else number - self.first
        return int(text) - self.first if re.fullmatch(r"[1-9][0-9]{0,5}", text) else None

    def write(self, value: int | None) -> str:
        return "" if value is None else str(value + self.first)


@dataclass(frozen=True)
class Items(Param[list[int]]):
    """Several places in a list, from 0 in code; from 1 and joined by `-` in an address."""

    most: int

    def read(self, text: str) -> list[int]:
        """In the order of the address; -1 for a part that is not a number."""
        return [(whole(part) or 0) - 1 for part in text.split("-")]

    def write(self, value: Iterable[int]) -> str:
        return "-".join(str(place + 1) for place in sorted(value))


@dataclass(frozen=True)
class Slider(Param[int]):
    """A whole number whose range depends on the sentence."""

    width: int = 320

    def read(self, text: str) -> int | None:
        return whole(text)


@dataclass(frozen=True)
class Cell(Param[tuple[int, int]]):
    """A row and a column, from 0 in code; None if no cell is locked."""

    default: None = None

    def read(self, text: str) -> tuple[int, int] | None:
        match = re.fullmatch(r"(\d{1,4})-(\d{1,4})", text)
        cell = (int(match[1]) - 1, int(match[2]) - 1) if match else (-1, -1)
        return cell if min(cell) >= 0 else None

    def write(self, value: tuple[int, int] | None) -> str:
        return "" if value is None else f"{value[0] + 1}-{value[1] + 1}"


def whole(text: str) -> int | None:
    """A whole number of at most 9 digits; None if the text is not one."""
    return int(text) if re.fullmatch(r"-?[0-9]{1,9}", text) else None


def between(low: int, high: int, text: str) -> int | None:
    """The whole number in a range nearest to the text's; None if the text is not a number."""
    return None if (number := whole(text)) is None else min(max(number, low), high)


def finite(text: str) -> float | None:
    """A finite number; None if the text is not one."""
    try:
        value = float(text[:40])
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def table(*params: Param[Any]) -> dict[str, Param[Any]]:
    """Parameters by name."""
    return {param.name: param for param in params}


SWITCH = ("", "on", "off")
ASKED = ("word", "source", "right", "figure")  # questions of Predict, see `viz_core/browser/prediction.py`
SENTENCE = table(
    *(Text("text"), Text("target"), Text("model", "a folder of `checkpoints/`"), Text("snapshot", "a saved training step, or end")),
    *(OneOf("reads", ("same", "own")), Text("edits", "such as no_positions"), OneOf("everywhere", SWITCH)),
)
"""Parameters of every page."""
WALKED = table(Item("step"), Item("layer"), Item("head"), Item("token", default=1))
"""The places that keys walk along, on every page. token: of the source, initially the second, as the first is often an article."""
SHARED = table(OneOf("lecture", SWITCH), OneOf("predict", ("", *ASKED)))
"""Parameters that the browser keeps on every page."""
CARRIED = ("draft", "applied", "opening", "tried", "own_model", "picked_model")
"""Values that the browser carries from page to page outside the address, see `session.carry`."""
TALK = table(Text("talk", "a file of `talks/`"), Item("at"))
"""The current talk, and its view."""
STAGED = (*TALK, "lecture")
"""Parameters left out of the audience's link, which leads to the view with all its controls."""


QUERY, STEP, TOKEN = "query-key, such as 2-3", "step-rank, such as 2-1", "token-rank, such as 2-1"


def on(param: Param[Any], *pages: str, **meanings: str) -> Any:
    """A field of `Options`, with the pages that it affects; `meanings` adds pages with the meaning of a value there.

    "attention" stands for all pages that show the stages of an attention.
    """
    return field(default=param.usual, metadata={"param": param, "pages": dict.fromkeys(pages, "") | meanings})


@dataclass(frozen=True)
class Options:
    """The parameters of one page's figures; dim, place and cell are None if none is picked."""

    stage: str = on(OneOf("stage", ("softmax", "scores", "scaled", "mask", "mix")), "attention")
    show: str = on(OneOf("show", ("one", "mean", "layer", "model")), "attention")
    form: str = on(OneOf("form", ("matrix", "lines", "neurons")), "attention")
    unit: str = on(OneOf("unit", ("tokens", "words")), "attention")
    scale: str = on(OneOf("scale", ("linear", "log")), "attention")
    order: str = on(OneOf("order", ("sentence", "weight")), "attention")
    specials: str = on(OneOf("specials", ("show", "hide")), "attention")
    axis: str = on(OneOf("axis", ("linear", "log", "logit")), "output")
    top: str = on(OneOf("top", ("10", "5", "20")), "output")
    drawing: str = on(OneOf("drawing", ("flow", "paper")), "overview")
    open: str = on(
        OneOf("open", (
            "", "embedding", "encoder_qkv", "encoder", "encoder_out", "encoder_ffn", "memory",
            "masked_qkv", "masked", "masked_out", "cross_qkv", "cross", "cross_out", "ffn", "softmax",
        )), "overview",
    )  # fmt: skip
    cell: tuple[int, int] | None = on(Cell("cell"), attention=QUERY, output=STEP, residual=TOKEN, decoding=STEP)
    temperature: float = on(Number("temperature", 0.1, 5.0, 1.0, step=None), "output")
    dim: int | None = on(Item("dim", default=None), "qkv", "residual")
    place: int | None = on(Item("place", default=None), "decoding")

    def written(self) -> dict[str, str]:
        """All values in the form of an address."""
        return {name: OPTIONS[name].write(value) for name, value in asdict(self).items()}


OPTIONS = table(*(option.metadata["param"] for option in fields(Options)))
IN_BROWSER = WALKED | SHARED | OPTIONS
EVERYWHERE = SENTENCE | WALKED | SHARED | TALK


if __name__ == "__main__":
    view = {name: {"kind": type(param).__name__} | asdict(param) for name, param in IN_BROWSER.items()}
    print(json.dumps({"view": view, "staged": STAGED, "everywhere": [*EVERYWHERE, "lang"], "carried": CARRIED}))
