"""The colours and fonts of the drawing of the model, for one palette."""

from __future__ import annotations

from viz_core.figures.ink import readable, rgb
from viz_core.figures.palette import Palette


def style(p: Palette) -> str:
    """CSS for the inside of the drawing. Sizes are in its own unit: 1000 across."""
    roles = "".join(
        f".{role}{{stroke:{p.role(role)}}} .{role}.head,.pill.{role}{{fill:{p.role(role)}}}"
        f" .letter.on_{role}{{fill:{readable(rgb(p.role(role)))}}}"
        for role in ("q", "k", "v")
    )
    return f"""
text,div{{font-family:inherit}} text{{fill:{p.ink};font-size:18px}}
polyline{{fill:none;stroke-width:2.5;stroke-linejoin:round}} polygon{{stroke:none!important}}
.flow{{stroke:{p.quiet}}} .flow.head{{fill:{p.quiet}}}
polyline.memory{{stroke-width:3.5}} text.memory{{font-weight:600}}
.residual{{stroke:{p.quiet};stroke-width:2}} .residual.head{{fill:{p.quiet}}}
.out{{stroke:{p.output};stroke-width:3.5}} .out.head{{fill:{p.output}}} .dashed:not(.head){{stroke-dasharray:7 6}}
{roles} .pill{{stroke:none}} .letter{{font-weight:700;font-size:20px}}
.card{{stroke:{p.line};stroke-width:1.5}} .card.encoder{{fill:{p.encoder}}} .card.decoder{{fill:{p.decoder}}}
.box{{fill:{p.surface};stroke:{p.line};stroke-width:1.5}}
.box.self,.box.masked,.box.cross{{fill:{p.words[5]};stroke:{p.accent}}} .box.norm{{fill:{p.panel}}}
.box.output{{fill:{p.words[3]};stroke:{p.output}}} .hit{{fill:transparent;stroke:none}}
.name{{font-size:20px;font-weight:600}} .name.norm{{font-size:18px;font-weight:400}}
.shape{{fill:{p.quiet};font-variant-numeric:tabular-nums}}
.plus{{fill:{p.surface};stroke:{p.quiet};stroke-width:2}}
.lane{{font-size:22px;font-weight:700}} .times{{fill:{p.accent}}}
.chips{{display:flex;justify-content:center;align-items:center;gap:3px;height:34px;overflow:hidden;font-size:18px;line-height:1.2}}
.chip{{padding:2px 4px;border:2px solid transparent;border-radius:6px;color:{p.ink};white-space:pre;max-width:150px;overflow:hidden;
 text-overflow:ellipsis;flex:none;unicode-bidi:isolate}}
.chip.read{{border-color:{p.q};font-weight:700}} .chip.ahead{{color:{p.quiet};background:none!important}}
.more{{color:{p.quiet};white-space:nowrap;padding:0 5px}}
.headline{{color:{p.ink};height:130px;display:flex;flex-direction:column;overflow:hidden}}
.source{{font-size:19px;line-height:24px;color:{p.quiet};white-space:nowrap;overflow:hidden;text-overflow:ellipsis;flex:none}}
.translation{{line-height:1.15;font-weight:700;display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;
 overflow:hidden;flex:none;overflow-wrap:anywhere}}
.translation b{{font-weight:700;text-decoration:underline 4px {p.output};text-underline-offset:5px}}
.translation i{{font-style:normal;font-weight:400;color:{p.quiet}}}
.caption{{font-size:18px;line-height:21px;color:{p.accent};margin-top:auto;display:-webkit-box;-webkit-box-orient:vertical;
 -webkit-line-clamp:2;overflow:hidden}}
div.bar{{display:flex;justify-content:space-between;gap:8px;font-size:19px;line-height:26px;color:{p.ink};background:none}}
div.bar b{{font-weight:600;overflow:hidden;text-overflow:ellipsis;white-space:pre;unicode-bidi:isolate}}
div.bar span{{white-space:nowrap;font-variant-numeric:tabular-nums}}
rect.track{{fill:{p.panel}}} rect.bar{{fill:{p.masked}}} rect.bar.lit{{fill:{p.output}}}
.next{{height:44px;border:3px dashed {p.output};border-radius:9px;display:flex;align-items:center;justify-content:center;
 color:{p.ink};box-sizing:border-box}}
.next b{{font-size:26px;white-space:pre;overflow:hidden;text-overflow:ellipsis;max-width:94%;unicode-bidi:isolate}}
.loop{{font-size:18px;line-height:22px;color:{p.quiet};text-align:right}}
"""
