"""Measures the program beside others and prints one table.

    python -m benchmarks                     everything, about five minutes on two free cores
    python -m benchmarks --quick             a few rounds, one thread: to see that it runs
    python -m benchmarks --without-server    no browser

Needs requirements-dev.txt. Each ratio is of two things measured in turns in the same run. Freed memory is kept (as while training),
so that no row depends on when the system takes pages back.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
from collections.abc import Iterator, Sequence

import torch

from benchmarks import bertviz_views, decoding, explaining, labs, passes, server, stepping, stepping_peers
from benchmarks.browser import chromium_path
from benchmarks.measure import Row, table
from benchmarks.subject import SHIPPED, shipped, untrained
from viz_core.training.process import keep_freed_memory

LENGTHS = (20, 100)  # tokens of source and target
WRITTEN = (20, 50)  # tokens to decode


def main(arguments: Sequence[str] | None = None) -> int:
    """Measures and prints; 0 also where an aim is missed, for the time of a run is no test."""
    parser = argparse.ArgumentParser(
        "python -m benchmarks", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="a few rounds, one thread")
    parser.add_argument("--without-server", action="store_true", help="leave out what needs a browser")
    chosen = parser.parse_args(arguments)
    print(machine())
    remarks: list[str] = []
    rows = []
    for row in measured(chosen.quick, not chosen.without_server, remarks):
        print(f"measured: {row.what}", file=sys.stderr)
        rows.append(row)
    print(table(rows))
    aims = [row.verdict for row in rows if row.verdict]
    print("\n".join([f"{aims.count('met')} of {len(aims)} aims met.", *remarks]))
    return 0


def measured(quick: bool, with_server: bool, remarks: list[str]) -> Iterator[Row]:
    """All rows, one after the other; what cannot be measured here adds a remark."""
    counts = (1,) if quick else (1, 2)
    checkpoint = shipped()
    if checkpoint is None:
        remarks.append(f"No usable checkpoint at {SHIPPED}: a model of its shape instead; explain() and the server are left out.")
    else:
        yield from explaining.rows(checkpoint, counts, 2 if quick else 30)
        yield from labs.rows(checkpoint, counts, 1 if quick else 10)
    if not with_server or checkpoint is None:
        pass
    elif chromium_path() is None:
        remarks.append("No Chromium here: the server is left out.")
    else:
        yield from server.rows(1 if quick else 3)
        for page in (stepping, stepping_peers):
            yield from page.rows(checkpoint, 10 if quick else stepping.PRESSES)
        yield from bertviz_views.rows(checkpoint, 1 if quick else 5)
    keep_freed_memory()
    yield from passes.rows(checkpoint.model if checkpoint else untrained(), LENGTHS, counts, 2 if quick else 60)
    yield from decoding.rows(untrained(), WRITTEN, counts, 1 if quick else 15)


def machine() -> str:
    """The machine and the versions that this run was measured with."""
    versions = f"Python {platform.python_version()}, torch {torch.__version__}"
    lines = [f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores, {versions}"]
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    if load > 0.5:
        lines.append(f"The machine is busy (load {load:.1f}): times are too long, and two threads wait for each other.")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
