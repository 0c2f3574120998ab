"""Entry point of the command line: python -m viz_core {train,evaluate,translate,trace,heads,copy-gate,passes,talk}."""

from __future__ import annotations

import sys

from viz_core.app.talk_file import command
from viz_core.cli import main

sys.exit(main(more=[command]))  # what the app can do, the other commands need not know
