"""What a notebook imports."""

import subprocess
import sys
from pathlib import Path

import pytest

import viz_core


def test_every_public_name_is_there() -> None:
    for name in viz_core.__all__:
        assert getattr(viz_core, name).__name__ == name
    with pytest.raises(AttributeError, match="nothing"):
        viz_core.nothing  # noqa: B018


def test_help_needs_no_torch_the_first_import_gives_functions_and_loading_needs_no_compiler(checkpoint_folder: Path) -> None:
    """The compiler takes a second and a hundred megabytes, and building a model of mere shapes is enough to load it."""
    program = """
import sys, viz_core.cli
print("torch" in sys.modules)
from viz_core import load, explain
print(callable(load), callable(explain))
load(sys.argv[1])
print("torch._dynamo" in sys.modules)
"""
    done = subprocess.run(
        [sys.executable, "-c", program, str(checkpoint_folder)],
        cwd=Path(__file__).parents[1],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines() == ["False", "True True", "False"]
