"""Run by torchrun in test_distributed.py: trains by each command line in turn; writes down how it ended, and the weights."""

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
codes = []
for at, command in enumerate(json.loads((folder / "commands.json").read_text())):
    os.environ["TORCHELASTIC_RESTART_COUNT"] = str(at)  # or the second group would meet the addresses of the first
    codes.append(main(command))
(folder / f"codes-{number}.json").write_text(json.dumps(codes))
