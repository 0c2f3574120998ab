"""The whole model as one drawing, after Figure 1 of Vaswani et al. (2017), with one sentence's shapes, pieces and probabilities.

Encoder left, decoder right, everything flows upwards; what comes out at the top right goes back in at the bottom. Each block is a
link: `data-page` names its page and controls of that page (`residual?stack=decoder`), `data-caption` says in a line what it does.
The drawing is SVG and knows no browser; the component of the same name makes it live.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from viz_core.figures import architecture_parts as parts
from viz_core.figures.architecture_parts import DECODER, ENCODER, FLOOR, HEIGHT, Chip, Lane, Sentence, band, pill, shape_text
from viz_core.figures.architecture_style import style
from viz_core.figures.base import percent
from viz_core.figures.palette import LIGHT, Palette
from viz_core.figures.svg import Point, arrow, escaped, html, line, rect, text, width_of, window


def architecture(
    sentence: Sentence,
    shapes: Mapping[str, tuple[int, ...]],
    labels: Mapping[str, str],
    captions: Mapping[str, str],
    *,
    layers: int,
    norm: Literal["pre", "post"],
    palette: Palette = LIGHT,
) -> str:
    """The drawing as an SVG text.

    Args:
        shapes: site → shape as recorded, without batch and layer: `encoder.self_attn.q` → (h, S, d_k).
        labels: names of the blocks and small words.
        captions: block → one line on what it does.
        layers: of each stack.
        norm: where LayerNorm stands: before each sub-layer, or after its sum as in the paper.
    """
    drawing = _Drawing(shapes, labels, captions, layers, norm)
    drawing.headline(sentence)
    drawing.chips(sentence.pieces_in, 0, 408, palette)
    encoder = drawing.stack(ENCODER)
    drawing.chips(sentence.pieces_out, 414, 392, palette)
    decoder = drawing.stack(DECODER)
    drawing.memory(encoder)
    drawing.output(sentence, decoder)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {parts.WIDTH} {HEIGHT}" role="group"'
        f' aria-label="{escaped(labels["drawing"])}">'
        f"<style>{style(palette)}</style>{''.join(drawing.under)}{''.join(drawing.over)}</svg>"
    )


class _Drawing:
    """Collects the parts: lines and cards under, blocks over them, blocks in the order of computing."""

    def __init__(
        self, shapes: Mapping[str, tuple[int, ...]], labels: Mapping[str, str], captions: Mapping[str, str], layers: int, norm: str
    ) -> None:
        self.shapes, self.labels, self.captions, self.layers, self.pre = shapes, labels, captions, layers, norm == "pre"
        self.under: list[str] = []
        self.over: list[str] = []
        self.cross: dict[str, Point] = {}
        """Where the memory becomes keys and values: the lower ends of cross attention's K and V."""

    def shape(self, site: str) -> str:
        return shape_text(self.shapes[site])

    def link(self, page: str, key: str, name: str, inner: str) -> None:
        self.over.append(
            f'<g class="block" role="link" tabindex="0" data-page="{escaped(page)}" data-caption="{escaped(self.captions[key])}"'
            f' aria-label="{escaped(name)}">{inner}</g>'
        )

    def block(self, page: str, key: str, place: tuple[float, float, float, float], detail: str = "", *, deck: int = 0) -> None:
        """A named box at (x, y, width, height) with a detail at its right; with a deck, more of them behind."""
        x, y, width, height = place
        base, kind = y + height / 2 + 6.5, f"name {key}"
        inner = "".join(rect(x + 3 * i, y - 3 * i, width - 6 * i, height, f"box {key} behind") for i in range(deck, 0, -1))
        inner += rect(*place, f"box {key}")
        if detail:
            inner += text(x + 11, base, self.labels[key], kind) + text(x + width - 11, base, detail, "shape", "end")
        else:
            inner += text(x + width / 2, base, self.labels[key], kind, "middle")
        self.link(page, key, self.labels[key], inner)

    def plus(self, x: float, y: float) -> None:
        cross = f'<path class="plus" d="M{x - 5:g} {y:g}h10M{x:g} {y - 5:g}v10"/>'
        self.over.append(f'<circle class="plus" cx="{x:g}" cy="{y:g}" r="9"/>{cross}')

    def stack(self, lane: Lane) -> float:
        """One side, from its pieces to the top of its stack, which is returned."""
        x, floor = lane.centre, FLOOR
        embedding, row = HEIGHT - 34 - 12 - 34, floor + 21
        self.under += [arrow([(x, HEIGHT - 34), (x, embedding + 34)], "flow"), line([(x, embedding), (x, row)], "flow")]
        self.block(
            f"embeddings?side={lane.side}",
            "embedding",
            (lane.left, embedding, lane.width, 34),
            self.shape(f"{lane.side}.embedding"),
        )
        outward, anchor = (-1, "start") if lane is ENCODER else (1, "end")
        near, far = x + outward * 24, lane.left if lane is ENCODER else lane.right
        self.under.append(arrow([(near, row), (x + outward * 9, row)], "flow", 7))
        self.block(f"positions?side={lane.side}", "positions", (min(near, far), row - 15, abs(far - near), 30))
        self.plus(x, row)
        self.over.append(text(x - outward * 16, row + 6, self.shape(f"{lane.side}.input"), "shape", anchor))

        y: float = floor - 2
        self.under.append("")  # the cards go below everything; their height is known at the end
        card = len(self.under) - 1
        self.under.append(arrow([(x, row - 9), (x, floor)], "flow", 8))
        for key in ("self_attn", "cross_attn", "ffn") if lane is DECODER else ("self_attn", "ffn"):
            y = self.sublayer(lane, key, y)
        top = y - 4
        deck = range(min(self.layers, 4) - 1, -1, -1)
        self.under[card] = "".join(
            rect(
                lane.card[0] + 5 * i,
                top - parts.DECK * i,
                lane.card[1] - lane.card[0] - 10 * i,
                floor - top,
                f"card {lane.stack}",
                12,
            )
            for i in deck
        )
        at, middle = (18, (top + floor) / 2) if lane is ENCODER else (800, (top + floor) / 2)
        self.over.append(
            f'<text class="lane" text-anchor="middle" transform="translate({at} {middle:g}) rotate(-90)">'
            f"{escaped(self.labels[lane.stack])}<tspan class='times' dx='10'>× {self.layers}</tspan></text>"
        )
        self.under.append(line([(x, y), (x, top - parts.DECK * deck[0])], "flow"))
        return top - parts.DECK * deck[0]

    def sublayer(self, lane: Lane, key: str, floor: float) -> float:
        """Residual line, norm, the sub-layer itself and the sum, upwards; returns where the next begins."""
        x, at = lane.centre, floor - parts.BRANCH
        kind = {"self_attn": "masked" if lane is DECODER else "self", "cross_attn": "cross", "ffn": "ffn"}[key]
        self.under.append(line([(x, floor), (x, at)], "flow"))
        if self.pre:
            at = self.norm(lane, at)
        if key == "ffn":
            self.under.append(arrow([(x, at), (x, at - parts.BRANCH)], "flow", 7))
            at -= parts.BRANCH
        else:
            at = self.pills(lane, key, at)
        at -= parts.BLOCK
        if key == "ffn":
            self.block(
                f"residual?stack={lane.stack}&show=ffn",
                "ffn",
                (lane.left, at, lane.width, parts.BLOCK),
                self.shape(f"{lane.stack}.ffn.hidden"),
            )
        else:
            page = {"self": "self_attention", "masked": "masked_attention", "cross": "cross_attention"}[kind]
            self.block(page, kind, (lane.left, at, lane.width, parts.BLOCK), self.labels["heads"], deck=2)
        total = at - parts.ADD / 2 - 3
        self.under.append(line([(x, at), (x, at - parts.ADD)], "flow"))
        path: list[Point] = [(x, floor - parts.BRANCH / 2), (lane.bypass, floor - parts.BRANCH / 2), (lane.bypass, total)]
        self.under.append(arrow([*path, (x + (9 if lane is DECODER else -9), total)], "residual", 8))
        self.plus(x, total)
        beside = (x + 16, "start") if lane is ENCODER else (x - 16, "end")
        self.over.append(text(beside[0], total + 6, self.shape(f"{lane.stack}.resid_{key}"), "shape", beside[1]))
        at -= parts.ADD
        return at if self.pre else self.norm(lane, at)

    def norm(self, lane: Lane, at: float, detail: str = "") -> float:
        self.block(f"residual?stack={lane.stack}&show=norm", "norm", (lane.left, at - parts.NORM, lane.width, parts.NORM), detail)
        return at - parts.NORM

    def pills(self, lane: Lane, key: str, at: float) -> float:
        """Q, K and V in their colours with their shapes; what each is made from enters from below."""
        top, cross = at - parts.FAN - parts.PILLS, key == "cross_attn"
        x, inner = lane.left, ""
        groups = (("kv", "k"), ("q", "q")) if cross else (("qkv", "q"),)
        for i, (letters, site) in enumerate(groups):
            x = lane.left + 178 * i
            for letter in letters:
                inner += pill(x, top, letter)
                if cross and letter != "q":
                    self.cross[letter] = (x + 17, top + parts.PILLS)
                else:
                    self.under.append(arrow([(x + 17, at), (x + 17, top + parts.PILLS)], letter, 7))
                x += 38
            inner += text(x + 4, top + 19, self.shape(f"{lane.stack}.{key}.{site}"), "shape")
        name = "cross_qkv" if cross else "qkv"
        kind = "cross" if cross else "masked" if lane is DECODER else "self"
        self.link(f"qkv?kind={kind}", name, self.labels["qkv"], rect(lane.left, top, lane.width, parts.PILLS, "hit") + inner)
        return top

    def memory(self, top: float) -> None:
        """From the encoder's top to where cross attention makes keys and values of it."""
        x = ENCODER.centre
        if self.pre:
            top = self.norm(ENCODER, top - 5, "")
            self.under.append(line([(x, top + parts.NORM + 5), (x, top + parts.NORM)], "flow"))
        corner, down = top - 10, 334
        for letter, apart in (("k", -3), ("v", 3)):  # side by side round every corner
            to, pill_end = self.cross[letter]
            level = pill_end + 9 + apart
            path = [
                (x + apart, top),
                (x + apart, corner + apart),
                (down - apart, corner + apart),
                (down - apart, level),
                (to, level),
            ]
            self.under.append(arrow([*path, (to, pill_end)], f"{letter} memory", 6))
        self.over.append(text(down + 11, corner + 28, self.labels["memory"], "memory"))
        self.over.append(text(down + 11, corner + 50, self.shape("encoder.memory"), "shape"))

    def chips(self, chips: Sequence[Chip], x: float, width: float, palette: Palette) -> None:
        """The pieces that fit around the current one, and how many more there are on each side."""
        widths = [min(width_of(chip.text, parts.CHIP), 150) + 15 for chip in chips]
        focus = next((i for i, chip in enumerate(chips) if chip.state == "read"), 0)
        start, end = (0, len(chips)) if sum(widths) <= width else window(widths, width - 150, focus)
        spans = [f'<span class="chip {chip.state}"{band(chip, palette)}>{escaped(chip.text)}</span>' for chip in chips[start:end]]
        if start:
            spans.insert(0, f'<span class="more">{start} {escaped(self.labels["more"])} …</span>')
        if end < len(chips):
            spans.append(f'<span class="more">… {len(chips) - end} {escaped(self.labels["more"])}</span>')
        inner = html(x, HEIGHT - 34, width, 34, "".join(spans), "chips")
        self.link("tokens", "tokens", self.labels["tokens"], inner)

    def output(self, sentence: Sentence, top: float) -> None:
        """Linear and softmax, the most probable pieces, the one that is written, and its way back to the bottom."""
        left, right = parts.OUT
        wide, x = right - left, DECODER.centre
        at = self.norm(DECODER, top - 3, self.shape("decoder.states")) if self.pre else top - 10
        y = at + (parts.NORM / 2 if self.pre else 0)
        start = [(DECODER.right, y)] if self.pre else [(x, top), (x, y)]
        self.under.append(arrow([*start, (left, y)], "flow"))
        self.block("output", "output", (left, y - 18, wide, 36))
        middle = (left + right) / 2
        self.under.append(arrow([(middle, y + 18), (middle, y + 52)], "flow"))
        self.over.append(text(middle + 12, y + 41, self.shape("output.logits"), "shape"))
        y += 56
        rows = rect(left, y, wide, 47 * len(sentence.bars), "hit")
        for bar in sentence.bars:
            kind = "bar lit" if bar.lit else "bar"
            rows += html(left, y, wide, 26, f"<b>{escaped(bar.text)}</b><span>{escaped(percent(bar.share))}</span>", kind)
            rows += rect(left, y + 27, wide, 12, "track", 4)
            rows += rect(left, y + 27, max(1.5, bar.share * wide), 12, kind, 4 if bar.share > 0.05 else 1)
            y += 47
        self.link("output", "bars", self.labels["bars"], rows)
        self.under.append(arrow([(middle, y), (middle, y + 16)], "out"))
        self.over.append(html(left, y + 18, wide, 44, f"<b>{escaped(sentence.next_piece)}</b>", "next"))
        after = "end" if sentence.last else "typed" if sentence.forced else "loop"
        self.over.append(html(left, y + 72, wide - 24, 68, escaped(self.labels[after]), "loop"))
        if not sentence.last:
            self.under.append(arrow([(right - 12, y + 63), (right - 12, HEIGHT - 17), (808, HEIGHT - 17)], "out dashed"))
        for i, letter in enumerate("qkv"):
            top = HEIGHT - 138 + 34 * i
            self.over.append(pill(left, top, letter) + text(left + 44, top + 19, self.labels[f"role_{letter}"], "shape"))

    def headline(self, sentence: Sentence) -> None:
        """The sentence and its translation, large, above the encoder; under them the place where a block's caption appears."""
        whole = width_of(sentence.written + sentence.now + sentence.rest, 1)
        # The estimate is generous; should it fail, the text breaks into two lines, for which there is room.
        size = next((size for size in (36, 32) if whole * size * 0.92 <= 404), 28)
        done, now, rest = escaped(sentence.written), escaped(sentence.now), escaped(sentence.rest)
        inner = (
            f'<div class="source" dir="auto">{escaped(sentence.source)}</div>'
            f'<div class="translation" dir="auto" style="font-size:{size}px">{done}<b>{now}</b><i>{rest}</i></div>'
            f'<div class="caption" aria-live="polite">{escaped(self.labels["point"])}</div>'
        )
        self.over.append(html(0, 0, 404, parts.HEADLINE, inner, "headline"))
