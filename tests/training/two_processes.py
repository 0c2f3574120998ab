"""Run by torchrun in test_distributed.py: trains by the command line, then each process writes down its weights."""

import os
import sys
from pathlib import Path

import safetensors.torch

from viz_core.cli import main
from viz_core.training.loop import Trainer

run = Trainer.run


def run_and_write(self: Trainer) -> None:
    run(self)
    tensors = {name: parameter.detach() for name, parameter in self.model.named_parameters()}
    folder = Path(os.environ["WEIGHTS"])
    safetensors.torch.save_file(tensors, folder / f"{self.rank}-of-{self.world}")


Trainer.run = run_and_write  # type: ignore[method-assign]
sys.exit(main())
