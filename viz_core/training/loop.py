"""The training loop (Vaswani et al. 2017, §5), on a CPU, a GPU, or several with torchrun."""

from __future__ import annotations

import itertools
import json
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch
import torch.distributed as dist
from torch import Tensor, nn
from torch.nn.parallel import DistributedDataParallel
from torch.optim.lr_scheduler import LambdaLR
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn
from tqdm import tqdm

from viz_core import checkpoint
from viz_core.bleu import bleu
from viz_core.checkpoint import Checkpoint
from viz_core.config import PAD_ID, ModelConfig
from viz_core.decoding import translate
from viz_core.errors import ConfigError, Diverged
from viz_core.files import sha256, write_atomically
from viz_core.model import Transformer
from viz_core.tokenizer import BpeTokenizer, Tokenizer
from viz_core.training import averaging, history, snapshots
from viz_core.training.checks import notes, require_room
from viz_core.training.loss import MaskedLoss, TeacherForcedLoss
from viz_core.training.pair_file import counted, read_pairs, references
from viz_core.training.pairs import Batch, encode_pairs, fitting_pairs, learn_tokenizer, make_batch, plan_epoch
from viz_core.training.process import has_bf16, interruption, pick_device
from viz_core.training.run import adam, not_finite
from viz_core.training.settings import TrainSettings, cooldown, noam
from viz_core.training.state import FILE, Progress, begun_with, check_folder, load_state, read_begun, refuse_changes, save_state
from viz_core.training.tuning import take_weights

LOG_EVERY = 50  # steps between two lines of the history
LARGEST = 65_504.0  # of a float16 weight, as saved in a checkpoint


class Trainer:
    def __init__(self, settings: TrainSettings, shape: dict[str, object], resume: bool) -> None:
        self.settings = settings
        self.rank, self.world = (dist.get_rank(), dist.get_world_size()) if dist.is_initialized() else (0, 1)
        self.device = pick_device()
        self.notes: list[str] = []
        check_folder(settings.out, resume)
        torch.manual_seed(settings.seed)

        pairs, valid = (read_pairs(path, self.notes.append) for path in (settings.pairs, settings.valid))
        self.valid = references(valid)
        start = checkpoint.load(settings.start, decoder=None) if settings.start else None
        self.begun = begun_with(settings, shape, pairs, valid, start)
        saved = read_begun(settings.out) if resume else {}
        refuse_changes(settings.out / FILE, saved, self.begun)
        kept = start and (start.source_language, start.target_language) == (settings.source_language, settings.target_language)
        self.tokenizer = self._tokenizer(pairs, start.tokenizer if start and kept else None, resume)
        self.begun["vocabulary"] = f"SHA-256 {sha256(self.tokenizer.to_json().encode())[:12]}"
        refuse_changes(settings.out / FILE, saved, self.begun)
        config = ModelConfig(source_vocab=len(self.tokenizer), target_vocab=len(self.tokenizer), **shape)  # type: ignore[arg-type]
        require_room(config, self.device)
        self.model = Transformer(config)
        encoded = encode_pairs(self.checkpoint(self.model), pairs)
        self.pairs = fitting_pairs(encoded, config, settings.pairs.name, "raise --max-len, or train on shorter sentences")
        self.skipped = len(encoded) - len(self.pairs)
        self.lengths = [(len(source), len(target)) for source, target in self.pairs]
        plan = self._plan(0)
        require_room(config, self.device, (len(rows) * (1 + max(max(self.lengths[i]) for i in rows)) for rows in plan))
        self.per_epoch = len(plan)
        if self.per_epoch == 0:
            raise ConfigError(
                f"{counted(len(self.pairs), 'pair')} make fewer batches than there are processes, {self.world}; "
                "lower --tokens, or start fewer processes"
            )

        if start and not resume:
            take_weights(self.model, self.tokenizer, start)
        self.model.to(self.device)
        self.averaged = AveragedModel(self.model, multi_avg_fn=get_ema_multi_avg_fn(settings.average))
        self.optimizer = adam(self.model.parameters())
        self.progress = Progress(per_epoch=self.per_epoch, processes=self.world)
        if resume:
            self.progress = load_state(settings.out, self.model, self._averaged, self.optimizer, self.per_epoch, self.world)
            self.averaged.n_averaged.fill_(self.progress.step)
        done = self.progress
        self.saved = done.step
        self.total = done.step - done.batch + self.per_epoch * max(settings.epochs - done.epoch, 0)
        self.notes += notes(self, resume, start.name if start and kept and not resume else None)
        self.schedule = LambdaLR(self.optimizer, self._rate, last_epoch=self.progress.step - 1)
        net = (TeacherForcedLoss if config.decoder == "causal" else MaskedLoss)(self.model, settings.smoothing)
        self.net = DistributedDataParallel(net) if self.world > 1 else net

    def run(self) -> None:
        """Trains to the last epoch; saves the state every few minutes, at the end of each epoch, and when interrupted."""
        progress = self.progress
        if progress.step == 0:
            self._save()  # for a run that diverges to go back to
        bar: tqdm[Any] = tqdm(total=self.total, initial=progress.step, unit="step", disable=self.rank > 0, dynamic_ncols=True)
        with bar:
            while progress.measured < self.settings.epochs:
                if progress.measured == progress.epoch:
                    with interruption() as interrupted:
                        self._epoch(bar, interrupted)
                    self._save()
                self._measure(bar)
                progress.measured = progress.epoch
                self._save()

    def _epoch(self, bar: tqdm[Any], interrupted: threading.Event) -> None:
        progress, settings = self.progress, self.settings
        self._keep()
        self.model.train()
        saved = clock = time.monotonic()
        tokens, losses = 0, []
        for batch in self._batches():
            losses.append(self._step(batch))
            tokens += int((batch.predict != PAD_ID).sum()) * self.world
            progress.step += 1
            progress.batch += 1
            bar.update()
            self._keep()
            if progress.step % LOG_EVERY == 0:
                now = time.monotonic()
                loss = float(torch.stack(losses).mean())
                rate = self._rate(progress.step - 1)  # of this step: the schedule is already at the next one
                progress.history.append({"step": progress.step, "loss": round(loss, 4), "lr": rate})
                bar.set_postfix_str(f"epoch {progress.epoch + 1}, loss {loss:.3f}, {tokens / (now - clock):,.0f} tokens/s")
                clock, tokens, losses = now, 0, []
                if self._anyone(now - saved > 60 * settings.save_minutes):
                    self._save()
                    saved = time.monotonic()
            if self._anyone(interrupted.is_set()):
                self._save()
                if self.rank == 0:
                    bar.write(f"stopped after step {progress.step:,}; --resume continues from there", file=sys.stderr)
                raise KeyboardInterrupt
        progress.epoch, progress.batch = progress.epoch + 1, 0

    def _step(self, batch: Batch) -> Tensor:
        batch = batch.to(self.device)
        with torch.autocast(self.device.type, torch.bfloat16, enabled=has_bf16(self.device)):
            loss = self.net(batch.source, batch.read, batch.predict)
        self.optimizer.zero_grad()
        loss.backward()
        norm = nn.utils.clip_grad_norm_(self.model.parameters(), self.settings.clip)
        what = not_finite(loss, norm)
        if self._anyone(bool(what)):
            raise self._diverged(what or "the gradient is not a finite number")
        self.optimizer.step()
        self.schedule.step()
        self.averaged.update_parameters(self.model)
        return loss.detach()

    def _measure(self, bar: tqdm[Any]) -> None:
        """Measures validation BLEU of the weights and their averages; the best become the checkpoint if they beat all before."""
        if self.rank == 0:
            sources = [source for source, _ in self.valid]
            references = [targets for _, targets in self.valid]
            scores, models = {}, self._models()
            for name, model in models.items():
                model.eval()
                scores[name] = bleu(translate(self.checkpoint(model), sources), references, self.settings.target_language).score
            best = max(scores, key=scores.__getitem__)
            entry = {"step": self.progress.step, "epoch": self.progress.epoch}
            self.progress.history.append(entry | {f"bleu_{name}": round(score, 2) for name, score in scores.items()})
            written = ", ".join(f"{name} {score:.2f}" for name, score in scores.items())
            bar.write(f"epoch {self.progress.epoch}: validation BLEU {written}", file=sys.stderr)
            if scores[best] > self.progress.best:
                self.progress.best = scores[best]
                checkpoint.save(self.settings.out, self.checkpoint(models[best]))
            lines = "".join(json.dumps(line, allow_nan=False) + "\n" for line in self.progress.history)
            write_atomically(self.settings.out / history.FILE, lines.encode())
        if self.world > 1:
            dist.barrier()

    def _models(self) -> dict[str, Transformer]:
        """The models to measure at an epoch's end: the weights and their averages."""
        out, epoch, count = self.settings.out, self.progress.epoch, self.settings.last_epochs
        models = {"last": self.model, "averaged": self._averaged}
        if count:
            averaging.keep(out, self.model, epoch, count)
            if mean := averaging.mean(out, self.model, epoch, count):
                models["mean"] = mean
        return models

    def checkpoint(self, model: Transformer) -> Checkpoint:
        s = self.settings
        return Checkpoint(s.out.name, model, self.tokenizer, s.source_language, s.target_language, digest="")

    def _keep(self) -> None:
        if self.rank == 0 and self.progress.step in self.settings.keep:
            snapshots.save(self.settings.out, self.model, self.progress.step)

    def _save(self) -> None:
        parameters = itertools.chain(self.model.parameters(), self._averaged.parameters())
        if not all(float(parameter.detach().abs().max()) <= LARGEST for parameter in parameters):
            raise self._diverged(f"a weight is beyond ±{LARGEST:,.0f}, more than the file of a checkpoint holds", done=True)
        if self.rank == 0:
            save_state(self.settings.out, self.progress, self.model, self._averaged, self.optimizer, self.begun)
        self.saved = self.progress.step

    def _diverged(self, what: str, done: bool = False) -> Diverged:
        """done: whether the step at fault is already counted."""
        step = self.progress.step + (not done)
        state = f"{self.settings.out / FILE} holds the last good state, after step {self.saved:,}"
        advice = "try a smaller --learning-rate or a longer --warmup, in another folder (--out)"
        return Diverged(f"step {step:,}: {what}, at a learning rate of {self._rate(step - 1):.3g}; {state}; {advice}")

    @property
    def _averaged(self) -> Transformer:
        model = self.averaged.module
        assert isinstance(model, Transformer)
        return model

    def _plan(self, epoch: int) -> list[list[int]]:
        """The batches of this process in an epoch; every process gets equally many."""
        plan = plan_epoch(self.lengths, self.settings.tokens, self.settings.seed + epoch)
        return plan[self.rank : len(plan) - len(plan) % self.world : self.world]

    def _batches(self) -> Iterator[Batch]:
        for rows in self._plan(self.progress.epoch)[self.progress.batch : self.per_epoch]:
            yield make_batch([self.pairs[i] for i in rows])

    def _rate(self, done: int) -> float:
        s = self.settings
        step = done + 1
        return s.learning_rate * noam(step, self.model.config.d_model, s.warmup) * cooldown(step, self.total + 1, s.cooldown)

    def _anyone(self, mine: bool) -> bool:
        """True if any process says so: all must take the same branch, or those left would wait forever."""
        if self.world == 1:
            return mine
        answer = torch.tensor([int(mine)], device=self.device)
        dist.all_reduce(answer, dist.ReduceOp.MAX)
        return bool(answer.item())

    def _tokenizer(self, pairs: list[tuple[str, str]], given: Tokenizer | None, resume: bool) -> Tokenizer:
        """Given, or learned by the first process and read by all; a resumed run keeps its own."""
        path: Path = self.settings.out / "tokenizer.json"
        if self.rank == 0 and not (resume and path.is_file()):
            s = self.settings
            tokenizer = given or learn_tokenizer(pairs, s.source_language, s.target_language, s.vocab_size, s.alphabet)
            write_atomically(path, tokenizer.to_json().encode())
        if self.world > 1:
            dist.barrier()
        return BpeTokenizer.from_json(path.read_text("utf-8"))
