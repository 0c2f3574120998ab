"""Download of the whole trace: every tensor of the pass as safetensors, and JSON that describes their axes.

`SNIPPET` loads it with json, numpy and safetensors alone.
"""

import dataclasses
import io
import json
import zipfile
from typing import Any

import safetensors.torch

from viz_core.checkpoint import Checkpoint
from viz_core.explain import ExplainedStep, Explanation
from viz_core.sites import sites
from viz_core.texts import fill, texts

SNIPPET = """\
import json, zipfile, safetensors.numpy
file = zipfile.ZipFile("[[file]]")
about = json.loads(file.read("trace.json"))
tensors = safetensors.numpy.load(file.read("trace.safetensors"))
print(about["text"], tensors["encoder.memory"].shape)
"""


def snippet(file: str) -> str:
    """The lines that load the zip of this name in a notebook."""
    return fill(SNIPPET, {"file": file})


def zipped(checkpoint: Checkpoint, explanation: Explanation, file: str = "trace.zip") -> bytes:
    """A zip of `trace.safetensors`, `trace.json` and a README that says how to load it; the same bytes for the same pass."""
    readme = fill(texts("app.downloads")["readme"], {"snippet": snippet(file)})
    about = json.dumps(header(checkpoint, explanation), ensure_ascii=False, indent=1)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        # Tensors hardly compress, and trying takes seconds.
        archive.writestr(zipfile.ZipInfo("trace.safetensors"), tensors(checkpoint, explanation), zipfile.ZIP_STORED)
        archive.writestr(zipfile.ZipInfo("trace.json"), about, zipfile.ZIP_DEFLATED)
        archive.writestr(zipfile.ZipInfo("README.md"), readme, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def tensors(checkpoint: Checkpoint, explanation: Explanation) -> bytes:
    """Each recorded tensor as safetensors under its site's name; the metadata holds the header as JSON under `trace`."""
    # Some sites are views of one memory, which the format cannot hold.
    recorded = {site: tensor.contiguous().clone() for site, tensor in explanation.trace.tensors.items()}
    about = json.dumps(header(checkpoint, explanation), ensure_ascii=False)
    return safetensors.torch.save(recorded, metadata={"trace": about})


def header(checkpoint: Checkpoint, explanation: Explanation) -> dict[str, Any]:
    """What is needed to read the tensors: the checkpoint, the texts, words, tokens and steps, and the axes of each tensor."""
    return {
        "format": "viz_core trace",
        "version": 2,
        "checkpoint": {"name": checkpoint.name, "sha256": checkpoint.digest},
        "config": checkpoint.config.to_json(),
        "source": dataclasses.asdict(explanation.source),
        "target": dataclasses.asdict(explanation.target),
        "output": [dataclasses.asdict(token) for token in explanation.output],
        "text": explanation.text,
        "given_target": explanation.given_target,
        "edits": explanation.edits.link(),
        "steps": [_step(step) for step in explanation.steps],
        "notices": [{"code": notice.code, "values": dict(notice.values)} for notice in explanation.notices],
        "sites": {
            name: {"axes": site.axes, "formula": site.formula, "meaning": texts("sites")[site.text_key]}
            for name, site in sites(checkpoint.config).items()
        },
    }


def _step(step: ExplainedStep) -> dict[str, Any]:
    """The token read, the one chosen and the one expected next; the latter two with their recorded log-probabilities."""
    judged = {name: getattr(step, name) for name in ("chosen", "expected")}
    return {"read": {"id": step.read.id, "text": step.read.text}} | {
        name: {"id": token.id, "text": token.text, "log_prob": float(step.log_probs[token.id])} for name, token in judged.items()
    }
