"""Values inside texts. Typed text inside Markdown, HTML and LaTeX is always shown as typed, never interpreted."""

import math
import re
import sys
from collections.abc import Sequence
from html import escape

from viz_core.figures.base import RAISED
from viz_core.texts import visible

LARGEST_EXPONENT = math.log(sys.float_info.max)


class Raw(str):
    """Markdown or LaTeX of our own, inserted as it is."""


_MARKDOWN = re.compile(r"([\\`*_{}\[\]()#+\-.!|~$:<>&^=\"'@/])")
_LATEX = str.maketrans(
    {sign: f"\\{sign}" for sign in "{}$%#_&"}
    | {
        "\\": r"\backslash{}",
        "^": r"\char`\^{}",
        "~": r"\char`\~{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "β": r"\(\beta\)",
        "▁": r"\rule[-.1em]{.5em}{.08em}",
    }
)


def html(text: str) -> str:
    """Escapes text for HTML, between tags or inside a quoted attribute."""
    return escape(visible(text, "\n"), quote=True)


def markdown(text: str) -> str:
    """Escapes text for Markdown, Streamlit's colours, emoji codes and formulas included."""
    return _MARKDOWN.sub(lambda sign: f"&#{ord(sign[1])};", visible(text, "\n").replace("\n", " "))


def latex(text: str) -> str:
    r"""Escapes text for the inside of \text{…} in a formula."""
    return visible(text, "\n").replace("\n", " ").translate(_LATEX)


def tex(text: str) -> Raw:
    """Typed text as a part of a formula."""
    return Raw(rf"\text{{{latex(text)}}}")


def readable(value: object) -> str:
    """A value as inserted into a text: typed text escaped, numbers rounded for reading, our own markup as it is."""
    if isinstance(value, Raw):
        return value
    if isinstance(value, str):
        return markdown(value)
    if isinstance(value, float):
        return number(value)
    return f"{value:,}" if isinstance(value, int) else str(value)


def number(value: float) -> str:
    """A number for LaTeX and prose: four digits, below 0.1 three significant ones; a number other than 0 never reads 0."""
    value += 0.0  # −0 is 0
    if not math.isfinite(value):
        return "NaN" if math.isnan(value) else "∞" if value > 0 else "-∞"
    if value == 0 or 0.001 <= abs(value) < 100_000:
        small = 2 - math.floor(math.log10(abs(value))) if 0 < abs(value) < 0.1 else 0
        return f"{value:,.{max(small, 3 - len(str(int(abs(value)))) + 1, 0)}f}"
    mantissa, exponent = f"{value:.2e}".split("e")
    return f"{mantissa}·10{str(int(exponent)).translate(RAISED)}"


def e_to_the(exponent: float) -> Raw:
    """e^exponent as `number` writes it, even beyond a float's range: an edited model may have logits in the billions."""
    if not exponent >= LARGEST_EXPONENT or math.isinf(exponent):
        return Raw(number(math.exp(exponent)))
    power = exponent / math.log(10)
    return Raw(f"{10 ** (power % 1):.2f}·10{str(int(power)).translate(RAISED)}")


_FORMULA = re.compile(r"\$+[^$]*\$+")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3})")


def close_thousands(text: str) -> str:
    """Wraps commas of thousands inside formulas, where TeX would set a space after 8,. Typed dollars are escaped already."""
    return _FORMULA.sub(lambda formula: _THOUSANDS.sub("{,}", formula[0]), text)


def shortened(text: str, most: int) -> str:
    """A text cut after `most` characters."""
    return text if len(text) <= most else f"{text[:most]} …"


def row(values: Sequence[float], dims: Sequence[int | None], between: str) -> Raw:
    """Some numbers of a vector side by side in a formula; None stands for a gap."""
    return Raw(between.join(r"\cdots" if dim is None else number(float(values[dim])) for dim in dims))
