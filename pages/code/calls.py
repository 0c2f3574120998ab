"""The forward pass as a list of calls: each recorded quantity, and the line of source code that computed it in a real pass.

Nothing here is written by hand: the order is that in which a tap meets the sites, the lines are those that were running, and the
functions are those that were entered in between.
"""

import ast
import functools
import inspect
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from types import FrameType
from typing import Any

import torch

from viz_core.config import ModelConfig
from viz_core.model import Transformer
from viz_core.sites import Site, sites
from viz_core.taps import Tap

PACKAGE = "viz_core.model."
"""The package whose lines are recorded."""


@dataclass(frozen=True)
class SourceLine:
    """A line of source code that was running.

    Attributes:
        function: `package.module:Class.method`.
        number: its number in the file, from 1.
    """

    function: str
    number: int

    @property
    def text(self) -> str:
        source, start = _source(self.function)
        return source[self.number - start].strip()


@dataclass(frozen=True)
class Call:
    """One recorded quantity and the lines of code that computed it.

    Attributes:
        name: full name of the site.
        site: its axes and its formula.
        stack: the lines that were running, the outermost first; the last one holds the tap.
        lines: the lines that compute it, in the function that holds the tap: the tap's own line and, if only a name is passed to
            the tap, the lines that assign it.
        inside: the functions that have run for it since the previous call, and have returned.
    """

    name: str
    site: Site
    stack: tuple[SourceLine, ...]
    lines: tuple[int, ...]
    inside: tuple[str, ...]

    @property
    def function(self) -> str:
        return self.stack[-1].function


@dataclass(eq=False)
class CallRecorder(Tap):
    """A tap that notes the stack at each site, and the functions entered since the previous site."""

    prefix: str = ""
    met: list[tuple[str, tuple[SourceLine, ...], tuple[str, ...]]] = field(default_factory=list)
    entered: dict[str, None] = field(default_factory=dict)

    def __call__(self, site: str, value: torch.Tensor) -> torch.Tensor:
        stack = tuple(_stack(sys._getframe(1)))[::-1]
        running = {line.function for line in stack}
        inside = tuple(name for name in self.entered if name not in running)
        if self.met and self.met[-1][1] == stack:  # taps on one line share the functions that ran for the line
            inside = self.met[-1][2]
        self.met.append((self.prefix + site, stack, inside))
        self.entered.clear()
        return value

    def at(self, prefix: str) -> Tap:
        return replace(self, prefix=f"{self.prefix}{prefix}.")

    def profile(self, frame: FrameType, event: str, _: Any) -> None:
        """For `sys.setprofile`: notes the model's functions as they are entered."""
        if event == "call" and (name := _name(frame)):
            self.entered[name] = None


@torch.inference_mode()
def walk(model: Transformer) -> list[Call]:
    """The calls of one pass of this model over one token on each side, in order."""
    recorder, before = CallRecorder(), sys.getprofile()
    source, target = (torch.tensor([[i]]) for i in (model.config.eos_id, model.config.bos_id))
    sys.setprofile(recorder.profile)
    try:
        model(source, target, recorder)
    finally:
        sys.setprofile(before)
    known = sites(model.config)
    return [Call(name, known[name], stack, _lines(name, stack[-1]), inside) for name, stack, inside in recorder.met]


def tapped(calls: list[Call], near: int) -> list[tuple[int, int]]:
    """The calls, as (index, line), recorded in the same run of the same function as the call `near`."""
    here = calls[near]
    block = here.name.rpartition(".")[0]
    return [
        (i, call.stack[-1].number)
        for i, call in enumerate(calls)
        if call.function == here.function and call.stack[:-1] == here.stack[:-1] and call.name.rpartition(".")[0] == block
    ]


def _name(frame: FrameType) -> str:
    """`module:function` of a frame of the model; "" for all other frames, and for functions without a name."""
    module, function = frame.f_globals.get("__name__", ""), frame.f_code.co_qualname
    return f"{module}:{function}" if module.startswith(PACKAGE) and "<" not in function else ""


def _stack(frame: FrameType | None) -> Iterator[SourceLine]:
    while frame is not None:
        if name := _name(frame):
            yield SourceLine(name, frame.f_lineno)
        frame = frame.f_back


@functools.cache
def _source(function: str) -> tuple[list[str], int]:
    module, _, path = function.partition(":")
    definition: Any = functools.reduce(getattr, path.split("."), sys.modules[module])
    return inspect.getsourcelines(definition)


def _lines(name: str, tap: SourceLine) -> tuple[int, ...]:
    """The tap's line, and the lines that assign the name that is passed to it."""
    source, start = _source(tap.function)
    tree = ast.parse(textwrap.dedent("".join(source)))
    own = name.rpartition(".")[2]
    passing = {
        node.args[1].id
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "tap"
        and isinstance(node.args[0], ast.Constant) and node.args[0].value == own and isinstance(node.args[1], ast.Name)
    }  # fmt: skip
    given = {node.lineno + start - 1 for node in ast.walk(tree) if isinstance(node, ast.Assign) and passing & set(_assigned(node))}
    return tuple(sorted({number for number in given if number < tap.number} | {tap.number}))


def _assigned(node: ast.Assign) -> Iterator[str]:
    for target in ast.walk(node):
        if isinstance(target, ast.Name) and isinstance(target.ctx, ast.Store):
            yield target.id


def call_cost(config: ModelConfig, name: str, source: int, target: int) -> tuple[int, int]:
    """The parameters that one recorded quantity uses, and the multiply-adds of its matrix products.

    A shared matrix counts at its first use.

    Args:
        name: full name of the site.
        source, target: the number of tokens on each side, S and T.
    """
    d, f, last = config.d_model, config.d_ff, name.rpartition(".")[2]
    encoder, cross = name.startswith(("source", "encoder")), ".cross_attn." in name
    queries, keys = source if encoder else target, source if encoder or cross else target
    square = d * d + d  # a projection with its bias
    if ".ffn." in name:
        return (d * f + f if last == "hidden" else f * d + d), queries * d * f
    if last in ("q", "out"):
        return square, queries * d * d
    if last in ("k", "v"):
        return square, keys * d * d
    if last in ("scores", "mix"):
        return 0, queries * keys * d
    if last == "positions" and config.positions == "learned":
        return config.max_len * d, 0
    if last.startswith("norm_") or (last == "input" and config.embedding_norm):
        return 2 * d, 0  # γ and β
    if last in ("memory", "states") and config.has_final_norm("encoder" if encoder else "decoder"):
        return 2 * d, 0  # γ and β
    if last == "lookup" and (encoder or not config.tied_embeddings):
        return (config.source_vocab if encoder else config.target_vocab) * d, 0
    if last == "logits":
        own = (0 if config.generator_is_tied else d) + config.output_bias
        return config.target_vocab * own, target * d * config.target_vocab
    return 0, 0
