"""`tools/paceline evaluate`: goes from run to run on one network, keeps each that is whole, and says what all of them show."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from ..checkout import commit
from ..demo import rivals
from ..demo.lab import HEADROOM, LEND, Lab, Run, require_programs
from ..demo.managed import Management
from ..demo.variants import MANAGED_RUNS
from ..machine.ledger import Ledger
from ..terminal import Terminal
from ..traffic.mix import paper_mix
from . import paper, report
from .asked import NAME, EvaluateOptions
from .busy import busy_percent
from .plan import Planned, planned, remaining_s, run_s
from .store import Store

# So many in a row say that it is the network, and not a run.
MOST_FAILURES = 3


def run(options: EvaluateOptions) -> int:
    terminal = Terminal(name=NAME)
    runs = planned(options)
    store = Store(options)
    entries = store.entries(runs)
    todo = [one for one in runs if one not in entries]
    terminal.step(outlook(options, runs, todo))
    failed: list[dict[str, Any]] = []
    if todo:
        require_programs()
        rivals.require(options.modes)
        ledger = Ledger.open()
        try:
            Management.refuse_busy_ports()
            evaluation = Evaluation(options, terminal, ledger, store)
            failed = evaluation.measure(todo, lambda so_far: told(options, store, runs, so_far))
        finally:
            terminal.step("cleaning up")
            ledger.undo()
    result = told(options, store, runs, failed)
    drawn = paper.write(options.out, store, store.entries(runs), about(options, result), options.command)
    print(report.table(result))
    as_the_paper = f"; as the paper has it: {options.out}/{paper.FOLDER}/README.md" if drawn else ""
    print(f"\nReport: {options.out}/report.html, or report.md{as_the_paper}; figures: {options.out}/result.json; what they show: tools/paceline claims {options.out}/result.json")
    print("\n".join(report.conclusion(result)), flush=True)
    return 1 if failed else 0


def about(options: EvaluateOptions, result: dict[str, Any]) -> str:
    """Of the runs, and in what they are not the paper's."""
    differs = options.bottlenecks > 1 or options.on_off
    return report.about(result) + (" The paper has one bottleneck, and users who are there all the time." if differs else "")


def told(options: EvaluateOptions, store: Store, runs: list[Planned], failed: list[dict[str, Any]]) -> dict[str, Any]:
    """Writes what all runs show that are there; the result."""
    result = report.made_of(options, [*store.entries(runs).values(), *failed])
    report.write(options.out, result)
    return result


def outlook(options: EvaluateOptions, runs: list[Planned], todo: list[Planned]) -> str:
    """How long it will take, before it begins."""
    seconds = remaining_s(options, todo)
    blocks = len({one.block for one in runs})
    whole = f"{len(runs)} runs in {blocks} block{'s' if blocks > 1 else ''}"
    if not todo:
        return f"{whole}, all of them there already"
    there = f"; {len(runs) - len(todo)} of them are there already" if len(todo) < len(runs) else ""
    end = datetime.now() + timedelta(seconds=seconds)
    return f"{whole}{there}; at most {duration(seconds)} on a quiet machine, until {end:%H:%M}"


def duration(seconds: float) -> str:
    minutes = max(1, round(seconds / 60))
    return f"{minutes // 60} h {minutes % 60:02} min" if minutes >= 60 else f"{minutes} min"


class Evaluation:
    def __init__(self, options: EvaluateOptions, terminal: Terminal, ledger: Ledger, store: Store):
        self.options = options
        self.terminal = terminal
        self.ledger = ledger
        self.store = store
        self.made_at = commit()
        management = Management(ledger, terminal, "server", HEADROOM, LEND)
        self.lab = Lab(ledger, terminal, options.bottleneck, management, HEADROOM, options.bottlenecks)

    def measure(self, todo: list[Planned], tell: Callable[[list[dict[str, Any]]], Any]) -> list[dict[str, Any]]:
        """
        All of these; the entries of those that failed. `tell` is called with those so far whenever a block has ended.

        Raises RuntimeError where one after the other fails.
        """
        self.lab.start(paper_mix(max(one.block.size for one in todo), self.options.bottlenecks, self.options.apart))
        failed: list[dict[str, Any]] = []
        in_a_row = 0
        pace = Pace(self.options)
        for number, one in enumerate(todo):
            block = one.block
            left = pace.left_s(todo[number:])
            self.terminal.step(
                f"run {number + 1} of {len(todo)}, about {duration(left)} left: {block.size} users, seed {block.seed}, repeat {block.repeat}, {one.mode}"
            )
            began = time.monotonic()
            try:
                self.once(one)
                in_a_row = 0
            except RuntimeError as problem:
                in_a_row += 1
                self.terminal.step(f"{one.mode} failed: {problem}")
                failed.append({**which(one), "error": str(problem)})
                if in_a_row == MOST_FAILURES:
                    raise RuntimeError(f"{MOST_FAILURES} runs in a row failed, the last: {problem}") from None
            pace.took(one, time.monotonic() - began)
            if all(later.block != block for later in todo[number + 1 :]):
                tell(failed)
        return failed

    def once(self, one: Planned) -> None:
        self.lab.become(rivals.at_run(one.mode))
        raw = self.ledger.folder / f"{one.name}.jsonl"
        # Before anybody talks: what runs now is not ours.
        others = busy_percent()
        entry = self.made(one, raw)
        entry |= {**which(one), "bottlenecks": self.options.bottlenecks, "baseRttMs": self.lab.base_rtt_ms, "othersPercent": others, "at": datetime.now().astimezone().isoformat(timespec="seconds"), "commit": self.made_at}
        self.store.keep(one, entry, raw)

    def made(self, one: Planned, raw: Path) -> dict[str, Any]:
        run = self.planned(one)
        if one.mode not in MANAGED_RUNS:
            return self.lab.measure(one.mode, run, raw)[0]
        try:
            self.lab.manage(run.applications, one.mode)
            entry, _ = self.lab.measure(one.mode, run, raw)
        except RuntimeError:
            # The next run is a rival's, whom no agent may help.
            self.lab.leave()
            raise
        self.lab.leave()
        return entry

    def planned(self, one: Planned) -> Run:
        options, size = self.options, one.block.size
        return Run(
            paper_mix(size, options.bottlenecks, options.apart), one.block.draws, options.warm_up_s(size), options.opening_s(size), options.seconds, options.cool_down, options.ssh_pause_s,
            options.on_off,
        )  # fmt: skip


def which(one: Planned) -> dict[str, Any]:
    return {"mode": one.mode, "applications": one.block.size, "seed": one.block.seed, "repeat": one.block.repeat}


class Pace:
    """How long the rest takes, by how long so much took so far."""

    def __init__(self, options: EvaluateOptions):
        self.options = options
        self.planned_s = self.taken_s = 0.0

    def took(self, run: Planned, seconds: float) -> None:
        self.planned_s += run_s(self.options, run)
        self.taken_s += seconds

    def left_s(self, runs: list[Planned]) -> float:
        factor = self.taken_s / self.planned_s if self.planned_s else 1.0
        return factor * sum(run_s(self.options, run) for run in runs)
