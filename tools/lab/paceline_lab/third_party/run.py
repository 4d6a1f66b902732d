"""`tools/paceline third-party`: each program alone on the demo's narrow link, then beside the demo's users, with and without it in turn."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ..checkout import commit
from ..demo.lab import HEADROOM, LEND, SETTLING_S, USUAL, Lab, Run, opening_s, require_programs
from ..demo.managed import Management
from ..machine.ledger import Ledger
from ..networks.conversations import lent_kbps
from ..networks.space import inside
from ..terminal import Terminal
from ..traffic import kpi, measure
from ..traffic.mix import paper_mix
from . import report
from .asked import ThirdPartyOptions
from .programs import Place, Program

NAME = "third-party"
# For a program that has just begun to have found its rate, and for one that has ended to be forgotten.
SETTLES_S = 5.0
# Of what the link counts, an Ethernet header and an IP header stand before what the table counts.
ETHERNET_BYTES = 14
TABLE = """
table inet third_party {
  counter taken { }
  chain in {
    type filter hook input priority filter; policy accept;
    ip daddr RECEIVER ip saddr SENDER counter name taken
  }
}
"""


def run(options: ThirdPartyOptions) -> int:
    require_programs()
    for program in options.programs:
        program.require()
    terminal = Terminal(name=NAME)
    Management.refuse_busy_ports()
    ledger = Ledger.open()
    try:
        return ThirdParty(options, terminal, ledger).run()
    finally:
        terminal.step("cleaning up")
        ledger.undo()


class ThirdParty:
    def __init__(self, options: ThirdPartyOptions, terminal: Terminal, ledger: Ledger):
        self.options = options
        self.terminal = terminal
        self.management = Management(ledger, terminal, headroom=HEADROOM, lend=LEND)
        self.lab = Lab(ledger, terminal, USUAL, self.management, HEADROOM)
        self.everybody = paper_mix(max(options.users, default=1))
        self.turns: list[dict[str, Any]] = []
        self.loads = [os.getloadavg()[0]]
        options.out.mkdir(parents=True, exist_ok=True)

    def run(self) -> int:
        options = self.options
        self.lab.start(self.everybody)
        self.lab.manage(self.everybody)
        network = self.lab.network
        folder = network.directory / "third-party"
        folder.mkdir()
        # Not at the ends between which the round trip is measured.
        self.place = Place(network, network.servers[1], network.clients[1], folder)
        self.count()
        for program in options.programs:
            for repeat in range(options.repeats):
                self.terminal.step(f"{program.name} alone, {repeat + 1} of {options.repeats}")
                self.turns.append({"program": program.name, "users": 0, "repeat": repeat, **self.turn(program)})
        for users in options.users:
            self.loads.append(os.getloadavg()[0])
            self.beside(users)
        self.loads.append(os.getloadavg()[0])
        shutil.rmtree(folder)
        result = {
            "scenario": NAME, "bottleneckKbps": USUAL.bits_per_second // 1000, "baseRttMs": self.lab.base_rtt_ms, "seconds": options.seconds,
            "repeats": options.repeats, "command": options.command, "made": {"at": datetime.now(UTC).isoformat(timespec="minutes"), "commit": commit()},
            "loadAverage": [round(load, 1) for load in self.loads], "turns": self.turns,
        }  # fmt: skip
        result["claims"] = report.claims(result)
        report.write(options.out, result)
        print(report.table(result))
        print(f"\nReport: {options.out}/report.md; figures: {options.out}/result.json")
        return 0 if all(one["holds"] for one in result["claims"]) else 1

    def beside(self, users: int) -> None:
        options = self.options
        applications = paper_mix(users)
        run = Run(applications, 1, opening_s(users) + SETTLING_S, opening_s(users), 0, 0)
        self.management.applications = applications
        traffic = self.lab.traffic(run, options.out / f"beside-{users}.jsonl")
        traffic.start()
        try:
            self.terminal.step(f"{users} users come")
            time.sleep(run.warm_up)
            self.management.wait_for_grants(traffic.live, traffic.away)
            for program in options.programs:
                for repeat in range(options.repeats):
                    self.terminal.step(f"{users} users without and with {program.name}, {repeat + 1} of {options.repeats}")
                    without = self.watched(options.seconds)
                    self.turns.append({"program": program.name, "users": users, "repeat": repeat, **self.turn(program), "rttWithoutMs": without})
                    time.sleep(SETTLES_S)
        finally:
            traffic.end()

    def turn(self, program: Program) -> dict[str, Any]:
        with program.running(self.place):
            time.sleep(SETTLES_S)
            shares: list[float] = []
            with self.asking(program, shares):
                before, taken, dropped = time.monotonic(), self.taken(), self.forwarded()
                rtt = self.watched(self.options.seconds)
                now, then, last = time.monotonic(), self.taken(), self.forwarded()
        seconds = now - before
        rate = lambda amount: round(amount * 8e-3 / seconds)  # noqa: E731 kbit/s
        return {
            "kbps": rate(then - taken), "linkKbps": rate(last["forwardedBytes"] - dropped["forwardedBytes"]), "rttMs": rtt,
            "shareKbps": round(sum(shares) / len(shares)) if shares else None,
            "droppedPackets": last["droppedPackets"] - dropped["droppedPackets"],
        }  # fmt: skip

    @contextlib.contextmanager
    def asking(self, program: Program, shares: list[float]) -> Iterator[None]:
        """Once a second what the plan grants and lends to what the program sends."""
        stop = threading.Event()

        def ask() -> None:
            while not stop.wait(1.0):
                with contextlib.suppress(RuntimeError, OSError):
                    mine = [
                        one for one in self.management.controller.conversations()
                        if one.get("remoteAddress") == self.place.receiver.address and one["host"] == self.place.sender.name and one.get("grant")
                    ]  # fmt: skip
                    if mine:
                        shares.append(sum(one["grant"]["rateKbps"] + lent_kbps(one) for one in mine))

        asks = threading.Thread(target=ask, daemon=True)
        asks.start()
        try:
            yield
        finally:
            stop.set()
            asks.join()

    def watched(self, seconds: float) -> float | None:
        """The round trip across the link meanwhile, 95 %; None where no echo came."""
        file = self.place.folder / "probe"
        probe = self.lab.services.probe(file)
        try:
            until = time.monotonic() + seconds
            while (left := until - time.monotonic()) > 0:
                self.terminal.progress(f"{left:.0f} s left of this turn")
                time.sleep(min(0.5, left))
        finally:
            probe.terminate()
            probe.wait(60)
        trips = [trip for line in measure.lines(file) for trip in line["roundTripMs"]]
        file.unlink(missing_ok=True)
        return round(kpi.quantile(trips, 0.95), 2) if trips else None

    def count(self) -> None:
        text = TABLE.replace("RECEIVER", self.place.receiver.address).replace("SENDER", self.place.sender.address)
        self.in_receiver("nft", "-f", "-", sent=text)

    def taken(self) -> int:
        """Bytes that the receiver has had of the program's packets, as the link counts them."""
        (counter,) = (one["counter"] for one in json.loads(self.in_receiver("nft", "-j", "list", "counter", "inet", "third_party", "taken"))["nftables"] if "counter" in one)
        return counter["bytes"] + ETHERNET_BYTES * counter["packets"]

    def in_receiver(self, *words: str, sent: str = "") -> str:
        network = self.place.network
        return subprocess.run([*inside(network.namespace(self.place.receiver.name)), *words], input=sent, text=True, check=True, capture_output=True).stdout

    def forwarded(self) -> dict[str, int]:
        """The bottleneck's counters from servers to clients, at its last second."""
        return measure.lines(Path(self.lab.network.wire_stats[0]))[-1]["forward"]
