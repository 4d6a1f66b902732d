"""`tools/paceline bench queues`: the wire's queues beside the kernel's own, with the same traffic on the same network.

Few machines' kernels have all of them, so both run in a Linux in user mode, which touches nothing of this machine.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from ..checkout import commit
from ..machine import native
from ..machine.ledger import CONTROL_NICE, Ledger
from ..networks import user_mode
from ..terminal import Terminal
from . import compare
from .asked import QueuesOptions

NAME, MEMORY_MB = "queues", 500
WARM_UP_S = 8.0
# A run on an idle machine needs so many seconds beside those of its traffic; on a busy one this kernel's clock goes on, and its programs do not.
STARTS_S, BOOT_S, PATIENCE = 6.0, 60.0, 10
# By the mean of a run: half of the least margin of a wait that is claimed.
LATE_MS = 0.5
TOO_BUSY = "The other kernel had too little of the processor. Maybe repeat it where nothing else runs, or with a lower --mbit"
INSIDE = Path(__file__).with_name("inside.py")


def run(options: QueuesOptions) -> int:
    user_mode.require()
    terminal = Terminal(name=NAME)
    ledger = Ledger.open()
    work = (options.out / "work").absolute()
    machine: subprocess.Popen[bytes] | None = None
    try:
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir(parents=True)
        each_s = WARM_UP_S + options.seconds + STARTS_S
        count = 2 * len(options.queues) * options.repeats
        terminal.step(f"{count} runs in Linux in user mode, {each_s * count / 60:.0f} min at least")
        machine = boot(options, work, ledger)
        runs = follow(machine, work, terminal, count, each_s)
        if lack := compare.lacking(runs):
            raise RuntimeError(f"{lack}. {TOO_BUSY}")
        document: dict[str, Any] = {
            "scenario": NAME, "mbit": options.mbit, "seconds": options.seconds, "warmUpS": WARM_UP_S, "commit": commit(), "runs": runs,
            "claims": compare.claims(runs),
        }  # fmt: skip
        (options.out / "result.json").write_text(json.dumps(document, indent=1) + "\n")
    finally:
        if machine:
            # All of it is one process tree, of which unshare is the parent.
            machine.kill()
            machine.wait()
        ledger.undo()
    terminal.clear()
    print(compare.table(runs))
    agreeing = sum(one["holds"] for one in document["claims"])
    if (late := max(one["wireLatenessMeanUs"] for one in runs) / 1000) > LATE_MS:
        print(f"The machine was busy: in one run frames left the wire {late:.1f} ms late by the mean. Maybe repeat it where nothing else runs.")
    print(f"Samples and claims are in {options.out}/result.json.")
    print(f"In {agreeing} of {len(document['claims'])} figures the wire agrees with the kernel.")
    return 0 if agreeing == len(document["claims"]) else 1


def boot(options: QueuesOptions, work: Path, ledger: Ledger) -> subprocess.Popen[bytes]:
    plan = {
        "rate": round(options.mbit * 1e6), "seconds": options.seconds, "warmUpS": WARM_UP_S, "repeats": options.repeats, "queues": options.queues,
        "wire": str((native.build() / "wire").absolute()),
    }  # fmt: skip
    (work / "plan.json").write_text(json.dumps(plan))
    (work / "command").write_text(f"exec {sys.executable} -B {INSIDE} $WORK/plan.json $WORK/results\n")
    with open(work / "said", "wb") as said:
        machine = subprocess.Popen(
            ["unshare", "--net", *user_mode.words(work, MEMORY_MB)], stdin=subprocess.DEVNULL, stdout=said, stderr=subprocess.STDOUT,
            env=user_mode.environment(work), start_new_session=True,
        )  # fmt: skip
    ledger.note_process(machine.pid, CONTROL_NICE)
    return machine


def follow(machine: subprocess.Popen[bytes], work: Path, terminal: Terminal, count: int, each_s: float) -> list[dict[str, Any]]:
    """All runs. Raises RuntimeError where the other kernel ends without them, or says nothing for far too long."""
    results, heard, last = work / "results", 0, time.monotonic()
    while True:
        ended = machine.poll() is not None or (work / "exit").exists()
        lines = [json.loads(line) for line in results.read_text().splitlines(keepends=True) if line.endswith("\n")] if results.exists() else []
        runs = [line for line in lines if "queue" in line]
        if len(runs) == count:
            return runs
        if ended:
            raise RuntimeError(f"the other kernel has made {len(runs)} of {count} runs: {(work / 'said').read_text(errors='replace').strip()[-600:]}")
        if len(lines) > heard:
            heard, last = len(lines), time.monotonic()
        if time.monotonic() - last > BOOT_S + PATIENCE * each_s:
            raise RuntimeError(f"the other kernel has said nothing for {time.monotonic() - last:.0f} s ({work}/said). {TOO_BUSY}")
        begun = next((line["begins"] for line in reversed(lines) if "begins" in line), None)
        doing = f"{begun[0]} in the {begun[1]}, repeat {begun[2] + 1}" if begun else "starting the other kernel"
        terminal.progress(f"{doing}; {len(runs)} of {count} runs made")
        time.sleep(0.5)
