"""The few shapes that a drawing is put together from, as SVG text. Everything typed goes through `escaped`."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from html import escape

from viz_core.visible import visible

Point = tuple[float, float]


def escaped(text: str) -> str:
    """Text as typed, for between tags or inside a quoted attribute; control characters as their code."""
    return escape(visible(text), quote=True)


def rect(x: float, y: float, width: float, height: float, kind: str, radius: float = 7) -> str:
    """A rounded rectangle; `kind` is its CSS class, here and below."""
    return f'<rect class="{kind}" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{radius:g}"/>'


def text(x: float, y: float, words: str, kind: str = "", anchor: str = "start") -> str:
    """One line of text with its baseline at y."""
    return f'<text class="{kind}" x="{x:g}" y="{y:g}" text-anchor="{anchor}">{escaped(words)}</text>'


def line(points: Sequence[Point], kind: str) -> str:
    """A line through points, with rounded corners by its class's stroke-linejoin."""
    return f'<polyline class="{kind}" points="{" ".join(f"{x:g},{y:g}" for x, y in points)}"/>'


def arrow(points: Sequence[Point], kind: str, head: float = 9) -> str:
    """A line that ends in an arrow head; the last part of it is upright or level."""
    (x0, y0), (x, y) = points[-2:]
    dx, dy = (x > x0) - (x < x0), (y > y0) - (y < y0)
    neck = (x - dx * head, y - dy * head)
    half = head * 0.62
    wings = [(neck[0] + dy * half, neck[1] + dx * half), (x, y), (neck[0] - dy * half, neck[1] - dx * half)]
    corners = " ".join(f"{a:g},{b:g}" for a, b in wings)
    return line([*points[:-1], neck], kind) + f'<polygon class="{kind} head" points="{corners}"/>'


def html(x: float, y: float, width: float, height: float, inner: str, kind: str) -> str:
    """HTML inside the drawing, where the browser breaks lines and measures words better than we can."""
    return (
        f'<foreignObject x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}">'
        f'<div xmlns="http://www.w3.org/1999/xhtml" class="{kind}">{inner}</div></foreignObject>'
    )


def width_of(words: str, size: float) -> float:
    """About how wide a text is, on the generous side; in the unit of the font size."""
    return sum(_ems(c) for c in words) * size


def _ems(character: str) -> float:
    if unicodedata.east_asian_width(character) in "WF":
        return 1.1
    if unicodedata.combining(character):
        return 0.0
    return 0.85 if character in "mwMW@%" else 0.6 if character.isupper() else 0.33 if character in "fijlrt.,:;'!|()⟨⟩/ " else 0.52


def window(widths: Sequence[float], room: float, focus: int) -> tuple[int, int]:
    """The longest run of neighbours around `focus` that fits into `room`, as (start, end).

    It grows to the left first, so that a run around the first item starts there.
    """
    start, end = focus, min(focus + 1, len(widths))
    used = sum(widths[start:end])
    grown = True
    while grown:
        grown = False
        for at in _neighbours(start, end, len(widths)):
            if used + widths[at] <= room:
                start, end, used, grown = min(start, at), max(end, at + 1), used + widths[at], True
                break
    return start, end


def _neighbours(start: int, end: int, total: int) -> Iterable[int]:
    return [at for at in (start - 1, end) if 0 <= at < total]
