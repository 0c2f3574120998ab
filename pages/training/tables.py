"""Tables of training, as HTML: the loss at each position, and translations before and after fine-tuning."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from viz_core.figures.base import plain, region
from viz_core.figures.palette import LIGHT, Palette

SQUARES = 24
"""The mask is drawn for up to so many positions."""

STYLE = """<style>
.draws.forced {{ overflow: auto; border: 1px solid {line}; border-radius: 8px; }}
.draws.forced {{ width: fit-content; max-width: 100%; max-height: 34rem; }}
.forced table {{ border-collapse: separate; border-spacing: 0; font-size: 18px; color: {ink}; }}
.forced th {{ background: {panel}; padding: .3rem .8rem; white-space: nowrap; text-align: right; position: sticky; top: 0; }}
.forced td {{ text-align: right; padding: .18rem .8rem; white-space: nowrap; font-variant-numeric: tabular-nums; }}
.forced .token {{ text-align: left; unicode-bidi: isolate; }}
.forced td.read {{ color: {q}; }} .forced td.write {{ color: {output}; }}
.forced .mask {{ text-align: left; }} .forced td.mask {{ letter-spacing: .12rem; font-family: monospace; color: {quiet}; }}
.forced .mask b {{ color: {q}; }}
.forced td.own {{ color: {k}; font-weight: 600; }} .forced s {{ color: {quiet}; font-weight: 400; }}
.forced td.rise {{ color: {k}; }} .forced td.fall {{ color: {v}; }}
.forced tr.highlighted td {{ background: {highlighted}; }}
.forced tr.highlighted td:first-child {{ box-shadow: inset 5px 0 {accent}; }}
.forced tr.sum td {{ background: {panel}; font-weight: 600; }}
</style>"""


@dataclass(frozen=True)
class LossPosition:
    """One line: what the decoder reads there, what it should write, and numbers as text."""

    read: str
    write: str
    numbers: Sequence[str]


def forced_table(
    positions: Sequence[LossPosition],
    sums: Sequence[Sequence[str]],
    *,
    headings: Sequence[str],
    highlighted: int,
    palette: Palette = LIGHT,
) -> str:
    """One line for each position, as HTML; then the sums, each its name and its numbers.

    What has `data-writes` is what the model writes at that step, counted from 0: while it is to be guessed, the
    page hides it.

    Args:
        headings: of position, what is read, what the mask allows, what should be written, and of the numbers.
        highlighted: the current position.
    """
    count, lines = len(positions), []
    for at, one in enumerate(positions):
        seen = f"<b>{'■' * (at + 1)}</b>{'□' * (count - at - 1)}" if count <= SQUARES else f"1 … {at + 1}"
        read = f'<span data-writes="{at - 1}">{plain(one.read)}</span>' if at else plain(one.read)
        tokens = f'<td class="token read">{read}</td><td class="mask">{seen}</td>'
        tokens += f'<td class="token write"><span data-writes="{at}">{plain(one.write)}</span></td>'
        numbers = "".join(f"<td>{plain(number)}</td>" for number in one.numbers)
        lines.append(f"<tr{' class=highlighted' if at == highlighted else ''}><td>{at + 1}</td>{tokens}{numbers}</tr>")
    for name, *summed in sums:
        cells = "".join(f"<td>{plain(number)}</td>" for number in summed)
        lines.append(f'<tr class="sum"><td></td><td class="token" colspan="3">{plain(name)}</td>{cells}</tr>')
    kinds = ["", " class=token", " class=mask", " class=token", *[""] * (len(headings) - 4)]
    return position_table(headings, kinds, lines, palette)


def position_table(headings: Sequence[str], kinds: Sequence[str], lines: Sequence[str], palette: Palette) -> str:
    """A scrolling table. kinds: the class of each heading, as an attribute; lines: HTML."""
    head = "".join(f'<th scope="col"{kind}>{plain(heading)}</th>' for kind, heading in zip(kinds, headings, strict=True))
    colours = {"line": palette.line, "ink": palette.ink, "panel": palette.panel, "accent": palette.accent, "quiet": palette.quiet}
    letters = {role: palette.role_text(role) for role in ("q", "k", "v", "output")}
    style = STYLE.format(**colours, **letters, highlighted=palette.words[4])
    return f'{style}<div class="draws forced" {region("forced")}><table><tr>{head}</tr>{"".join(lines)}</table></div>'


OWN = "◆"
"""Marks one of the model's own words, because colour alone is not visible to everybody."""


@dataclass(frozen=True)
class MixedPosition:
    """One line.

    Attributes:
        coin: the random number as text; empty where there is none.
        read: what the decoder reads.
        own: whether that is one of its own words.   right: the correct one, where it reads another; else empty.
        write: what it should write.   writes: its top prediction, in the last column.
        numbers: p and −ln p of what it should write, and −ln p with teacher forcing.
        change: of the loss, as text, with its sign; empty where it is the same.
    """

    coin: str
    read: str
    own: bool
    right: str
    write: str
    writes: str
    numbers: Sequence[str]
    change: str


def mixed_table(
    positions: Sequence[MixedPosition],
    sums: Sequence[Sequence[str]],
    *,
    headings: Sequence[str],
    highlighted: int,
    palette: Palette = LIGHT,
) -> str:
    """One line for each position, as HTML; then the sums, each its name and its numbers, the change last."""
    lines = []
    for at, one in enumerate(positions):
        read = f"{OWN} {plain(one.read)}" if one.own else plain(one.read)
        read += f" <s>{plain(one.right)}</s>" if one.right else ""
        cells = f'<td>{at + 1}</td><td>{plain(one.coin)}</td><td class="token {"own" if one.own else "read"}">{read}</td>'
        cells += f'<td class="token write">{plain(one.write)}</td>'
        cells += "".join(f"<td>{plain(number)}</td>" for number in one.numbers) + _change(one.change)
        cells += f'<td class="token">{plain(one.writes)}</td>'
        lines.append(f"<tr{' class=highlighted' if at == highlighted else ''}>{cells}</tr>")
    for name, *numbers, change in sums:
        cells = "".join(f"<td>{plain(number)}</td>" for number in numbers) + _change(change) + "<td></td>"
        lines.append(f'<tr class="sum"><td></td><td class="token" colspan="3">{plain(name)}</td>{cells}</tr>')
    kinds = ["", "", " class=token", " class=token", *[""] * (len(headings) - 5), " class=token"]
    return position_table(headings, kinds, lines, palette)


def _change(text: str) -> str:
    kind = ' class="rise"' if text.startswith("+") else ' class="fall"' if text else ""
    return f"<td{kind}>{plain(text)}</td>"


MarkedWords = Sequence[tuple[str, bool]]
"""Words and what stands between them, and whether each is marked."""

TUNED_STYLE = """<style>
.draws.tuned {{ overflow: auto; border: 1px solid {line}; border-radius: 8px; max-height: 27rem; }}
html[data-lecture] .draws.tuned {{ max-height: calc((100vh - 14rem - var(--viz-bar, 0px)) / var(--viz-scale, 1)); }}
.tuned table {{ border-collapse: separate; border-spacing: 0; font-size: 18px; color: {ink}; width: 100%; table-layout: fixed; }}
.tuned th {{ background: {panel}; padding: .3rem .8rem; text-align: left; position: sticky; top: 0; }}
.tuned td {{ padding: .22rem .8rem; vertical-align: top; unicode-bidi: plaintext; overflow-wrap: anywhere; }}
.tuned tr + tr td {{ border-top: 1px solid {line}; }}
.tuned td.given {{ color: {quiet}; }}
.tuned mark {{ background: none; font-weight: 650; }}
.tuned mark.right {{ color: {v}; border-bottom: 3px solid {v}; }}
.tuned mark.other {{ color: {output}; border-bottom: 3px solid {output}; }}
.tuned b {{ color: {v}; }}
</style>"""


@dataclass(frozen=True)
class TunedSentence:
    """One sentence: its source, the reference, and the model's translations before fine-tuning and now."""

    source: str
    right: str
    before: MarkedWords
    now: MarkedWords

    def solved(self, words: MarkedWords) -> bool:
        """Whether this is the reference, letter by letter."""
        return "".join(word for word, _ in words) == self.right


def tuned_table(rows: Sequence[TunedSentence], *, headings: Sequence[str], mark: str, name: str, palette: Palette = LIGHT) -> str:
    """One line for each sentence, as HTML; a translation that equals the reference has a tick.

    Args:
        headings: of source, reference, before, now.
        mark: the class of a marked word: `right`, as in the reference, or `other` than before.
        name: what the table is, a text of `hovers.toml`.
    """
    lines = []
    for row in rows:
        cells = f'<td class="given">{plain(row.source)}</td><td class="given">{plain(row.right)}</td>'
        for words in (row.before, row.now):
            text = "".join(f'<mark class="{mark}">{plain(word)}</mark>' if on else plain(word) for word, on in words)
            cells += f"<td>{text}{'&nbsp;<b>✓</b>' if row.solved(words) else ''}</td>"
        lines.append(f"<tr>{cells}</tr>")
    head = "".join(f'<th scope="col">{plain(heading)}</th>' for heading in headings)
    colours = {"line": palette.line, "ink": palette.ink, "panel": palette.panel, "quiet": palette.quiet}
    style = TUNED_STYLE.format(**colours, v=palette.v_text, output=palette.output_text)
    return f'{style}<div class="draws tuned" {region(name)}><table><tr>{head}</tr>{"".join(lines)}</table></div>'
