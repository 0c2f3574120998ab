"""A link as a QR code, drawn here: nothing leaves the machine."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from itertools import groupby

import segno

from viz_core.errors import LinkError

LONGEST = 2_953
"""Bytes that the largest QR code (version 40, correction level L) can hold, ISO/IEC 18004."""
QUIET = 4
"""Modules of white around it, which the standard asks for: without them cameras miss a code on a dark page."""


@dataclass(frozen=True)
class Code:
    """A QR code. size: modules a side, the white edge included. path: all dark modules, the `d` of an SVG path in modules."""

    size: int
    path: str

    def svg(self, label: str) -> str:
        """As inline SVG, black on white in both themes: cameras read it so. label: what a screen reader says."""
        return (
            f'<svg class="qr" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.size} {self.size}" role="img"'
            f' aria-label="{escape(label)}" shape-rendering="crispEdges">'
            f'<path fill="#ffffff" d="M0 0h{self.size}v{self.size}h-{self.size}z"/><path fill="#000000" d="{self.path}"/></svg>'
        )


def qr_code(link: str) -> Code:
    """The code of a link, of as few modules as can be, so that the last row can read it; what room is left corrects errors.

    Raises:
        LinkError: there is nothing in it, or it is too long for any code.
    """
    content = link.encode("utf-8", "replace")
    if not content:
        raise LinkError("There is no link to draw.")
    if len(content) > LONGEST:
        raise LinkError(
            f"This link is too long for a QR code: {len(content):,} bytes, at most {LONGEST:,}. A shorter sentence will do."
        )
    matrix = segno.make(content, error="l", mode="byte", micro=False).matrix
    rows = [_row(row, y + QUIET) for y, row in enumerate(matrix)]
    return Code(len(matrix) + 2 * QUIET, "".join(rows))


def _row(row: bytearray, y: int) -> str:
    """One rectangle for each run of dark modules."""
    drawn, x = "", QUIET
    for dark, run in groupby(row):
        width = len(list(run))
        drawn += f"M{x} {y}h{width}v1h-{width}z" if dark else ""
        x += width
    return drawn
