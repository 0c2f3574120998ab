"""The command line: one file a command."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from viz_core.cli import train
from viz_core.errors import VizError


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; returns its exit status: 0 done, 1 a problem that was told, 130 interrupted."""
    parser = argparse.ArgumentParser(prog="python -m viz_core", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    for module in (train,):
        module.add_parser(commands)
    options = parser.parse_args(arguments)
    try:
        options.run(options)
    except VizError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130
    return 0
