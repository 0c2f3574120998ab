"""The command line. Each command is a module with `add_parser(commands)` and `run(options)`, which may raise a VizError."""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from viz_core.cli import app, copy_gate, evaluate, heads, import_model, passes, trace, train, translate
from viz_core.errors import VizError, lacks_memory


def main(arguments: Sequence[str] | None = None, more: Sequence[Any] = ()) -> int:
    """Run one command.

    Args:
        arguments: of the command line; None: those of this process.
        more: further command modules, from layers above this one.

    Returns:
        The exit status: 0 done, 1 an error was printed, 130 interrupted, 141 the reader of the output has closed it.
    """
    name = "viz-core" if Path(sys.argv[0]).stem == "viz-core" else "python -m viz_core"
    parser = argparse.ArgumentParser(prog=name, description="See a Transformer work: the app, and what it is made of.")
    commands = parser.add_subparsers(dest="command", required=True)
    for module in (app, import_model, train, evaluate, translate, trace, heads, copy_gate, passes, *more):
        module.add_parser(commands)
    options = parser.parse_args(arguments)
    try:
        options.run(options)
        sys.stdout.flush()
    except VizError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except (MemoryError, RuntimeError, ImportError) as error:
        if not lacks_memory(error):
            raise
        print("error: there is not enough memory for this model, or for as much text at a time", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or Python complains again on exit
        return 141
    return 0
