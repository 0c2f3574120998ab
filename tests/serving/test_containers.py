"""The files of deploy/: no Docker is needed to check them by the linters and schemas of their formats."""

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.serving.started import ROOT
from viz_core.cli import main

DEPLOY = ROOT / "deploy"
DOCKERFILE = (DEPLOY / "Dockerfile").read_text("utf-8")
BIN = Path(sys.executable).parent


@pytest.mark.parametrize(
    "linter",
    [
        ["hadolint", "Dockerfile"],
        ["check-jsonschema", "--builtin-schema", "vendor.compose-spec", "compose.yaml"],
        ["check-jsonschema", "--builtin-schema", "vendor.github-workflows", "pages.yml"],
        ["kubernetes-validate", "--strict", "--quiet", "kubernetes.yaml"],
    ],
    ids=lambda linter: linter[-1],
)
def test_its_own_linter_finds_nothing(linter: list[str]) -> None:
    done = subprocess.run([BIN / linter[0], *linter[1:]], cwd=DEPLOY, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_image_is_given_all_that_a_wheel_is_made_of() -> None:
    wheel = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]["targets"]["wheel"]
    given = (DEPLOY / "Dockerfile.dockerignore").read_text("utf-8").splitlines()
    assert {f"!{name}" for name in [*wheel["only-include"], *wheel["force-include"]]} <= {*given}


def test_the_command_of_the_image_is_one_of_ours(capsys: pytest.CaptureFixture[str]) -> None:
    (line,) = [line for line in DOCKERFILE.splitlines() if line.startswith("CMD ")]
    name, *arguments = json.loads(line.removeprefix("CMD "))
    assert name == "viz-core"
    with pytest.raises(SystemExit) as ended:
        main([*arguments, "--help"])  # argparse has read all before it
    assert ended.value.code == 0, capsys.readouterr().err
