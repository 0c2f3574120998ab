"""Run by torchrun in test_distributed.py: trains by a command line; writes down how it ended, and the weights."""

import json
import os
import sys
from pathlib import Path

import safetensors.torch

from viz_core.cli import main
from viz_core.training.loop import Trainer

folder, number = Path(sys.argv[1]), os.environ["RANK"]
run = Trainer.run


def run_and_write(self: Trainer) -> None:
    run(self)
    tensors = {name: parameter.detach() for name, parameter in self.model.named_parameters()}
    safetensors.torch.save_file(tensors, folder / f"{self.rank}-of-{self.world}")


Trainer.run = run_and_write  # type: ignore[method-assign]
code = main(json.loads((folder / "command.json").read_text()))
(folder / f"code-{number}.json").write_text(json.dumps(code))
