"""`tools/paceline chaos`: faults drawn from a seed, one step after the other, and after each what must be so.

A run that fails is tried again with fewer steps, for as long as it may.
"""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..networks.space import Onos
from ..options import PROMISED_S, ChaosOptions
from ..scenarios.staging import staged
from ..terminal import Terminal
from . import alarms
from .breakable import BreakableNetwork, BreakableWorld, Clocks
from .disk import Disk
from .faults import Step, step
from .invariants import alarms_due, leftovers, problems
from .namespaces import Namespaces
from .world import PACED, World

SPACE = "plchaos"
# Nobody waits for longer than this until everything is right.
PATIENCE_S = 60.0
LOOKS_S = 0.5
# ONOS is started again and again beside its switches: its optimising compiler takes 11 s of a processor each time.
JAVA_OPTIONS = "-XX:TieredStopAtLevel=1"
# What is late by then may be too late in the end, and what there is now would not be there any more.
LATE_S = 5.0


@dataclass
class Outcome:
    steps: list[Step] = field(default_factory=list)
    right_after_s: list[float] = field(default_factory=list)
    # Of each step what was wrong last, before all was right.
    last_wrong: list[list[str]] = field(default_factory=list)
    # And of which alarms an operator was to be told, each with whether it was.
    alarms: list[dict[str, bool]] = field(default_factory=list)
    # What ended the run, or is left at its end.
    broken: list[str] = field(default_factory=list)
    # What did not end it, by how many steps there were by then.
    missed: dict[int, list[str]] = field(default_factory=dict)

    @property
    def failures(self) -> list[str]:
        return [line for lines in self.missed.values() for line in lines] + self.broken

    @property
    def guilty(self) -> list[int]:
        """The numbers of the steps up to that which ended it, or else up to the first that missed something."""
        return [one.number for one in self.steps[: None if self.broken else min(self.missed, default=None)]]


def run(options: ChaosOptions) -> int:
    options.out.mkdir(parents=True, exist_ok=True)
    terminal = Terminal(name="chaos")
    os.environ.setdefault("EXTRA_JAVA_OPTS", JAVA_OPTIONS)
    outcome = attempt(options, options.steps, options.out)
    for line in outcome.failures:
        terminal.step(f"NOT RIGHT: {line}")
    if outcome.failures and outcome.steps:
        until = time.monotonic() + 60 * options.shrink_minutes
        numbers = shrink(outcome.guilty, lambda steps: fails(options, steps, terminal), lambda: time.monotonic() < until)
        full_disk = " --full-disk" if options.full_disk else ""
        terminal.step(f"again with: tools/paceline chaos --seed {options.seed} --steps {','.join(map(str, numbers))}{full_disk}")
    result = summary(options, outcome)
    (options.out / "result.json").write_text(json.dumps(result, indent=1) + "\n")
    terminal.step(f"{len(outcome.right_after_s)} steps of seed {options.seed}; see {options.out}/result.json")
    return 1 if outcome.failures else 0


def fails(options: ChaosOptions, steps: tuple[int, ...], terminal: Terminal) -> bool:
    terminal.step(f"again with the steps {', '.join(map(str, steps))}")
    # What the run said that is looked into stays beside it.
    again = options.out / "again"
    return bool(attempt(options, steps, again).failures)


def attempt(options: ChaosOptions, steps: tuple[int, ...], logs: Path) -> Outcome:
    """All that is made for it is gone afterwards, but for the logs."""
    outcome = Outcome()

    def act(terminal: Terminal, network: BreakableNetwork, onos: Onos | None, _: Any) -> int:
        assert onos
        world = BreakableWorld(network, onos, disk, clocks)
        namespaces.note()
        try:
            world.build()
            wrong, seconds = patiently(lambda: problems(world))
            if seconds > PATIENCE_S:
                outcome.broken = [f"before the first fault: {line}" for line in wrong]
            else:
                go_on(options, steps, terminal, world, outcome, logs)
            if not outcome.broken:
                world.stop()
                left, seconds = patiently(lambda: leftovers(world))
                outcome.broken = [f"at the end: {line}" for line in left if seconds > PATIENCE_S]
        finally:
            keep(logs, world)
        return 0

    namespaces = Namespaces(SPACE)
    with contextlib.closing(Disk().open()) as disk, tempfile.TemporaryDirectory(prefix="paceline-clocks-") as folder:
        clocks = Clocks(Path(folder))
        staged(SPACE, True, f"four switches, seed {options.seed}", BreakableNetwork, act, "chaos", disk.folder / "onos")
    left, seconds = patiently(namespaces.left)
    outcome.broken += [f"at the end: {line}" for line in left if seconds > PATIENCE_S]
    return outcome


def go_on(options: ChaosOptions, steps: tuple[int, ...], terminal: Terminal, world: BreakableWorld, outcome: Outcome, logs: Path) -> None:
    until = time.monotonic() + 60 * options.minutes
    numbers = iter(steps) if steps else iter(range(1, 1_000_000))
    for number in numbers:
        if not steps and time.monotonic() > until:
            return
        now = step(options.seed, number, options.full_disk)
        terminal.step(f"step {now}")
        outcome.steps.append(now)
        began = alarms.now()
        try:
            now.happen(world)
        except RuntimeError as problem:  # what must be possible is not, such as a controller's start
            outcome.broken = [f"step {number}: {problem}"]
            return
        late: dict[str, str] = {}
        wrong, seconds = patiently(lambda: problems(world), lambda: late.update(state(world)))
        slow = seconds > PROMISED_S
        if slow:
            # ONOS writes a new log when it is started again.
            keep(logs / f"step-{number}", world)
            for name, text in late.items():
                (logs / f"step-{number}" / name).write_text(text)
        if wrong and seconds > PATIENCE_S:
            outcome.broken = [f"step {number}: {line}" for line in wrong]
            return
        outcome.right_after_s.append(seconds)
        outcome.last_wrong.append(wrong)
        terminal.step(f"  right after {seconds:.1f} s" + (f"; the last that was not: {wrong[0]}" if slow else ""))
        missed = [f"step {number}: right after {seconds} s instead of {options.within_s:g} s; before that, {wrong[0]}"] if seconds > options.within_s else []
        try:
            told = alarms_due(world, now, began)
        except RuntimeError as problem:
            told = {str(problem): False}
        outcome.alarms.append(told)
        for alarm, is_told in told.items():
            terminal.step(f"  {alarm}: {'raised' if is_told else 'NOT raised'}")
            if not is_told:
                missed.append(f"step {number}: nobody was told of an alarm that is due: {alarm}")
        if missed:
            outcome.missed[len(outcome.steps)] = missed


def patiently(look: Callable[[], list[str]], late: Callable[[], None] | None = None) -> tuple[list[str], float]:
    """
    What was wrong last, and for how long; longer than patience where it still is. `late` is called once where it lasts. Where nothing is
    found that is no time, however long a busy machine takes to look.
    """
    began = time.monotonic()
    wrong: list[str] = []
    while found := look():
        wrong = found
        if late and time.monotonic() > began + LATE_S:
            late()
            late = None
        if time.monotonic() > began + PATIENCE_S:
            break
        time.sleep(LOOKS_S)
    return wrong, round(time.monotonic() - began, 1) if wrong else 0.0


def shrink(numbers: list[int], fails: Callable[[tuple[int, ...]], bool], may_go_on: Callable[[], bool]) -> list[int]:
    """Fewer steps that fail as well, the last among them: halves are left out, then quarters and so on (Zeller and Hildebrandt 2002)."""
    earlier, last = numbers[:-1], numbers[-1]
    if earlier and may_go_on() and fails((last,)):
        return [last]
    size = (len(earlier) + 1) // 2
    at = 0
    while earlier and size and may_go_on():
        fewer = earlier[:at] + earlier[at + size :]
        if fewer and fails((*fewer, last)):
            earlier = fewer
        else:
            at += size
        if at >= len(earlier):
            at, size = 0, size // 2
    return [*earlier, last]


def state(world: World) -> dict[str, str]:
    """What switches hold, and what the controller has of it and of conversations, by the names of files; what does not answer is left out."""
    found = {}
    for switch in world.network.topology.numbers():
        with contextlib.suppress(RuntimeError):
            found[f"switch-{switch}.flows"] = world.network.ofctl("dump-flows", switch)
    for name, path in (("flows", "/v1/flows/application/org.paceline.app"), ("conversations", f"{PACED}/conversations"), ("plan", f"{PACED}/plan")):
        with contextlib.suppress(RuntimeError, OSError):
            found[f"{name}.json"] = json.dumps(world.rest.get(path), indent=1)
    return found


def keep(logs: Path, world: World) -> None:
    """What the controller and the agents have said so far."""
    logs.mkdir(parents=True, exist_ok=True)
    for log in world.network.directory.glob("agent-*.log"):
        (logs / log.name).write_bytes(log.read_bytes())
    try:
        (logs / "karaf.log").write_text(world.onos.log())
    except OSError:
        pass  # ONOS never came up


def summary(options: ChaosOptions, outcome: Outcome) -> dict[str, Any]:
    slowest = max(outcome.right_after_s, default=0.0)
    claims = [
        {
            "name": "everything right after the last fault of each step", "reference": None, "target": PROMISED_S, "measured": slowest, "unit": "s",
            "repeats": len(outcome.right_after_s), "holds": not outcome.failures and slowest <= PROMISED_S,
        }
    ]  # fmt: skip
    if not claims[0]["holds"]:
        slow = [
            f"step {one}: after {after} s" + "".join(f"; before that, {line}" for line in wrong[:1])
            for one, after, wrong in zip(outcome.steps, outcome.right_after_s, outcome.last_wrong) if after > PROMISED_S
        ]  # fmt: skip
        claims[0]["why"] = "; ".join(outcome.failures or slow)
    return {
        "scenario": "chaos", "seed": options.seed, "minutes": options.minutes, "command": options.command,
        "steps": [
            {"step": str(one), "rightAfterS": after, "lastWrong": wrong, "alarms": told}
            for one, after, wrong, told in zip(outcome.steps, outcome.right_after_s, outcome.last_wrong, outcome.alarms)
        ],
        "claims": claims,
    }  # fmt: skip
