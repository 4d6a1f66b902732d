"""The demonstration: one narrow link, many users, first without and then with Paceline."""

from __future__ import annotations

import json
import sys
import time
from datetime import UTC, datetime
from typing import Any

from .. import repeats
from ..checkout import commit
from ..machine.ledger import Ledger
from ..networks.space import inside
from ..options import Options
from ..terminal import Terminal
from ..traffic import measure
from ..traffic.mix import paper_mix
from . import report, rivals
from .claims import claims
from .lab import BEST_EFFORT, Lab, Run, require_programs
from .managed import Management
from .variants import MANAGED


class Refused(Exception):
    """The demonstration cannot begin; nothing was made."""


def run(options: Options) -> int:
    require_programs()
    rivals.require(options.rivals)
    terminal = Terminal()
    ledger = Ledger.open()
    try:
        if options.controller == "onos":
            Management.refuse_busy_ports()
        return Demo(options, terminal, ledger).run()
    finally:
        terminal.step("cleaning up")
        ledger.undo()


class Demo:
    def __init__(self, options: Options, terminal: Terminal, ledger: Ledger):
        self.options = options
        self.terminal = terminal
        self.ledger = ledger
        self.applications = paper_mix(options.applications)
        self.samples: dict[str, measure.Samples] = {}
        self.runs: list[dict[str, Any]] = []
        self.made = {"at": datetime.now(UTC).isoformat(timespec="minutes"), "commit": commit()}
        try:
            options.out.mkdir(parents=True, exist_ok=True)
        except OSError as problem:
            raise Refused(f"cannot write to {options.out} ({problem}). Maybe choose another --out DIR") from None

    def run(self) -> int:
        options = self.options
        management = (
            Management(self.ledger, self.terminal, options.agents, options.headroom, options.lend)
            if options.controller == "onos"
            else None
        )
        self.lab = Lab(self.ledger, self.terminal, options.bottleneck, management, options.headroom)
        self.lab.start(self.applications)
        for repeat in range(options.repeats):
            self.once(repeat, management)
        self.finish()
        if options.keep:
            self.linger(management)
        return 1 if any("error" in run for run in self.runs) else 0

    def once(self, repeat: int, management: Management | None) -> None:
        """Each of the runs, one after the other, so that whatever slowly changes on this machine meets all of them alike."""
        options = self.options
        if options.mode != MANAGED:
            self.measure(BEST_EFFORT, repeat)
        for name in options.rivals:
            self.lab.become(rivals.RIVALS[name])
            self.measure(name, repeat)
        if options.rivals:
            self.lab.become(rivals.BEST_EFFORT)
        if management and options.mode != BEST_EFFORT:
            try:
                if options.mode == "both" or repeat == 0:
                    self.lab.manage(self.applications)
                self.measure(MANAGED, repeat)
            except RuntimeError as problem:
                self.runs.append({"mode": MANAGED, "repeat": repeat, "error": str(problem)})
            if options.mode == "both" and repeat < options.repeats - 1:
                self.lab.leave()

    def planned(self, repeat: int) -> Run:
        """Repeats differ in all that is random."""
        options = self.options
        return Run(self.applications, options.seed + repeat, options.warm_up, options.opening_s, options.seconds, options.cool_down)

    def measure(self, mode: str, repeat: int) -> None:
        options = self.options
        which = f" ({repeat + 1} of {options.repeats})" if options.repeats > 1 else ""
        self.terminal.step(
            f"{mode}{which}: {len(self.applications)} applications, {options.warm_up:g} s warm-up, {options.seconds:g} s measured"
        )
        raw = options.out / (f"{mode}-{repeat + 1}.jsonl" if options.repeats > 1 else f"{mode}.jsonl")
        entry, self.samples[mode] = self.lab.measure(mode, self.planned(repeat), raw)
        if mode == MANAGED and self.lab.management:
            self.lab.management.keep_record(options.out)
        self.runs.append({**entry, "repeat": repeat} if options.repeats > 1 else entry)
        self.write()

    def result(self) -> dict[str, Any]:
        options = self.options
        return {
            "scenario": "paper",
            "applications": options.applications,
            "seconds": options.seconds,
            "seed": options.seed,
            "bottleneckKbps": options.bottleneck.bits_per_second // 1000,
            "baseRttMs": self.lab.base_rtt_ms,
            "bufferBytes": options.bottleneck.fifo_bytes,
            "openingSeconds": options.opening_s,
            "headroomPercent": options.headroom,
            "lendPercent": options.lend,
            "command": options.command,
            "made": self.made,
            **({"runs": repeats.together(self.runs), "repeats": self.runs} if options.repeats > 1 else {"runs": self.runs}),
        }

    def write(self) -> None:
        (self.options.out / "result.json").write_text(json.dumps(self.result(), indent=1) + "\n")

    def finish(self) -> None:
        self.terminal.step("drawing the report")
        options, result = self.options, self.result()
        result["claims"] = claims(result)
        report.write(options.out, result, self.samples)
        print(report.table(result))
        print(f"\nReport: {options.out}/report.html, or report.md; figures: {options.out}/result.json; what they show: tools/paceline claims {options.out}/result.json")
        print("\n".join(report.lines(report.conclusion(result))), flush=True)

    def linger(self, management: Management | None) -> None:
        self.ledger.note("kept", True)
        print("\nEverything still runs. Ctrl-C ends it, and so does `tools/paceline down` or the next demo.")
        network = self.lab.network
        for host in network.topology.hosts:
            print(f"  a shell on {host.name} ({host.address}): {' '.join(inside(network.namespace(host.name), 'bash'))}")
        if management:
            print("  the controller: curl -u onos:rocks http://127.0.0.1:8181/onos/paceline/v1/state")
            print("  its console: ssh -p 8101 onos@127.0.0.1 (rocks), then paceline:conversations")
            print(f"  the agents' configurations and logs: {self.ledger.folder}")
        sys.stdout.flush()
        run = Run(self.applications, self.options.seed, 0, 5, 0, 0)
        traffic = self.lab.traffic(run, self.options.out / "kept.jsonl")
        traffic.start()
        while True:
            time.sleep(5)
            self.terminal.progress(f"running until Ctrl-C; {traffic.live()}")
