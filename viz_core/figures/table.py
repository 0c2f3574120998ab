"""The softmax of one row as a table: one line for each key, one column for each operation, numbers aligned."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from viz_core.figures.attention import Floats, signed
from viz_core.figures.base import RAISED, percent, plain, region
from viz_core.figures.palette import LIGHT, Palette

STYLE = """<style>
.softmax {{ max-height: 30rem; overflow: auto; border-radius: 8px; border: 1px solid {line}; width: fit-content; max-width: 100%; }}
.softmax table {{ border-collapse: separate; border-spacing: 0; font-size: 1.1rem; color: {ink}; }}
.softmax table {{ font-variant-numeric: tabular-nums; }}
.softmax thead > tr > * {{ position: sticky; top: 0; z-index: 1; background: {panel}; text-align: right; padding: .45rem .9rem; }}
.softmax tbody > tr > * {{ text-align: right; padding: .22rem .9rem; white-space: pre; }}
.softmax th {{ font-weight: 600; }} .softmax tr > th:first-child {{ text-align: left; color: {k}; unicode-bidi: isolate; }}
.softmax td.masked {{ background: {masked}; color: {ink}; text-align: center; }}
.softmax tr.lit > * {{ background: {highlighted}; }} .softmax tr.lit th {{ box-shadow: inset 5px 0 {accent}; }}
.softmax tr.lit > * {{ position: sticky; top: 2.6rem; bottom: 2.3rem; }}  /* in sight wherever one scrolls */
.softmax tr.sum > * {{ position: sticky; bottom: 0; background: {panel}; font-weight: 600; color: {ink} !important; }}
.softmax .bar {{ display: inline-block; height: 14px; background: {accent}; border-radius: 2px; vertical-align: middle; }}
.softmax td.track {{ width: 11rem; text-align: left; padding-left: 0; }}
</style>"""


def softmax_table(
    keys: Sequence[str],
    scores: Floats,
    scaled: Floats,
    exp: Floats,
    weights: Floats,
    *,
    headings: Sequence[str],
    masked: str,
    total: str,
    highlighted: int | None = None,
    palette: Palette = LIGHT,
) -> str:
    """One query's row, as HTML.

    Args:
        scores, scaled, exp, weights: (Tk,) each; exp is NaN where the mask forbids.
        headings: of the columns key, score, scaled, mask, exp, weight.
        masked: what stands in the place of what the mask forbids.
        total: the name of the last line, the sum.
        highlighted: the picked key.
    """
    lines = []
    for j, key in enumerate(keys):
        start = f'<th scope="row">{plain(key)}</th><td>{signed(scores[j])}</td><td>{signed(scaled[j])}</td>'
        if np.isnan(exp[j]):
            rest = f'<td>−∞</td><td class="masked" colspan="3">{plain(masked)}</td>'
        else:
            bar = f'<td class="track"><span class="bar" style="width:{max(1.0, 176 * float(weights[j])):.0f}px"></span></td>'
            rest = f"<td>+0</td><td>{amount(exp[j])}</td><td>{percent(float(weights[j]))}</td>{bar}"
        lines.append(f"<tr{' class=lit' if j == highlighted else ''}>{start}{rest}</tr>")
    allowed = ~np.isnan(exp)
    numbers = f"<td></td><td></td><td></td><td>{amount(exp[allowed].sum())}</td><td>100 %</td><td></td>"
    sums = f'<tr class="sum"><th scope="row">{plain(total)}</th>{numbers}</tr>'
    head = "".join(f'<th scope="col">{plain(heading)}</th>' for heading in headings) + "<td></td>"
    colours = {"line": palette.line, "ink": palette.ink, "panel": palette.panel, "k": palette.k_text, "masked": palette.masked}
    style = STYLE.format(**colours, highlighted=palette.words[4], accent=palette.accent)
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(lines)}{sums}</tbody></table>"
    return f'{style}<div class="softmax" {region("softmax")}>{table}</div>'


def amount(value: float) -> str:
    """A positive number of any size, readable: 1,234.5, 0.0123, 3.2·10⁻⁹."""
    if value == 0 or 0.001 <= value < 1_000_000:
        digits = 1 if value >= 100 else 3 if value >= 1 else 4
        return f"{value:,.{digits}f}"
    mantissa, exponent = f"{value:.1e}".split("e")
    return f"{mantissa}·10{str(int(exponent)).translate(RAISED)}"
